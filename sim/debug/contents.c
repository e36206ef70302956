/* Contents of memory at the cursor: shared memory as words in banks, and elements of a buffer or a variable. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/ascii.h"
#include "sim/debug/values.h"

enum { WORDS = 8, LINES = 16, ELEMENTS_MOST = 1024 };

/* ---- the request ---- */

/* An array of elements: a buffer, or a variable in shared memory. */
struct array {
    char name[64];
    const char *type;
    u64 address, count;
    u32 size; /* bytes of an element */
    bool shared;
};

/* Finds the kernel that was launched. */
static u32 kernel_of(const struct debug *d, struct heddle_kernel_info *k) {
    u32 i = 0;
    while (heddle_kernel_info(d->program, i, k) && strcmp(k->name, d->kernel) != 0)
        i++;
    k->shared_bytes += (u32)d->shared;
    return i;
}

static u32 size_of(const char *type) {
    u32 bits = type[0] == 'b' && type[1] == 'o' ? 8 : (u32)strtoul(type + strcspn(type, "0123456789"), NULL, 10);
    return bits / 8;
}

static bool find_variable(const struct debug *d, const char *name, struct array *a) {
    struct heddle_kernel_info k;
    struct heddle_variable_info v;
    u32 kernel = kernel_of(d, &k);
    for (u32 i = 0; heddle_variable_info(d->program, kernel, i, &v); i++) {
        if (strcmp(v.space, "shared") != 0 || strcmp(v.name, name) != 0)
            continue;
        *a = (struct array){.type = v.type, .address = v.offset, .count = 1, .size = size_of(v.type), .shared = true};
        for (u32 dim = 0; dim < v.ndim; dim++)
            a->count *= v.shape[dim] ? v.shape[dim] : d->shared / a->size;
        return true;
    }
    return false;
}

static bool is_parameter(const struct debug *d, const char *name) {
    struct heddle_kernel_info k;
    struct heddle_param_info p = {.name = ""};
    u32 kernel = kernel_of(d, &k);
    for (u32 i = 0; strcmp(p.name, name) != 0; i++)
        if (!heddle_param_info(d->program, kernel, i, &p))
            return false;
    return true;
}

static bool find_array(struct debug *d, const char *name, struct array *a) {
    struct heddle_tensor t;
    if (!find_variable(d, name, a)) {
        if (!heddle_buffer_look(d->h, name, &t) || !t.count)
            return is_parameter(d, name)
                       ? debug_refuse(d, "'%s' is a parameter; `registers` shows the register it is loaded into", name)
                       : debug_refuse(d, "there is neither a buffer '%s' nor a shared variable of that name", name);
        *a = (struct array){.type = t.type, .address = t.address, .count = t.count, .size = (u32)(t.bytes / t.count)};
    }
    snprintf(a->name, sizeof a->name, "%s", name);
    return true;
}

/* Reads NAME, NAME[ELEMENT] or NAME[FIRST..LAST]; without brackets all elements, up to a limit. */
static bool read_range(struct debug *d, const char *word, struct array *a, u64 *first, u64 *last) {
    char name[64], *end;
    snprintf(name, sizeof name, "%s", word);
    char *open = strchr(name, '[');
    if (open)
        *open++ = '\0';
    if (!find_array(d, name, a))
        return false;
    *first = 0;
    *last = a->count < WORDS * LINES ? a->count - 1 : WORDS * LINES - 1;
    if (!open)
        return true;
    bool digits = is_digit(*open);
    *first = *last = strtoull(open, &end, 10);
    if (strncmp(end, "..", 2) == 0 && is_digit(end[2]))
        *last = strtoull(end + 2, &end, 10);
    if (!digits || strcmp(end, "]") != 0 || *first > *last)
        return debug_refuse(d, "expected NAME[ELEMENT] or NAME[FIRST..LAST], as y[3] or y[0..7], not '%s'", word);
    if (*last >= a->count)
        return debug_refuse(d, "'%s' has %s element%s", name, grouped(a->count).text, a->count == 1 ? "" : "s");
    if (*last - *first >= ELEMENTS_MOST)
        return debug_refuse(d, "at most %u elements are printed", ELEMENTS_MOST);
    return true;
}

