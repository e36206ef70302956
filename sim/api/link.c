/* Links between boards and hosts: rows of sim/board/links.def, and what goes over them. */
#include "sim/api/context.h"
#include "sim/board/links.h"

#include <string.h>

bool heddle_link_info(uint32_t index, struct heddle_link_info *link) {
    if (index >= LINKS)
        return false;
    const struct link_row *row = &link_rows[index];
    *link = (struct heddle_link_info){.name = row->name,
                                      .doc = row->doc,
                                      .source = row->source,
                                      .gbs = row->gbs,
                                      .data_gbs = link_rate(row),
                                      .latency_us = row->latency_us,
                                      .pj_bit = row->pj_bit,
                                      .gbs_basis = device_bases[row->gbs_basis].name,
                                      .latency_basis = device_bases[DEVICE_BASIS_ESTIMATE].name,
                                      .pj_basis = device_bases[row->pj_basis].name};
    return true;
}

/* Number of a name in a list of them, or UINT32_MAX with an error. */
static u32 find_name(struct heddle *h, const char *what, const char *name, const char *const *names, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    context_fail(h, "transfer", "there is no %s '%s'%s", what, name, suggest(heddle_nearest(name, names, count)).text);
    return UINT32_MAX;
}

bool heddle_transfer(struct heddle *h, const struct heddle_transfer *asked, struct heddle_transferred *t) {
    const char *names[LINKS];
    context_begin(h);
    for (u32 i = 0; i < LINKS; i++)
        names[i] = link_rows[i].name;
    u32 link = find_name(h, "link", asked->link ? asked->link : "", names, LINKS);
    u32 way = find_name(h, "way", asked->way ? asked->way : exchange_ways[0], exchange_ways, EXCHANGE_WAYS), kind = 0;
    bool copy = !asked->kind || strcmp(asked->kind, "copy") == 0;
    if (!copy)
        kind = find_name(h, "kind of exchange", asked->kind, exchange_kinds, EXCHANGE_KINDS);
    if (link == UINT32_MAX || way == UINT32_MAX || kind == UINT32_MAX)
        return false;
    if (!copy && (asked->boards < 1 || asked->boards > HEDDLE_BOARDS_MAX))
        return context_fail(h, "transfer", "boards is %u; an exchange is between 1 and %u", asked->boards,
                            HEDDLE_BOARDS_MAX);
    const struct link_row *row = &link_rows[link];
    const double bytes = (double)asked->bytes;
    struct exchange x = {1, bytes, link_us(row, bytes), link_pj(row, bytes)};
    if (!copy)
        x = link_exchange(row, (enum exchange_way)way, (enum exchange_kind)kind, asked->boards, bytes);
    *t = (struct heddle_transferred){x.steps, x.bytes, x.us, x.pj * 1e-12};
    return true;
}
