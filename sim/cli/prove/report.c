#include "sim/cli/prove/report.h"

#include <stdio.h>

#include "sim/cli/board/board.h"

static json_t *json_depends(const struct heddle_proof_depends *d) {
    if (!d->how)
        return json_null();
    return json_make("{s:I,s:s*,s:s,s:s,s:s,s:s}", "line", (json_int_t)d->line, "file", d->file, "text", d->disassembly,
                     "source", d->text, "how", d->how, "what", d->what);
}

static json_t *json_side(const struct heddle_proof_side *s, bool refuted) {
    json_t *all = json_make("{s:s}", "value", s->value);
    char bits[24];
    snprintf(bits, sizeof bits, "0x%llx", (unsigned long long)s->bits);
    json_put(all, "bits", refuted ? json_text(bits) : json_null());
    if (s->written)
        json_put(all, "stored",
                 json_make("{s:I,s:s*,s:[I,I,I],s:I,s:I,s:s,s:s}", "line", (json_int_t)s->line, "file", s->file,
                           "block", (json_int_t)s->block[0], (json_int_t)s->block[1], (json_int_t)s->block[2], "warp",
                           (json_int_t)s->warp, "lane", (json_int_t)s->lane, "register", s->register_, "name",
                           s->name));
    else
        json_put(all, "stored", json_null());
    return all;
}

static json_t *json_difference(const struct heddle_proof *p) {
    const struct heddle_proof_difference *d = &p->difference;
    bool refuted = p->verdict == HEDDLE_DIFFERENT;
    if (!d->buffer)
        return json_null();
    return json_make("{s:s,s:I,s:I,s:o,s:o}", "buffer", d->buffer, "element", (json_int_t)d->element, "elements",
                     (json_int_t)d->elements, "a", json_side(&d->sides[0], refuted), "b",
                     json_side(&d->sides[1], refuted));
}

static json_t *json_elements(const struct heddle_proof *p) {
    json_t *all = json_list();
    for (u64 i = 0; i < p->nelements; i++) {
        const struct heddle_proof_element *e = &p->elements[i];
        json_t *one =
            json_make("{s:s,s:I,s:s}", "buffer", e->buffer, "element", (json_int_t)e->element, "kind", e->kind);
        if (e->from) {
            json_put(one, "from", json_text(e->from));
            json_put(one, "from_element", json_s64((s64)e->from_element));
        }
        json_add(all, one);
    }
    return all;
}

static json_t *json_solver(const struct heddle_proof_solver *s) {
    if (!s->name)
        return json_null();
    return json_make("{s:s,s:s,s:I}", "name", s->name, "answer", s->answer, "questions", (json_int_t)s->questions);
}

static json_t *json_place(const struct heddle_finding_place *p) {
    return json_make("{s:s*,s:I,s:s,s:s,s:[I,I,I],s:I,s:I}", "file", p->file, "line", (json_int_t)p->line, "text",
                     p->disassembly, "source", p->text, "block", (json_int_t)p->block[0], (json_int_t)p->block[1],
                     (json_int_t)p->block[2], "warp", (json_int_t)p->warp, "lane", (json_int_t)p->lane);
}

static json_t *json_findings(const struct heddle_proof_findings *f) {
    json_t *all = json_list();
    for (u32 i = 0; i < f->count; i++) {
        json_t *places = json_list();
        for (u32 k = 0; k < f->list[i].nplaces; k++)
            json_add(places, json_place(&f->list[i].places[k]));
        json_add(all, json_make("{s:s,s:s,s:s,s:o,s:o}", "kind", f->list[i].kind, "class", f->list[i].class_, "text",
                                f->list[i].text, "count", json_u64(f->list[i].count), "places", places));
    }
    return all;
}

static json_t *json_assumed(const struct heddle_proof *p) {
    return p->assumed & HEDDLE_ASSUME_REASSOCIATION ? json_make("[s]", "reassociation") : json_make("[]");
}

json_t *prove_report_proof(const struct heddle_proof *p) {
    return json_make("{s:I,s:s,s:s*,s:o,s:[s,s],s:I,s:I,s:{s:o,s:o},s:{s:o,s:o},s:{s:o,s:o},s:o,s:o,s:o,s:s}", "warp",
                     (json_int_t)p->warp, "verdict", p->name, "undecided", p->undecided, "assumed", json_assumed(p),
                     "kernels", p->kernels[0], p->kernels[1], "trials", (json_int_t)p->trials, "paths",
                     (json_int_t)p->paths, "depends", "a", json_depends(&p->depends[0]), "b",
                     json_depends(&p->depends[1]), "findings", "a", json_findings(&p->findings[0]), "b",
                     json_findings(&p->findings[1]), "forgotten", "a", json_u64(p->findings[0].forgotten), "b",
                     json_u64(p->findings[1].forgotten), "difference", json_difference(p), "solver",
                     json_solver(&p->solver), "elements", json_elements(p), "text", p->text);
}

bool prove_report(const char *const file[2], const struct heddle *h, json_t *proofs, struct buf *out) {
    json_t *all = json_make("{s:s,s:s,s:[o,o],s:o}", "format", "heddle-prove-1", "heddle", heddle_version(), "files",
                            json_text(file[0]), json_text(file[1]), "proofs", proofs);
    if (h) {
        json_put(all, "board", json_text(heddle_board_name(h)));
        json_put(all, "settings", board_changes_json(h));
    }
    bool ok = json_write(all, out);
    json_decref(all);
    return ok;
}
