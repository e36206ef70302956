#include "sim/board/board.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/base/meaning.h"

const char *const basis_names[BASIS_COUNT] = {[BASIS_NONE] = NULL,
                                              [BASIS_ASSUMED] = "assumed",
                                              [BASIS_FITTED] = "fitted",
                                              [BASIS_DERIVED] = "derived",
                                              [BASIS_MEASURED] = "measured"};

/* policy_options[], ... Values are stored as u32, whatever the choice. */
#define OPTIONS(choice) \
    _Static_assert(sizeof(enum choice) == sizeof(u32), "a choice is stored as u32"); \
    static const struct board_option choice##_options[] = {
#define OPTION(choice, id, name, doc) [choice##_##id] = {name, doc},
#define OPTIONS_END(choice) \
    } \
    ;
#include "sim/board/fields.def"

const struct board_section_row board_sections[BOARD_SECTIONS] = {
#define GROUP(section, doc) [SECTION_##section] = {#section, doc},
#define BEGIN(section, doc) [SECTION_##section] = {#section, doc},
#include "sim/board/fields.def"
};

/* The keys of the top section are written without "top.", its members stand in struct board itself. */
#define board_top board
enum {
    OFFSET_top = 0,
    SKIP_top = sizeof "top." - 1,
#define BEGIN(section, doc) OFFSET_##section = offsetof(struct board, section), SKIP_##section = 0,
#include "sim/board/fields.def"
};
#define KEY(section, key) &(#section "." #key)[SKIP_##section]
#define OFFSET(section, key) OFFSET_##section + offsetof(struct board_##section, key)
#define ELEMENT(array, index) offsetof(struct board, array) + (index) * sizeof((struct board *)0)->array[0]

_Static_assert((int)BOARD_MAX_top_warp_width == WARP_MAX && (int)BOARD_MAX_top_max_registers_per_thread == REG_COUNT,
               "boards are as large as the instruction set allows");

enum { ENERGY_MOST = 1000000, LANES_MOST = 64, LATENCY_MOST = 10000, PASSES_MOST = 64, DERIVED_MOST = 1000000000 };