/* ---- elements ---- */

/* Fills in a buffer's bytes, from before the launch up to their first store, and from after it since their last. */
static void fill_buffer(struct debug *d, const struct array *a, struct memory_view *view) {
    struct memory_cell *c = (struct memory_cell *)(void *)view->cells.data;
    struct heddle_tensor t;
    if (a->shared || !heddle_buffer_look(d->h, a->name, &t))
        return;
    const u8 *before = d->from_start ? heddle_buffer_before(d->h, a->name) : NULL, *after = d->whole ? t.data : NULL;
    u64 count = view->cells.len / sizeof *c, first = view->from - t.address;
    for (u64 i = 0; i < count; i++) {
        const u8 *from = c[i].next == UINT64_MAX && after ? after : c[i].since == 0 && !c[i].known ? before : NULL;
        if (!from)
            continue;
        c[i].value = from[first + i];
        c[i].known = true;
    }
}

/* True if an element's last write is in flight: one of its bytes has been stored, and is not in memory yet. */
static bool is_late(const struct memory_view *view, u64 address, u32 size) {
    bool late = false;
    for (u32 k = 0; k < size; k++)
        late |= memory_at(view, address + k)->late;
    return late;
}

/* Collects the bytes of an element; false if one is unknown. `untouched`: none has been written. */
static bool gather(const struct memory_view *view, u64 address, u32 size, u8 *bytes, bool *untouched) {
    bool known = true;
    *untouched = true;
    for (u32 k = 0; k < size; k++) {
        const struct memory_cell *c = memory_at(view, address + k);
        bytes[k] = c->value;
        known &= c->known;
        *untouched &= c->since == 0;
    }
    return known;
}

/* How elements are printed: `form` NULL = by their type. */
struct grid {
    const enum form *form;
    u32 columns;                       /* elements of a line */
    bool marks;                        /* each has room for two signs: of what touches it, and of what is late */
    const struct heddle_event *access; /* what touches elements; NULL = nothing */
    bool none, unknown, late;          /* the signs that were put */
};

/* Puts a sign before the text that begins at `start`, in place of its last space. */
static void mark(struct debug *d, size_t start, char sign) {
    size_t i = start;
    while (i + 1 < d->out.len && d->out.data[i + 1] == ' ')
        i++;
    if (i < d->out.len)
        d->out.data[i] = sign;
}

static void put_element(struct debug *d, const struct array *a, const u8 *bytes, const enum form *form) {
    if (form)
        values_put(&d->out, ' ', (u32)bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16 | (u32)bytes[3] << 24, *form);
    else
        values_put_element(&d->out, a->type, bytes, a->size);
}

static void put_cell(struct debug *d, const struct array *a, const struct memory_view *view, u64 at, struct grid *g) {
    u8 bytes[16];
    bool untouched, known = gather(view, at, a->size, bytes, &untouched), never = a->shared && untouched;
    bool late = g->marks && is_late(view, at, a->size);
    size_t start = d->out.len;
    buf_puts(&d->out, g->marks ? " " : "");
    if (known && !never)
        put_element(d, a, bytes, g->form);
    else
        buf_printf(&d->out, " %11s", never ? "." : "?");
    if (late)
        mark(d, start, '~');
    if (g->access && debug_touches(g->access, at, at + a->size))
        mark(d, start, '*');
    g->none |= never;
    g->unknown |= !known && !never;
    g->late |= late;
}

static void put_elements(struct debug *d, const struct array *a, const struct memory_view *view, u64 first,
                         struct grid *g) {
    char label[96];
    u64 last = first + view->cells.len / sizeof(struct memory_cell) / a->size - 1;
    for (u64 i = first; i <= last; i++) {
        if ((i - first) % g->columns == 0) {
            snprintf(label, sizeof label, "%s[%" PRIu64 "]", a->name, i);
            buf_printf(&d->out, "%s%-14s", i == first ? "" : "\n", label);
        }
        put_cell(d, a, view, a->address + i * a->size, g);
    }
    buf_puts(&d->out, g->none ? "\n.: nothing has been stored there" : "");
    buf_puts(&d->out, g->unknown ? "\n?: the recording does not say" : "");
    buf_puts(&d->out, g->late ? "\n~: stored, and not in memory yet" : "");
    buf_putc(&d->out, '\n');
}

