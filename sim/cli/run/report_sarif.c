/* Findings as SARIF 2.1.0 (OASIS), which code hosting services and editors show beside the source. */
#include <string.h>

#include "sim/base/ascii.h"
#include "sim/cli/run/report.h"

#define SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* Makes "race/read-write". */
static json_t *rule_id(const char *kind, const char *name) {
    struct buf text = {0};
    buf_printf(&text, "%s/%s", kind, name);
    json_t *id = text.failed ? NULL : json_text(text.data);
    buf_free(&text);
    return id;
}

/* Returns a finding's level: what `all` means are errors; other findings need judgement. */
static const char *level_of(enum heddle_by by) {
    return by == HEDDLE_BY_ALL ? "error" : "warning";
}

/* Returns the index of its rule, and what finds it: launches have no findings of proofs. */
static u32 rule_index(const struct heddle_finding *f, enum heddle_by *by) {
    const char *kind, *name, *doc;
    u32 n = 0;
    for (u32 i = 0; heddle_check_class(i, &kind, &name, &doc, by); i++) {
        if (strcmp(kind, f->kind) == 0 && strcmp(name, f->class_) == 0)
            break;
        n += *by != HEDDLE_BY_PROOF;
    }
    return n;
}

static json_t *rules(void) {
    const char *kind, *name, *doc;
    enum heddle_by by;
    json_t *all = json_list();
    for (u32 i = 0; heddle_check_class(i, &kind, &name, &doc, &by); i++)
        if (by != HEDDLE_BY_PROOF)
            json_add(all, json_make("{s:o,s:{s:s},s:{s:s}}", "id", rule_id(kind, name), "shortDescription", "text", doc,
                                    "defaultConfiguration", "level", level_of(by)));
    return all;
}

/* ---- places ---- */

/* Makes a URI of a file name: relative as given, or an absolute path; other than plain characters as %XX. */
static json_t *uri_of(const char *file) {
    struct buf text = {0};
    buf_puts(&text, *file == '/' ? "file://" : "");
    for (const char *at = file; *at; at++) {
        if (is_alphanumeric(*at) || strchr("/._-~+@=,", *at))
            buf_putc(&text, *at);
        else
            buf_printf(&text, "%%%02X", (unsigned)(unsigned char)*at);
    }
    json_t *uri = text.failed ? NULL : json_text(text.data ? text.data : "");
    buf_free(&text);
    return uri;
}

static json_t *location(const struct heddle_finding_place *p, const char *file) {
    json_t *physical = json_make("{s:{s:o}}", "artifactLocation", "uri", uri_of(p->file ? p->file : file));
    if (p->line && p->source)
        json_put(physical, "region",
                 json_make("{s:I,s:{s:o}}", "startLine", (json_int_t)p->line, "snippet", "text", json_text(p->source)));
    else if (p->line)
        json_put(physical, "region", json_make("{s:I}", "startLine", (json_int_t)p->line));
    return json_make("{s:o}", "physicalLocation", physical);
}

/* Makes "read by block (0, 0, 0), warp 1, lane 3". */
static json_t *who(const struct heddle_finding_place *p) {
    struct buf text = {0};
    buf_printf(&text, "%s%sblock (%u, %u, %u), warp %u, lane %u", p->how ? p->how : "", p->how ? " by " : "",
               p->block[0], p->block[1], p->block[2], p->warp, p->lane);
    json_t *words = text.failed ? NULL : json_text(text.data);
    buf_free(&text);
    return json_make("{s:o}", "text", words);
}

static json_t *message(const struct heddle_finding *f) {
    struct buf text = {0};
    buf_puts(&text, f->doc);
    if (f->where)
        buf_printf(&text, ", %s", f->where);
    buf_printf(&text, ": %s", f->text);
    json_t *words = text.failed ? NULL : json_text(text.data);
    buf_free(&text);
    return json_make("{s:o}", "text", words);
}

/* ---- the log ---- */

/* Makes a result, without the count, which may differ from launch to launch. */
static json_t *result(const struct heddle_finding *f, const char *file) {
    json_t *at = location(&f->places[0], file), *related = json_list();
    enum heddle_by by = HEDDLE_BY_ALL;
    u32 rule = rule_index(f, &by);
    json_put(at, "message", who(&f->places[0]));
    for (u32 i = 1; i < f->nplaces; i++) {
        json_t *other = location(&f->places[i], file);
        json_put(other, "id", json_u64(i));
        json_put(other, "message", who(&f->places[i]));
        json_add(related, other);
    }
    return json_make("{s:o,s:I,s:s,s:o,s:[o],s:o}", "ruleId", rule_id(f->kind, f->class_), "ruleIndex",
                     (json_int_t)rule, "level", level_of(by), "message", message(f), "locations", at,
                     "relatedLocations", related);
}

/* Puts what allows the result, and whether it is new; both are of SARIF. */
static void put_allowance(json_t *to, const struct heddle_finding *f, const struct heddle_launch *asked) {
    const char *name = asked->suppressions_name;
    const size_t n = name ? strlen(name) : 0;
    const char *place = name && f->allowed && strncmp(f->allowed_by, name, n) == 0 ? f->allowed_by + n : "";
    bool external = *place == ':' && !place[strspn(place, ":0123456789")];
    if (f->allowed && !f->known)
        json_put(to, "suppressions",
                 json_make("[{s:s,s:o}]", "kind", external ? "external" : "inSource", "justification",
                           json_text(f->allowed)));
    if (asked->baseline)
        json_put(to, "baselineState", json_text(f->known ? "unchanged" : "new"));
}

static bool holds(const json_t *list, const json_t *v) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), v))
            return true;
    return false;
}

void check_sarif_add(json_t *results, const struct heddle_result *s, const char *file,
                     const struct heddle_launch *asked) {
    for (u32 i = 0; i < s->nfindings; i++) {
        json_t *one = result(&s->findings[i], file);
        put_allowance(one, &s->findings[i], asked);
        if (holds(results, one))
            json_decref(one);
        else
            json_add(results, one);
    }
}

json_t *check_sarif(json_t *results, const char *fault) {
    json_t *invocation = json_make("{s:b}", "executionSuccessful", fault == NULL);
    if (fault)
        json_put(invocation, "toolExecutionNotifications",
                 json_make("[{s:s,s:{s:o}}]", "level", "error", "message", "text", json_text(fault)));
    json_t *driver = json_make("{s:s,s:s,s:o}", "name", "heddle", "version", heddle_version(), "rules", rules());
    return json_make("{s:s,s:s,s:[{s:{s:o},s:[o],s:s,s:O}]}", "$schema", SCHEMA, "version", "2.1.0", "runs", "tool",
                     "driver", driver, "invocations", invocation, "columnKind", "unicodeCodePoints", "results",
                     results);
}
