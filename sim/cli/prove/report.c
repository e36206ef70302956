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

/* Writes the verdict by its name; leaves out the data, which are as large as the buffers, and the fault, an error. */
static bool proof_field(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                        const void *record) {
    static const char *const forms[] = {"verdict", "assumed", "depends", "name", "data", "fault"};
    const struct heddle_proof *p = record;
    u32 i = 0;
    if (strcmp(f->name, "disassembly") == 0)
        record_json_put_source(to, of, record);
    if (strcmp(of->name, "heddle_proof") != 0)
        return false;
    while (i < COUNT_OF(forms) && strcmp(f->name, forms[i]) != 0)
        i++;
    if (i < 3)
        record_json_put(to, f->name, i == 0 ? json_text(p->name) : i == 1 ? json_assumed(p) : json_depends(p));
    return i < COUNT_OF(forms);
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
