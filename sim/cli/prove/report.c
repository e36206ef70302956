#include "sim/cli/prove/report.h"

#include <string.h>

#include "sim/cli/board/board.h"
#include "sim/cli/record_json.h"

static json_t *json_assumed(const struct heddle_proof *p) {
    return p->assumed & HEDDLE_ASSUME_REASSOCIATION ? json_make("[s]", "reassociation") : json_make("[]");
}

static bool proof_field(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                        const void *record);

/* Makes a list of both kernels' dependences, null for a kernel without one. */
static json_t *json_depends(const struct heddle_proof *p) {
    json_t *all = json_list();
    for (u32 i = 0; i < COUNT_OF(p->depends); i++)
        json_add(all,
                 p->depends[i].how ? record_json("heddle_proof_depends", &p->depends[i], proof_field) : json_null());
    return all;
}

static json_t *json_verdict(const struct heddle_proof *p) {
    return json_text(p->name);
}

/* Fields of a proof in another form, or left out: the data are as large as the buffers, and a fault is an error. */
static const struct {
    const char *field;
    json_t *(*make)(const struct heddle_proof *p); /* NULL = left out */
} forms[] = {{"verdict", json_verdict},
             {"assumed", json_assumed},
             {"depends", json_depends},
             {"name", NULL},
             {"data", NULL},
             {"fault", NULL}};

static bool proof_field(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                        const void *record) {
    if (strcmp(f->name, "disassembly") == 0)
        record_json_put_source(to, of, record);
    if (strcmp(of->name, "heddle_proof") != 0)
        return false;
    for (u32 i = 0; i < COUNT_OF(forms); i++)
        if (strcmp(f->name, forms[i].field) == 0) {
            if (forms[i].make)
                record_json_put(to, f->name, forms[i].make(record));
            return true;
        }
    return false;
}

json_t *prove_report_proof(const struct heddle_proof *p) {
    return record_json("heddle_proof", p, proof_field);
}

bool prove_report(const char *const file[2], const struct heddle *h, json_t *proofs, struct buf *out) {
    json_t *all = json_make("{s:s,s:s,s:[o,o],s:o}", "format", "heddle-prove-2", "heddle", heddle_version(), "files",
                            json_text(file[0]), json_text(file[1]), "proofs", proofs);
    if (h) {
        json_put(all, "board", json_text(heddle_board_name(h)));
        json_put(all, "settings", board_changes_json(h));
    }
    bool ok = json_write(all, out);
    json_decref(all);
    return ok;
}