/* True if a word, up to its bracket, names a register and nothing in memory. */
static bool is_register(struct debug *d, const char *word) {
    char bare[64], name[8];
    struct heddle_state s;
    struct heddle_tensor t;
    struct array a;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "["), word);
    return !find_variable(d, bare, &a) && !heddle_buffer_look(d->h, bare, &t) && debug_state(d, &s) &&
           debug_register(d, s.pc, bare, name);
}

static bool refuse_form(struct debug *d, const struct array *a) {
    return debug_refuse(d, "`as` shows elements of 32 bits, and those of '%s' have %u", a->name, a->size * 8);
}

bool debug_print(struct debug *d, struct words *w) {
    char word[96];
    struct array a;
    struct memory_view view;
    struct words before = *w;
    enum form form = FORM_HEX;
    u64 first, last;
    if (!*words_next(w, word, sizeof word) || is_register(d, word)) {
        *w = before;
        return debug_registers(d, w);
    }
    if (!read_range(d, word, &a, &first, &last) || !values_form(d, w, &form))
        return false;
    if (w->end && a.size != 4)
        return refuse_form(d, &a);
    u64 from = a.address + first * a.size;
    bool room = memory_look(d, a.shared ? "shared" : "global", from, (last - first + 1) * a.size, &view);
    if (room) {
        fill_buffer(d, &a, &view);
        put_elements(d, &a, &view, first, &(struct grid){.form = w->end ? &form : NULL, .columns = WORDS});
    }
    buf_free(&view.cells);
    return room || debug_refuse(d, "out of memory");
}

/* ---- shared memory as a whole ---- */

static bool is_shared(const struct heddle_event *e) {
    return strcmp(heddle_event_word(e->kind, 1, e->value[1]), "shared") == 0;
}

/* Finds the warp's last access before the cursor. */
static bool last_access(struct debug *d, struct heddle_event *e) {
    u64 i = d->at;
    do
        i = heddle_event_previous(d->h, d->block, d->warp, i);
    while (i != UINT64_MAX && debug_event(d, i, e) != EVENT_ACCESS);
    return i != UINT64_MAX;
}

/* Options of printing shared memory; the text explains signs other than digits, and omissions. */
struct picture {
    struct memory_view view;
    enum form form;
    u32 banks;
    bool none, unknown, marked, hidden;
};

/* Prints a word with unknown bytes. */
static void put_parts(struct debug *d, const struct picture *p, u64 at, char mark) {
    buf_putc(&d->out, mark);
    for (u32 k = 4; k-- > 0;) {
        const struct memory_cell *c = memory_at(&p->view, at + k);
        if (c->since && c->known)
            buf_printf(&d->out, "%02x", c->value);
        else
            buf_puts(&d->out, c->since ? "??" : "..");
    }
}

static void put_word(struct debug *d, struct picture *p, u64 at, bool marked) {
    u8 bytes[4];
    bool untouched, known = gather(&p->view, at, 4, bytes, &untouched), whole = true;
    char mark = marked ? '*' : ' ';
    for (u32 k = 0; k < 4; k++)
        whole &= memory_at(&p->view, at + k)->since != 0;
    p->marked |= marked;
    if (known && whole) {
        values_put(&d->out, mark, bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16 | (u32)bytes[3] << 24, p->form);
        return;
    }
    p->none |= !whole && (untouched || p->form == FORM_HEX);
    p->unknown |= !untouched && (!known || p->form != FORM_HEX);
    if (p->form == FORM_HEX && !untouched)
        put_parts(d, p, at, mark);
    else
        values_put_none(&d->out, mark, untouched ? '.' : '?', p->form);
}

