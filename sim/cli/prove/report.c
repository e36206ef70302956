#include "sim/cli/prove/options.h"

#include <string.h>

#include "sim/cli/board/board.h"
#include "sim/cli/json.h"

static json_t *json_assumed(const struct heddle_proof *p) {
    return p->assumed & HEDDLE_ASSUME_REASSOCIATION ? json_make("[s]", "reassociation") : json_make("[]");
}

static bool proof_field(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                        const void *record) {
    if (strcmp(f->name, "disassembly") == 0)
        record_json_put_source(to, of, record);
    bool assumed = f->json && strcmp(f->name, "assumed") == 0;
    if (assumed)
        record_json_put(to, f->name, json_assumed(record));
    return assumed;
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