/* Classes whose latency is 0 in the table take their time elsewhere: no other value is accepted. */
const struct board_field_row board_fields[BOARD_KEYS] = {
#define FIELD(section_, key_, kind_, def_, min_, max_, unit_, doc_) \
    [BOARD_##section_##_##key_] = {.key = KEY(section_, key_), \
                                   .unit = unit_, \
                                   .doc = doc_, \
                                   .def = def_, \
                                   .min = min_, \
                                   .max = max_, \
                                   .offset = OFFSET(section_, key_), \
                                   .kind = KIND_##kind_, \
                                   .section = SECTION_##section_},
#define CHOICE(section_, key_, choice_, def_, doc_) \
    [BOARD_##section_##_##key_] = {.key = KEY(section_, key_), \
                                   .unit = "", \
                                   .doc = doc_, \
                                   .option = choice_##_options, \
                                   .def = choice_##_##def_, \
                                   .max = COUNT_OF(choice_##_options) - 1, \
                                   .offset = OFFSET(section_, key_), \
                                   .kind = KIND_CHOICE, \
                                   .section = SECTION_##section_},
#define ENERGY(id, pj, low_, high_, doc_) \
    [BOARD_energy_##id] = {.key = "energy." #id, \
                           .unit = "pJ", \
                           .doc = doc_, \
                           .def = pj, \
                           .low = low_, \
                           .high = high_, \
                           .max = ENERGY_MOST, \
                           .offset = ELEMENT(energy, ENERGY_##id), \
                           .kind = KIND_ENERGY, \
                           .section = SECTION_energy, \
                           .event = ENERGY_##id},
#define DERIVED(section_, key_, scaled_, along_, doc_) \
    [BOARD_##section_##_##key_] = {.key = KEY(section_, key_), \
                                   .unit = "GB/s", \
                                   .doc = doc_, \
                                   .max = DERIVED_MOST, \
                                   .kind = KIND_DERIVED, \
                                   .section = SECTION_##section_, \
                                   .peak = #section_ "_" #key_, \
                                   .scaled = {BOARD_##scaled_, BOARD_##along_}},
#define LANES(unit, lanes) [BOARD_lanes_##unit].def = lanes,
#define TIMING(class, latency, times) \
    [BOARD_latency_##class].def = latency, [BOARD_latency_##class].min = (latency) != 0, \
    [BOARD_latency_##class].max = (latency) ? LATENCY_MOST : 0, [BOARD_passes_##class].def = times,
#include "sim/board/fields.def"
/* Names and meaning of units and classes are the instruction set's. */
#define UNIT(id, name, doc_) \
    [BOARD_lanes_##id].key = "lanes." name, [BOARD_lanes_##id].unit = "lanes", \
    [BOARD_lanes_##id].doc = doc_, /* A machine may be without matrix units, and have packed fp16 in its FMA unit. */ \
        [BOARD_lanes_##id].min = UNIT_##id != UNIT_MMA && UNIT_##id != UNIT_FP16, [BOARD_lanes_##id].max = LANES_MOST, \
    [BOARD_lanes_##id].offset = ELEMENT(lanes, UNIT_##id), [BOARD_lanes_##id].section = SECTION_lanes,
#define CLASS(id, name, unit_, memory, lanes, doc_) \
    [BOARD_latency_##id].key = "latency." name, [BOARD_latency_##id].unit = "cycles", [BOARD_latency_##id].doc = doc_, \
    [BOARD_latency_##id].offset = ELEMENT(latency, CLASS_##id), [BOARD_latency_##id].section = SECTION_latency, \
    [BOARD_passes_##id].key = "passes." name, [BOARD_passes_##id].unit = "passes", [BOARD_passes_##id].doc = doc_, \
    [BOARD_passes_##id].min = 1, [BOARD_passes_##id].max = PASSES_MOST, \
    [BOARD_passes_##id].offset = ELEMENT(passes, CLASS_##id), [BOARD_passes_##id].section = SECTION_passes,
#include "isa/classes.def"
};
#undef board_top

/* ---- values ---- */

static bool is_real(const struct board_field_row *row) {
    return row->kind == KIND_REAL || row->kind == KIND_ENERGY || row->kind == KIND_DERIVED;
}

bool board_field_fixed(u32 key) {
    return board_fields[key].min == board_fields[key].max;
}

double board_value(const struct board *b, u32 key) {
    const struct board_field_row *row = &board_fields[key];
    const char *at = (const char *)b + row->offset;
    double real;
    u32 whole;
    if (row->kind == KIND_DERIVED)
        return board_peak(b, row->peak);
    if (is_real(row)) {
        memcpy(&real, at, sizeof real);
        return real;
    }
    memcpy(&whole, at, sizeof whole);
    return whole;
}

void board_store(struct board *b, enum board_field field, double value) {
    char *at = (char *)b + board_fields[field].offset;
    u32 whole = (u32)value;
    if (is_real(&board_fields[field]))
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &whole, sizeof whole);
    b->range[field].given = false;
}

struct board_range board_range(const struct board *b, enum board_field field) {
    double value = board_value(b, field);
    return b->range[field].given ? b->range[field] : (struct board_range){value, value, false};
}

/* A number with what is known of it. */
struct known {
    double value;
    enum basis basis;
    struct board_range range;
};

static void store(struct board *b, enum board_field field, const struct known *known, const char *origin) {
    board_store(b, field, known->value);
    b->basis[field] = (u8)known->basis;
    b->range[field] = known->range;
    snprintf(b->origin[field], sizeof b->origin[field], "%s", origin);
}

void board_default(struct board *b) {
    *b = (struct board){.name = "default"};
    for (u32 f = 0; f < BOARD_FIELDS; f++) {
        const struct board_field_row *row = &board_fields[f];
        struct known known = {.value = row->def};
        if (row->kind == KIND_ENERGY)
            known = (struct known){row->def, BASIS_ASSUMED, {row->low, row->high, true}};
        store(b, (enum board_field)f, &known, "default");
    }
}

/* ---- keys ---- */

static const char *key_at(const void *ctx, size_t i) {
    (void)ctx;
    static const char *const others[] = {"dram.device", "name", "base"};
    return i < BOARD_KEYS ? board_fields[i].key : others[i - BOARD_KEYS];
}

u32 board_key_find(const char *key, u32 from, struct span at, struct diag *diag) {
    for (u32 i = 0, k = from < BOARD_KEYS ? from : 0; i < BOARD_KEYS; i++, k = k + 1 < BOARD_KEYS ? k + 1 : 0)
        if (strcmp(board_fields[k].key, key) == 0)
            return k;
    const struct meaning near = meaning_of(key, BOARD_KEYS + 3, key_at, NULL);
    if (strcmp(key, "name") == 0 || strcmp(key, "base") == 0)
        diag_error(diag, at, "'%s' can only be set in a file", key);
    else
        diag_error(diag, at, "unknown key '%.40s'%s", key,
                   *near.text ? near.text : "; `heddle board --keys` lists them");
    return BOARD_KEYS;
}

/* ---- text to value: each false after an error ---- */

static bool fits(const struct board_field_row *row, double value, struct span at, struct diag *diag) {
    bool power2 = row->kind != KIND_POWER2 || ((u64)value & ((u64)value - 1)) == 0;
    if (value >= row->min && value <= row->max && power2)
        return true;
    const struct decimal given = decimal_write(value), min = decimal_write(row->min), max = decimal_write(row->max);
    if (row->min == row->max)
        diag_error(diag, at, "%s is %s; it is always %s: other sections set their timing", row->key, given.text,
                   min.text);
    else if (value < row->min || value > row->max)
        diag_error(diag, at, "%s is %s; it must be %s to %s%s%s", row->key, given.text, min.text, max.text,
                   *row->unit ? " " : "", row->unit);
    else
        diag_error(diag, at, "%s is %s; it must be a power of two from %s to %s", row->key, given.text, min.text,
                   max.text);
    return false;
}

/* A number with a suffix of the field's unit, "12MiB" or "1.4 GHz". */
static bool read_suffixed(const struct board_field_row *row, const char *text, double *value) {
    size_t digits = strspn(text, "0123456789.");
    const char *suffix = text + digits + strspn(text + digits, " ");
    char number[DECIMAL_TEXT];
    if (!digits || digits >= sizeof number)
        return false;
    memcpy(number, text, digits);
    number[digits] = 0;
    /* Rounded to a decimal: 1.4 x 1000 may be no whole number. */
    double factor;
    return decimal_unit(row->unit, suffix, &factor) && decimal_read(number, value) &&
           decimal_read(decimal_write(*value * factor).text, value) && (is_real(row) || *value == (double)(u64)*value);
}

/* "MiB" of bytes: an example for messages; "" where no suffix helps. */
static const char *example(const struct board_field_row *row) {
    return strcmp(row->unit, "bytes") == 0  ? " such as 12582912 or 12MiB"
           : strcmp(row->unit, "MHz") == 0  ? " such as 1410 or 1.41GHz"
           : strcmp(row->unit, "GB/s") == 0 ? " such as 900 or 0.9TB/s"
                                            : "";
}

static bool read_number(const struct board_field_row *row, const char *text, double *value, struct span at,
                        struct diag *diag) {
    if ((is_real(row) ? decimal_read : decimal_read_whole)(text, value) || read_suffixed(row, text, value))
        return fits(row, *value, at, diag);
    if (row->kind == KIND_DERIVED)
        diag_error(diag, at, "%s must be a number of %s%s, not '%.40s'", row->key, row->unit, example(row), text);
    else
        diag_error(diag, at, "%s must be a %s%s (%s%s%s to %s), not '%.40s'", row->key,
                   is_real(row) ? "number" : "whole number", example(row), row->unit, *row->unit ? ", " : "",
                   decimal_write(row->min).text, decimal_write(row->max).text, text);
    return false;
}

/* "; did you mean 'x'?", or "" */
struct suggestion {
    char text[80];
};

static struct suggestion suggest(const char *near) {
    struct suggestion h = {""};
    if (near)
        snprintf(h.text, sizeof h.text, "; did you mean '%s'?", near);
    return h;
}

static const char *option_at(const void *ctx, size_t i) {
    const struct board_field_row *row = ctx;
    return row->option[i].name;
}

static bool read_choice(const struct board_field_row *row, const char *text, double *value, struct span at,
                        struct diag *diag) {
    u32 options = (u32)row->max + 1;
    char list[100] = "";
    for (u32 i = 0; i < options; i++) {
        const char *name = row->option[i].name;
        size_t len = strlen(list);
        *value = i;
        if (strcmp(name, text) == 0)
            return true;
        snprintf(list + len, sizeof list - len, "%s%s", len ? ", " : "", name);
    }
    diag_error(diag, at, "%s is one of %s, not '%.40s'%s", row->key, list, text,
               suggest(nearest_name(text, options, option_at, row)).text);
    return false;
}

static const char *basis_at(const void *ctx, size_t i) {
    (void)ctx;
    return basis_names[i + 1];
}

static u32 find_basis(const char *word, size_t len) {
    u32 basis = BASIS_ASSUMED;
    while (basis < BASIS_COUNT && (strncmp(basis_names[basis], word, len) != 0 || basis_names[basis][len]))
        basis++;
    return basis;
}

/* Length of the next word. */
static size_t word_length(const char *text) {
    return strcspn(text, " \t");
}

/* Beginning of the next word. */
static const char *word_after(const char *text) {
    text += word_length(text);
    return text + strspn(text, " \t");
}

/* The place of `rest`, a part of the value at `at`; that of the whole value where the file has it in quotes. */
static struct span place_of(struct span at, const char *text, const char *rest, size_t len) {
    if (at.len == strlen(text) && len) {
        at.col += (u32)(rest - text);
        at.len = (u32)len;
    }
    return at;
}

/* Length of the number that a value begins with, a unit after a blank included. */
static size_t number_length(const struct board_field_row *row, const char *text) {
    const char *rest = word_after(text);
    size_t end = word_length(text), len = word_length(rest);
    char unit[8];
    double factor;
    snprintf(unit, sizeof unit, "%.*s", (int)(len < sizeof unit ? len : 0), rest);
    if (*unit && decimal_unit(row->unit, unit, &factor)) {
        end = (size_t)(rest - text) + len;
        rest = word_after(rest);
        len = word_length(rest);
    }
    return row->kind == KIND_ENERGY || find_basis(rest, len) < BASIS_COUNT || strstr(rest, "..") ? end : strlen(text);
}

/* Reads the basis, the word after a number. */
static bool read_basis(const struct board_field_row *row, const char *word, enum basis *basis, struct span at,
                       struct diag *diag) {
    char name[48];
    size_t len = word_length(word);
    snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), word);
    *basis = (enum basis)find_basis(word, len);
    if (*basis == BASIS_COUNT)
        diag_error(diag, at, "%s: a number is measured, derived, fitted or assumed, not '%.40s'%s", row->key, name,
                   suggest(nearest_name(name, BASIS_COUNT - 1, basis_at, NULL)).text);
    return *basis < BASIS_COUNT;
}

/* Reads "28..84", what a value ends with. */
static bool read_range(const struct board_field_row *row, const char *text, struct known *known, struct span at,
                       struct diag *diag) {
    bool (*read)(const char *, double *) = is_real(row) ? decimal_read : decimal_read_whole;
    struct board_range *range = &known->range;
    const char *dots = strstr(text, "..");
    char low[DECIMAL_TEXT] = "";
    if (dots && dots - text < DECIMAL_TEXT)
        snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    if (!read(low, &range->low) || !read(dots + 2, &range->high)) {
        diag_error(diag, at, "%s: a range is LOW..HIGH, such as 28..84%s%s, not '%.40s'", row->key,
                   *row->unit ? " in " : "", row->unit, text);
        return false;
    }
    if (!fits(row, range->low, at, diag) || !fits(row, range->high, at, diag))
        return false;
    range->given = range->low <= known->value && known->value <= range->high;
    if (range->low > range->high)
        diag_error(diag, at, "%s: the range begins above its end; did you mean %s..%s?", row->key, dots + 2, low);
    else if (!range->given)
        diag_error(diag, at, "%s is %s, which is outside of its range, %s", row->key, decimal_write(known->value).text,
                   text);
    return range->given;
}

/* Reads a number, its basis and its range; an energy without a basis is assumed, any number with a range as well. */
static bool read_known(const struct board_field_row *row, const char *text, struct known *known, struct span at,
                       struct diag *diag) {
    size_t len = number_length(row, text);
    const char *rest = text + len + strspn(text + len, " \t");
    char number[48] = "";
    bool fitting = len < sizeof number;
    memcpy(number, text, fitting ? len : 0);
    known->basis = *rest || row->kind == KIND_ENERGY ? BASIS_ASSUMED : BASIS_NONE;
    bool ok =
        read_number(row, fitting ? number : text, &known->value, *rest ? place_of(at, text, text, len) : at, diag);
    if (ok && (*rest < '0' || *rest > '9') && *rest && *rest != '.') {
        ok = read_basis(row, rest, &known->basis, place_of(at, text, rest, word_length(rest)), diag);
        rest = word_after(rest);
    }
    return ok && (!*rest || read_range(row, rest, known, place_of(at, text, rest, strlen(rest)), diag));
}

bool board_put(struct board_given *g, u32 key, const char *text, const char *origin, struct span at) {
    const struct board_field_row *row = &board_fields[key];
    struct known known = {.basis = BASIS_NONE};
    bool ok = row->kind == KIND_CHOICE    ? read_choice(row, text, &known.value, at, g->diag)
              : row->kind == KIND_DERIVED ? read_number(row, text, &known.value, at, g->diag)
                                          : read_known(row, text, &known, at, g->diag);
    if (!ok)
        return false;
    g->at[key] = at;
    g->next = key + 1;
    if (row->kind == KIND_DERIVED) {
        g->asked[key - BOARD_FIELDS] = known.value;
        snprintf(g->origin[key - BOARD_FIELDS], sizeof g->origin[0], "%s", origin);
        return true;
    }
    store(g->board, (enum board_field)key, &known, origin);
    return true;
}

bool board_put_name(struct board *b, const char *text, struct span at, struct diag *diag) {
    bool ok = *text != 0;
    for (const char *p = text; *p; p++)
        ok &= *p >= ' ' && *p <= '~';
    if (!ok || strlen(text) >= sizeof b->name) {
        diag_error(diag, at, "a name has 1 to %zu characters, of ASCII", sizeof b->name - 1);
        return false;
    }
    snprintf(b->name, sizeof b->name, "%s", text);
    return true;
}

/* A value as text. */
struct product {
    char text[4 * DECIMAL_TEXT];
};

/*
 * Replaces "0.5x" by the text of half of the board's value, and of its range. For a peak it stays a factor, because the
 * value that it scales is known at the end.
 */
static const char *multiplied(struct board_given *g, u32 key, const char *text, struct product *product) {
    size_t len = strlen(text);
    double factor;
    char number[DECIMAL_TEXT];
    if (!len || len > sizeof number || text[len - 1] != 'x' || board_fields[key].kind == KIND_CHOICE)
        return text;
    snprintf(number, sizeof number, "%.*s", (int)(len - 1), text);
    if (!decimal_read(number, &factor))
        return text;
    if (key >= BOARD_FIELDS) {
        g->multiple[key - BOARD_FIELDS] = true;
        return memcpy(product->text, number, len);
    }
    struct board_range range = board_range(g->board, (enum board_field)key);
    snprintf(product->text, sizeof product->text, "%s", decimal_write(factor * board_value(g->board, key)).text);
    if (range.given) {
        size_t end = strlen(product->text);
        snprintf(product->text + end, sizeof product->text - end, " assumed %s..%s",
                 decimal_write(factor * range.low).text, decimal_write(factor * range.high).text);
    }
    return product->text;
}

/* `line`: the number of the assignment, from 1. */
static bool assign(struct board_given *g, const char *assignment, u32 line) {
    const char *equals = strchr(assignment, '=');
    struct span at = {line, 1, equals && equals > assignment ? (u32)(equals - assignment) : (u32)strlen(assignment)};
    char name[64];
    if (!equals || equals == assignment || at.len >= sizeof name) {
        diag_error(g->diag, at, "'%.60s' is not KEY=VALUE", assignment);
        return false;
    }
    snprintf(name, sizeof name, "%.*s", (int)at.len, assignment);
    if (strcmp(name, "dram.device") == 0) {
        at.col = at.len + 2;
        at.len = equals[1] ? (u32)strlen(equals + 1) : 1;
        return board_put_device(g, NULL, equals + 1, "--set", at);
    }
    u32 key = board_key_find(name, g->next, at, g->diag);
    struct product product;
    if (key >= BOARD_FIELDS && key < BOARD_KEYS)
        g->multiple[key - BOARD_FIELDS] = false;
    at.col = at.len + 2;
    at.len = equals[1] ? (u32)strlen(equals + 1) : 1;
    return key != BOARD_KEYS && board_put(g, key, multiplied(g, key, equals + 1, &product), "--set", at);
}

bool board_set_all(struct board *b, const char *const *assignments, u32 count, u32 *wrong, struct diag *diag) {
    struct diag own = {.file = NULL};
    struct board_given g = {.board = b, .diag = &own};
    bool ok = true;
    for (u32 i = 0; i < count && ok; i++)
        ok = assign(&g, assignments[i], i + 1);
    ok = ok && board_end(&g);
    if (ok)
        return true;
    struct span at = own.message[0].at;
    *wrong = at.line - 1;
    at.line = 0;
    diag_error(diag, at, "%s", own.message[0].text);
    return false;
}

bool board_set(struct board *b, const char *assignment, struct diag *diag) {
    u32 wrong;
    return board_set_all(b, &assignment, 1, &wrong, diag);
}
