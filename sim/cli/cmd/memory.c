/* heddle memory: a board's DRAM alone, driven by a trace of requests. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/board/board.h"
#include "sim/cli/file.h"
#include "sim/cli/format.h"
#include "sim/cli/progress.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"
#include "sim/file/table.h"

enum { OPT_SET = 0x100, OPT_CHANNELS, PIECE = 1 << 20, CHANNELS_MOST = 4096 };

struct memory_options {
    struct board_choice choice;
    const char *action, *trace, *device, *format, *commands, *json;
    u32 channels;
    bool open, more;      /* more: a third argument */
    char device_set[200]; /* "dram.device=...": lives as long as `choice`, which refers to it */
};

static const struct argp_option options[] = {
    {"board", KEEP_TEXT(memory_options, choice.name), "NAME|FILE.yaml", 0, "Board whose DRAM it is; default v100", 1},
    {"device", KEEP_TEXT(memory_options, device), "NAME", 0,
     "A part of this memory device instead, such as a stack of HBM (heddle board devices)", 1},
    {"set", OPT_SET, "KEY=VALUE", 0, "Change one value of the board; may be given several times", 1},
    {"channels", OPT_CHANNELS, "N", 0, "Channels that share the addresses, line by line; default those of the memory",
     1},
    {"format", KEEP_TEXT(memory_options, format), "ramulator|ramulator-rw|dramsim3", 0,
     "Format of the trace; without it, that of its first request", 2},
    {"open", KEEP_FLAG(memory_options, open), NULL, 0,
     "Requests arrive at the cycles of the trace (dramsim3), instead of as soon as their queue has room", 2},
    {"commands", KEEP_TEXT(memory_options, commands), "FILE", 0,
     "Write the commands given as CSV: clock,command,channel,...,row,column,type,source; - is standard output", 3},
    {"json", KEEP_TEXT(memory_options, json), "FILE", 0, "Write the result as JSON; - is standard output", 3},
    OPTION_GROUP(1, "Memory:"),
    OPTION_GROUP(2, "Trace:"),
    OPTION_GROUP(3, "Output:"),
    {0}};

