/* heddle replay: repeats a recorded launch, and shows its events and states. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/option.h"
#include "sim/cli/replay/replay.h"
#include "sim/cli/ui.h"

enum { OPT_AT = 256, OPT_WARP, OPT_SPAN, OPT_RECORD, OPT_TRACE, OPT_KONATA };

static const struct argp_option options[] = {
    {"at", OPT_AT, "CYCLE", 0, "Print where every warp is at the beginning of a cycle; with --warp, all that it holds",
     1},
    {"warp", OPT_WARP, "BLOCK.WARP", 0, "Print this warp only: its block's number in the grid, its own in the block",
     1},
    {"events", KEEP_FLAG(replay, events), NULL, 0, "Print the events, each as a line of a recording", 1},
    {"span", OPT_SPAN, "FROM..TO", 0, "Look at these cycles, not at those of the recording", 1},
    {"record", OPT_RECORD, "FILE[:FROM..TO]", 0, "Write another recording of the same launch", 2},
    {"trace", OPT_TRACE, "FILE[:FROM..TO]", 0,
     "Write the recording as a picture for Perfetto (ui.perfetto.dev), where 1 us is a cycle", 2},
    {"konata", OPT_KONATA, "FILE[:FROM..TO]", 0, "Write the recording as a log of the pipeline, which Konata shows", 2},
    {"json", KEEP_TEXT(replay, json), "FILE", 0, "Write the answer as lines of JSON; - is standard output", 2},
    OPTION_GROUP(1, "What is printed:"),
    OPTION_GROUP(2, "Files that are written:"),
    {0}};

/* Reads "3.1". */
static bool read_warp(struct replay *r, const char *text) {
    const char *dot = strchr(text, '.');
    u64 warp;
    r->one = true;
    if (dot && option_number(text, (size_t)(dot - text), &r->block) && option_number(dot + 1, strlen(dot + 1), &warp) &&
        warp < UINT32_MAX) {
        r->warp = (u32)warp;
        return true;
    }
    return ui_option_error("--warp", text, 0, strlen(text), "expected BLOCK.WARP, as 3.1 for warp 1 of block 3");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct replay *r = state->input;
    switch (key) {
    case OPT_AT: r->state = true; return option_whole("--at", arg, 0, &r->at) ? 0 : EINVAL;
    case OPT_WARP: return read_warp(r, arg) ? 0 : EINVAL;
    case OPT_SPAN: r->spanned = true; return run_record_span("--span", arg, arg, &r->arena, &r->span) ? 0 : EINVAL;
    case OPT_RECORD: return run_record_option(&r->record, "--record", arg, &r->arena) ? 0 : EINVAL;
    case OPT_TRACE: return run_record_option(&r->record, "--trace", arg, &r->arena) ? 0 : EINVAL;
    case OPT_KONATA: return run_record_option(&r->record, "--konata", arg, &r->arena) ? 0 : EINVAL;
    case ARGP_KEY_ARG: return command_one(state, &r->file, arg, "one recording is replayed at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which recording? heddle replay k.jsonl"); return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_replay_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "RECORDING",
    .doc = "Make the launch of a recording again, from its kernel, board and inputs, which must be what they were, and "
           "report what happened: in all, to a warp, in a cycle. The recording is one that 'heddle run --record' has "
           "written; cycles that it lacks are recorded anew."
           "\vExample: heddle replay k.jsonl --at 120 --warp 0.3",
    .children = command_common};

/* Checks that one recording is enough: of the cycles of the question, or of those to be written. */
static bool agree(struct replay *r) {
    const char *written = run_record_given(&r->record);
    if (written && (r->state || r->events || r->spanned || r->one))
        return ui_error("%s writes other cycles of the launch; ask about them without it", written);
    if (r->state && (r->spanned || r->events)) {
        return ui_error("--at is of one cycle; %s is of several", r->spanned ? "--span" : "--events");
    }
    return true;
}

static bool promise(const struct replay *r) {
    return (!r->json || file_promise("--json", r->json, r->json)) &&
           (!r->record.events || file_promise("--record", r->record.events, r->record.events)) &&
           (!r->record.trace || file_promise("--trace", r->record.trace, r->record.trace)) &&
           (!r->record.konata || file_promise("--konata", r->record.konata, r->record.konata));
}

struct form {
    const char *file;
    bool (*write)(const struct run_report *r, struct buf *out);
};

static int write_all(struct replay *r, const struct buf *answer) {
    const struct form form[] = {{r->record.events, run_record_events},
                                {r->record.trace, run_record_trace},
                                {r->record.konata, run_record_konata}};
    struct file_output list[COUNT_OF(form) + 1];
    struct buf text[COUNT_OF(form)] = {{0}};
    size_t n = 0;
    bool ok = true;
    for (size_t i = 0; i < COUNT_OF(form) && ok; i++)
        if (form[i].file) {
            ok = form[i].write(&r->run.report, &text[i]);
            list[n++] = (struct file_output){form[i].file, text[i].data, text[i].len};
        }
    if (r->json)
        list[n++] = (struct file_output){r->json, answer->data, answer->len};
    if (!ok)
        ui_error("out of memory");
    ok = ok && file_write_all(list, n);
    for (size_t i = 0; i < COUNT_OF(form); i++)
        buf_free(&text[i]);
    return ok ? EXIT_OK : EXIT_INPUT;
}

int cmd_replay(int argc, char **argv) {
    struct replay r = {0};
    struct buf answer = {0};
    int status = EXIT_INPUT;
    if (command_parse(&cmd_replay_argp, argc, argv, &r) && agree(&r))
        status = replay_open(&r);
    if (status == EXIT_OK)
        status = promise(&r) ? replay_launch(&r) : EXIT_INPUT;
    bool asked = r.json || !run_record_given(&r.record);
    if (status == EXIT_OK && asked)
        status = replay_answer(&r, &answer);
    if (status == EXIT_OK)
        status = write_all(&r, &answer);
    if (status == EXIT_OK && asked && !r.json && answer.len)
        fwrite(answer.data, 1, answer.len, stdout);
    buf_free(&answer);
    replay_free(&r);
    return status;
}
