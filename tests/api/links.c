/* Do closed forms of transfers between boards give the time of a walk through their steps? */
#include "sim/api/heddle.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { BOARDS = 8 };

static struct heddle_link_info find_link(const char *name) {
    struct heddle_link_info link;
    for (uint32_t i = 0; heddle_link_info(i, &link); i++)
        if (strcmp(link.name, name) == 0)
            return link;
    cr_assert_fail("no link %s", name);
    return link;
}

/*
 * Microseconds of a ring, walked: in each step a board sends the part that it received in the step before, when that
 * has arrived and its own port is free.
 */
static double walk_ring(const struct heddle_link_info *link, uint32_t boards, double part, uint32_t steps) {
    double free[BOARDS] = {0}, has[BOARDS] = {0}, next[BOARDS];
    for (uint32_t s = 0; s < steps; s++) {
        for (uint32_t b = 0; b < boards; b++) {
            double start = fmax(free[b], has[b]);
            free[b] = start + part / link->data_gbs / 1e3;
            next[(b + 1) % boards] = free[b] + link->latency_us;
        }
        memcpy(has, next, sizeof has);
        memcpy(free, next, sizeof free); /* a step begins when all have ended the one before */
    }
    return has[0];
}

Test(links, a_copy_takes_its_latency_and_its_bytes) {
    struct heddle *h = heddle_new();
    struct heddle_link_info link;
    for (uint32_t i = 0; heddle_link_info(i, &link); i++) {
        struct heddle_transferred t;
        const struct heddle_transfer copy = {.link = link.name, .bytes = 1u << 30};
        cr_assert(heddle_transfer(h, &copy, &t));
        cr_expect(link.data_gbs < link.gbs && link.data_gbs > 0.9 * link.gbs, "%s", link.name);
        cr_expect_float_eq(t.us, link.latency_us + (double)copy.bytes / link.data_gbs / 1e3, 1e-6 * t.us);
        cr_expect_float_eq(t.joules, 8e-12 * (double)copy.bytes * link.gbs / link.data_gbs * link.pj_bit, 1e-12);
        cr_expect(*link.source && *link.doc && link.latency_us > 0);
    }
    heddle_free(h);
}

Test(links, exchanges_are_walks) {
    struct heddle *h = heddle_new();
    const struct heddle_link_info link = find_link("nvlink3");
    const double bytes = 1 << 26;
    static const struct {
        const char *kind;
        uint32_t rounds;
    } kinds[] = {{"all_gather", 1}, {"reduce_scatter", 1}, {"all_reduce", 2}};
    for (uint32_t n = 1; n <= BOARDS; n++)
        for (uint32_t k = 0; k < 3; k++) {
            struct heddle_transfer asked = {.link = link.name, .kind = kinds[k].kind, .boards = n, .bytes = 1 << 26};
            struct heddle_transferred ring, direct;
            cr_assert(heddle_transfer(h, &asked, &ring));
            cr_expect_eq(ring.steps, kinds[k].rounds * (n - 1));
            cr_expect_float_eq(ring.us, walk_ring(&link, n, bytes / n, ring.steps), 1e-6, "%u boards", n);
            asked.way = "direct";
            cr_assert(heddle_transfer(h, &asked, &direct));
            cr_expect_eq(direct.steps, n == 1 ? 0 : kinds[k].rounds);
            cr_expect_float_eq(direct.us, direct.steps * (link.latency_us + (n - 1) * bytes / n / link.data_gbs / 1e3),
                               1e-6);
            cr_expect_float_eq(direct.joules, ring.joules, 1e-12, "the same bytes take another way");
        }
    heddle_free(h);
}

Test(links, what_is_wrong_is_named) {
    struct heddle *h = heddle_new();
    struct heddle_transferred t;
    static const struct {
        struct heddle_transfer asked;
        const char *part;
    } cases[] = {{{.link = "pcie9"}, "did you mean 'pcie"},
                 {{.link = "pcie4", .kind = "all_gahter", .boards = 2}, "did you mean 'all_gather'"},
                 {{.link = "pcie4", .kind = "all_gather", .way = "star", .boards = 2}, "no way 'star'"},
                 {{.link = "pcie4", .kind = "all_gather"}, "boards is 0"},
                 {{.kind = "copy"}, "no link ''"}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_not(heddle_transfer(h, &cases[i].asked, &t));
        cr_expect(strstr(heddle_error(h), cases[i].part), "%s", heddle_error(h));
    }
    heddle_free(h);
}