static void put_access(struct debug *d, const struct heddle_event *e) {
    char text[160];
    debug_line(d, e->pc, text, sizeof text);
    buf_printf(&d->out, "*: the last access of warp %" PRIu64 ".%u, %s: %s\n", d->block, d->warp,
               debug_place(d, e->pc).text, text);
}

static void put_legend(struct debug *d, const struct picture *p, const struct heddle_event *e) {
    if (p->marked)
        put_access(d, e);
    if (p->none)
        buf_printf(&d->out, ".: nothing%s has been stored there\n", d->from_start ? "" : " that was recorded");
    if (p->hidden)
        buf_printf(&d->out, "lines are left out where nothing%s has been stored\n",
                   d->from_start ? "" : " that was recorded");
    if (p->unknown)
        buf_puts(&d->out, "?: stored, but the recording does not say what\n");
}

/* True if a line of words shows something: a byte that was stored, or that the access `e` touches. */
static bool shows(const struct memory_view *view, u64 from, u64 to, const struct heddle_event *e) {
    bool any = e && debug_touches(e, from, to);
    for (u64 at = from; at < to && !any; at++)
        any = memory_at(view, at)->since != 0;
    return any;
}

static void put_words(struct debug *d, struct picture *p, u64 from, u64 to) {
    struct heddle_event last = {0}, *e = last_access(d, &last) && is_shared(&last) ? &last : NULL;
    for (u64 line = from; line < to; line += 4 * WORDS) {
        u64 end = line + 4 * WORDS < to ? line + 4 * WORDS : to;
        if (!shows(&p->view, line, end, e)) {
            p->hidden = true;
            continue;
        }
        buf_printf(&d->out, "%6" PRIu64 "  %4" PRIu64 "  ", line, line / 4 % p->banks);
        for (u64 at = line; at < end; at += 4)
            put_word(d, p, at, e && debug_touches(e, at, at + 4));
        buf_putc(&d->out, '\n');
    }
    put_legend(d, p, &last);
}

/* Reads the first byte of the words to print: a number, or the start of a variable or an element. */
static bool read_start(struct debug *d, const char *word, u64 size, u64 *from) {
    struct array a;
    u64 first, last;
    char *end;
    *from = strtoull(word, &end, 0);
    if (is_digit(*word) && !*end) {
        if (*from >= size)
            return debug_refuse(d, "a block has %s bytes of shared memory", grouped(size).text);
    } else {
        if (!read_range(d, word, &a, &first, &last))
            return false;
        if (!a.shared)
            return debug_refuse(d, "'%s' is a buffer; `print %s` prints it", a.name, word);
        *from = a.address + first * a.size;
    }
    *from &= ~(u64)3;
    return true;
}

bool debug_shared(struct debug *d, struct words *w) {
    char word[96];
    struct heddle_kernel_info k = {0};
    struct picture p = {.form = FORM_HEX, .banks = debug_banks(d)};
    u64 from = 0;
    kernel_of(d, &k);
    if (!k.shared_bytes)
        return debug_answer(d, "the kernel has no shared memory");
    if (!values_form(d, w, &p.form) ||
        (*words_next(w, word, sizeof word) && !read_start(d, word, k.shared_bytes, &from)))
        return false;
    u64 size = ((u64)k.shared_bytes + 3) & ~(u64)3,
        to = from + 4 * WORDS * LINES < size ? from + 4 * WORDS * LINES : size;
    buf_printf(&d->out, "block %" PRIu64 ", cycle %" PRIu64 ": %s bytes of shared memory\n  byte  bank\n", d->block,
               d->cycle, grouped(k.shared_bytes).text);
    bool room = memory_look(d, "shared", from, to - from, &p.view);
    if (room)
        put_words(d, &p, from, to);
    if (room && to < size)
        buf_printf(&d->out, "`shared %" PRIu64 "` continues\n", to);
    buf_free(&p.view.cells);
    return room || debug_refuse(d, "out of memory");
}

/* ---- the array of the last access ---- */

/* True if the access touches the array. */
static bool is_of(const struct array *a, const struct heddle_event *e) {
    return is_shared(e) == a->shared && debug_touches(e, a->address, a->address + a->count * a->size);
}