static bool read_channels(struct memory_options *o, const char *arg) {
    char *end;
    unsigned long n = strtoul(arg, &end, 10);
    o->channels = (u32)n;
    if (*end || end == arg || *arg == '-' || n < 1 || n > CHANNELS_MOST)
        return ui_error("--channels: expected a number from 1 to %d, not '%.40s'", (int)CHANNELS_MOST, arg);
    return true;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct memory_options *o = state->input;
    switch (key) {
    case OPT_SET: return board_choice_set(&o->choice, arg) ? 0 : ENOMEM;
    case OPT_CHANNELS: return read_channels(o, arg) ? 0 : EINVAL;
    case ARGP_KEY_ARG:
        o->more = o->trace != NULL;
        *(o->action ? &o->trace : &o->action) = arg;
        return 0;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_memory_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "replay TRACE",
    .doc =
        "Replay a trace of memory requests through the DRAM of a board alone, without SMs and caches: bandwidth, row "
        "hits, latencies of reads, and where the time of the data buses went. A trace has a request a line, as "
        "Ramulator 2 (LD 0x1000; R channel,...,row,column) or DRAMsim3 (0x1000 READ 12) read them; - is standard "
        "input."
        "\vExample: heddle memory replay trace.txt --device hbm3-6.4 --open",
    .children = command_common};

/* ---- the memory ---- */

/* True if there is a memory device of that name; false after a message. */
static bool is_device(const char *name) {
    struct resource_dir s;
    char path[RESOURCE_PATH + 300];
    board_device_dir_open(&s);
    bool found = resource_dir_own(&s, name, path, sizeof path);
    resource_dir_close(&s);
    return found || ui_error("--device: there is no memory device '%.60s'; 'heddle board devices' lists them", name);
}

/* Chooses one part of a device: its channels are as many as it has, whatever L2 the board has. */
static bool choose_device(struct memory_options *o) {
    static const char *const sets[] = {"dram.channels=2", "dram.stacks=1", "l2.slices=2", "l2.bytes=0",
                                       "dram.energy=commands"};
    snprintf(o->device_set, sizeof o->device_set, "dram.device=%.150s", o->device);
    struct buf given = o->choice.sets;
    o->choice.sets = (struct buf){0};
    bool ok = board_choice_set(&o->choice, o->device_set);
    for (u32 i = 0; i < COUNT_OF(sets); i++)
        ok = ok && board_choice_set(&o->choice, sets[i]);
    buf_append(&o->choice.sets, given.data, given.len);
    ok = ok && !o->choice.sets.failed;
    buf_free(&given);
    return ok;
}

static bool choose(struct memory_options *o, struct heddle *h) {
    struct heddle_board_value v;
    if (o->device && o->choice.name)
        return ui_error("--board has a memory of its own: give --device alone, or --set dram.device=%.60s", o->device);
    if (!o->choice.name)
        o->choice.name = "v100";
    if (o->device && !is_device(o->device))
        return false;
    if (o->device && !choose_device(o))
        return ui_error("out of memory");
    if (!board_apply(&o->choice, h))
        return false;
    if (o->device && !o->channels && heddle_board_value(h, "dram.channels", &v) && v.devised)
        o->channels = (u32)v.device;
    return true;
}

/* ---- the trace ---- */

static void show_progress(struct progress *p, u64 bytes) {
    if (progress_due(p))
        fprintf(stderr, "%s MB of the trace, %.0f s", grouped(bytes >> 20).text, progress_seconds(p));
}

static bool feed(struct heddle_replayer *r, FILE *from, const char *name) {
    static char piece[PIECE];
    struct progress p;
    u64 bytes = 0;
    size_t n;
    bool ok = true;
    progress_begin(&p);
    while (ok && !progress_interrupted() && (n = fread(piece, 1, sizeof piece, from)) > 0) {
        ok = heddle_replay_feed(r, piece, n);
        bytes += n;
        show_progress(&p, bytes);
    }
    bool stopped = progress_interrupted();
    progress_end(&p);
    if (ok && stopped)
        return ui_error("stopped");
    if (ok && ferror(from))
        return ui_error_as(name, "cannot be read: %s", strerror(errno));
    return ok;
}

static bool feed_file(struct heddle *h, struct heddle_replayer *r, const char *name) {
    bool input = strcmp(name, "-") == 0;
    FILE *from = input ? stdin : guard_input(file_guard(), name) ? fopen(name, "rb") : NULL;
    if (!from)
        return ui_error_as(name, "cannot be read: %s", strerror(errno));
    bool ok = feed(r, from, input ? "<stdin>" : name);
    if (!input)
        fclose(from);
    ui_show(stderr, heddle_error(h));
    return ok;
}

/* ---- output ---- */

static const struct table_column part_columns[] = {{"part", "DRAM", TABLE_WORD},
                                                   {"percent", "share", TABLE_NUMBER},
                                                   {"", "", TABLE_BAR},
                                                   {"meaning", "meaning", TABLE_PROSE}};

static void put_latency(const struct heddle_replayed *m, struct buf *out) {
    if (!m->reads)
        return;
    buf_printf(out, "  latency    %s ns of reads on average; half of them at most %s, 90 %% %s, ",
               format_number(m->latency_mean).text, format_number(m->latency_50).text,
               format_number(m->latency_90).text);
    buf_printf(out, "99 %% %s, all %s\n", format_number(m->latency_99).text, format_number(m->latency_most).text);
}

/* Shortens "energy.dram_read" to "read". */
static const char *part_name(const struct heddle_energy *part) {
    const char *dot = strchr(part->name, '.'), *name = dot ? dot + 1 : part->name;
    if (strcmp(part->name, "power.dram_w") == 0)
        return "standby";
    return strncmp(name, "dram_", 5) == 0 ? name + 5 : name;
}

/* "  energy     1.3 uJ, 4.5 pJ a bit: activate 30 %, ..." */
static void put_energy(const struct heddle_replayed *m, struct buf *out) {
    const char *before = ": ";
    buf_printf(out, "  energy     %s, %s pJ a bit", format_si(1e-12 * m->picojoules, "J").text,
               format_number(m->picojoules_bit).text);
    for (u32 i = 0; i < m->nenergy && m->picojoules > 0; i++) {
        if (m->energy[i].picojoules <= 0 || m->nenergy == 1)
            continue;
        buf_printf(out, "%s%s %s", before, part_name(&m->energy[i]),
                   format_share(m->energy[i].picojoules, m->picojoules).text);
        before = ", ";
    }
    buf_puts(out, "\n");
}

static void put_text(const struct memory_options *o, struct heddle *h, const struct heddle_replayed *m,
                     struct buf *out) {
    struct table t = {.name = "parts", .column = part_columns, .columns = COUNT_OF(part_columns)};
    buf_printf(out, "%s on %s, %s: %s loop\n", o->trace, o->device ? o->device : heddle_board_name(h),
               format_count(m->nchannels, "channel").text, o->open ? "open" : "closed");
    buf_printf(out, "  time       %s (%s memory cycles)\n", format_si(m->seconds, "s").text, grouped(m->cycles).text);
    buf_printf(out, "  requests   %s: %s, ", grouped(m->requests).text, format_count(m->reads, "read").text);
    buf_printf(out, "%s\n", format_count(m->writes, "write").text);
    buf_printf(out, "  bandwidth  %s of %s GB/s, %s of the peak\n", format_number(m->gbs).text,
               format_number(m->peak_gbs).text, format_share(m->gbs, m->peak_gbs).text);
    buf_printf(out, "  row hits   %s\n", format_share((double)m->row_hits, (double)m->requests).text);
    put_latency(m, out);
    put_energy(m, out);
    for (u32 i = 0; i < m->nparts; i++) {
        table_word(&t, m->parts[i].title);
        table_number(&t, m->parts[i].percent, format_share(m->parts[i].percent, 100));
        table_bar(&t, format_bar(m->parts[i].percent / 100, 20));
        table_word(&t, m->parts[i].doc);
    }
    buf_puts(out, "\n");
    table_text(&t, terminal_width(), out);
    table_free(&t);
}

static bool put_json(const struct memory_options *o, struct heddle *h, const struct heddle_replayed *m,
                     struct buf *out) {
    json_t *all = json_make("{s:s,s:s,s:o,s:o,s:b}", "format", "heddle-memory-1", "heddle", heddle_version(), "trace",
                            json_text(o->trace), "board", json_text(heddle_board_name(h)), "open", o->open);
    if (heddle_board_device(h))
        json_put(all, "device", json_text(heddle_board_device(h)));
    json_put(all, "settings", board_changes_json(h));
    json_put(all, "result", record_json("heddle_replayed", m, NULL));
    bool ok = json_write(all, out);
    json_decref(all);
    return ok;
}

static bool write_outputs(const struct memory_options *o, struct heddle *h, struct heddle_replayer *r,
                          const struct heddle_replayed *m) {
    struct buf text = {0};
    size_t len = 0;
    char *list = o->commands ? heddle_replay_commands(r, &len) : NULL;
    bool ok = !o->commands || (list && file_write(o->commands, list, len));
    if (o->commands && !list)
        ui_show(stderr, heddle_error(h));
    ok = ok && (!o->json || (put_json(o, h, m, &text) && file_write(o->json, text.data, text.len)));
    text.len = 0;
    if (ok && !(o->json && strcmp(o->json, "-") == 0) && !(o->commands && strcmp(o->commands, "-") == 0)) {
        put_text(o, h, m, &text);
        fwrite(text.data, 1, text.len, stdout);
        ok = !text.failed;
    }
    heddle_release(list);
    buf_free(&text);
    return ok;
}

static bool replay(struct memory_options *o, struct heddle *h) {
    struct heddle_replay asked = {.name = strcmp(o->trace, "-") == 0 ? "<stdin>" : o->trace,
                                  .format = o->format,
                                  .open = o->open,
                                  .commands = o->commands != NULL};
    struct heddle_replayed m;
    if (!choose(o, h) || (o->json && !file_promise("--json", o->json, o->json)) ||
        (o->commands && !file_promise("--commands", o->commands, o->commands)))
        return false;
    asked.channels = o->channels;
    struct heddle_replayer *r = heddle_replay_begin(h, &asked);
    if (!r) {
        ui_show(stderr, heddle_error(h));
        return false;
    }
    bool ok = feed_file(h, r, o->trace), ended = ok && heddle_replay_end(r, &m);
    if (ok && !ended)
        ui_show(stderr, heddle_error(h));
    if (ended && !m.requests)
        ended = ui_error_as(asked.name, "no request; expected lines such as 'LD 0x1000', 'R 0,1,2,3,4'");
    ok = ended && write_outputs(o, h, r, &m);
    heddle_replay_free(r);
    return ok;
}

int cmd_memory(int argc, char **argv) {
    struct memory_options o = {0};
    int status = EXIT_INPUT;
    if (command_parse(&cmd_memory_argp, argc, argv, &o)) {
        struct heddle *h = heddle_new();
        if (!h)
            ui_error("out of memory");
        else if (!o.action || strcmp(o.action, "replay") != 0 || !o.trace || o.more)
            ui_error("which trace? heddle memory replay TRACE");
        else
            status = replay(&o, h) ? EXIT_OK : EXIT_INPUT;
        heddle_free(h);
    }
    buf_free(&o.choice.sets);
    return status;
}