/* Returns the first element that the access touches. */
static u64 lowest_of(const struct array *a, const struct heddle_event *e) {
    uint64_t address, lowest = UINT64_MAX;
    for (u32 i = 0; heddle_event_address(e, i, &address); i++)
        if (address >= a->address && address < a->address + a->count * a->size && address < lowest)
            lowest = address;
    return lowest == UINT64_MAX ? 0 : (lowest - a->address) / a->size;
}

/* Finds the buffer or the shared variable that an access touches. */
static bool find_accessed(struct debug *d, const struct heddle_event *e, struct array *a) {
    struct heddle_kernel_info k;
    struct heddle_variable_info v;
    struct heddle_tensor t;
    u32 kernel = kernel_of(d, &k);
    for (u32 i = 0; heddle_variable_info(d->program, kernel, i, &v); i++)
        if (strcmp(v.space, "shared") == 0 && find_array(d, v.name, a) && is_of(a, e))
            return true;
    for (u32 i = 0; i < heddle_buffer_count(d->h); i++) {
        const char *name = heddle_buffer_name(d->h, i);
        if (heddle_buffer_look(d->h, name, &t) && t.count && find_array(d, name, a) && is_of(a, e))
            return true;
    }
    return false;
}

/* Reads [NAME] [COLUMNS]; false if a column count is none. */
static bool read_columns(struct debug *d, struct words *w, char *name, size_t size, u32 *columns) {
    enum { COLUMNS_MOST = 64 };
    char word[WORD_BYTES], *end;
    words_next(w, word, sizeof word);
    bool named = *word && !is_digit(*word);
    snprintf(name, size, "%s", named ? word : "");
    if (named)
        words_next(w, word, sizeof word);
    if (!*word)
        return true;
    unsigned long n = strtoul(word, &end, 10);
    if (!is_digit(*word) || *end || n < 1 || n > COLUMNS_MOST)
        return debug_refuse(d, "expected 1 to %d elements of a line, not '%s'", COLUMNS_MOST, word);
    *columns = (u32)n;
    return true;
}

/* Prints the page of an array that the access touches, or its first; `e` NULL = no access is of it. */
static bool put_page(struct debug *d, const struct array *a, const struct heddle_event *e, struct grid *g) {
    enum { PAGE = WORDS * LINES };
    struct memory_view view;
    u64 first = e ? lowest_of(a, e) / PAGE * PAGE : 0, count = a->count - first < PAGE ? a->count - first : PAGE;
    buf_printf(&d->out, "%s: %s, elements %" PRIu64 " to %" PRIu64 " of %s, before cycle %" PRIu64 "\n", a->name,
               a->type, first, first + count - 1, grouped(a->count).text, d->cycle);
    bool room = memory_look(d, a->shared ? "shared" : "global", a->address + first * a->size, count * a->size, &view);
    if (room) {
        fill_buffer(d, a, &view);
        put_elements(d, a, &view, first, g);
    }
    if (room && e)
        put_access(d, e);
    buf_free(&view.cells);
    return room || debug_refuse(d, "out of memory");
}

/*
 * Prints the array of the last access, or a named one, with a star before each element that the access touches, and
 * another sign before one that is stored and in flight.
 */
bool debug_memory(struct debug *d, struct words *w) {
    char name[WORD_BYTES];
    struct array a;
    struct heddle_event e;
    enum form form = FORM_HEX;
    struct grid g = {.columns = WORDS, .marks = true};
    bool any = last_access(d, &e);
    if (!values_form(d, w, &form) || !read_columns(d, w, name, sizeof name, &g.columns))
        return false;
    if (*name ? !find_array(d, name, &a) : !any || !find_accessed(d, &e, &a))
        return *name ? false : debug_answer(d, "this warp has accessed no buffer or shared variable before");
    if (w->end && a.size != 4)
        return refuse_form(d, &a);
    g.form = w->end ? &form : NULL;
    g.access = any && is_of(&a, &e) ? &e : NULL;
    return put_page(d, &a, g.access, &g);
}
