/* heddle prove: whether two kernels compute the same, for all inputs. */
#include "sim/cli/command.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/option.h"
#include "sim/cli/program.h"
#include "sim/cli/prove/options.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

/* ---- the work ---- */

static int failed(const struct prove *p) {
    ui_show(stderr, heddle_error(p->h));
    return EXIT_INPUT;
}

static int load(struct prove *p, struct side *s) {
    struct buf source = {0};
    if (file_exists(s->file))
        snprintf(s->path, sizeof s->path, "%s", s->file);
    else if (!resources_kernel(s->path, sizeof s->path, s->file))
        return EXIT_INPUT;
    s->program = program_read(p->h, s->path, &source);
    buf_free(&source);
    return s->program ? EXIT_OK : EXIT_INPUT;
}

static int prepare(struct prove *p) {
    const struct named *list = (const struct named *)(const void *)p->buffers.data;
    int status = board_apply(&p->board, p->h) ? EXIT_OK : EXIT_INPUT;
    for (u32 i = 0; i < 2 && status == EXIT_OK; i++)
        status = load(p, &p->side[i]);
    for (size_t i = 0; i < p->buffers.len / sizeof *list && status == EXIT_OK && !p->sizes.range; i++)
        if (!heddle_buffer(p->h, list[i].name, list[i].type, list[i].ndim, list[i].shape))
            status = failed(p);
    if (p->json && status == EXIT_OK && !file_promise("--json", p->json, p->json))
        status = EXIT_INPUT;
    if (p->replay && status == EXIT_OK && !prove_replay_folder(p->replay))
        status = EXIT_INPUT;
    return status;
}

static void copy_dims(u32 to[3], const u32 own[3], const u32 both[3]) {
    memcpy(to, own[0] ? own : both, 3 * sizeof *to);
}

/* ---- one width ---- */

/* Shows a line on the terminal: the step, its progress, and the time that this width has taken. */
static bool on_progress(void *ctx, double share, const char *step) {
    struct prove *p = ctx;
    if (progress_due(&p->progress)) {
        fputs(step, stderr);
        if (share > 0)
            fprintf(stderr, ": %.1f %% of the blocks", 100 * share);
        fprintf(stderr, ", %.0f s", progress_seconds(&p->progress));
    }
    return !progress_interrupted();
}

/* Length of a line's first part that fits: up to the last comma or the like, or else the last blank. */
static size_t part(const char *line, size_t len, size_t most) {
    size_t blank = 0;
    for (size_t at = most; len > most && at > most / 3; at--) {
        if (line[at] != ' ')
            continue;
        blank = blank ? blank : at;
        if (strchr(",;:", line[at - 1]))
            return at;
    }
    return len <= most ? len : blank ? blank : len;
}

/* Prints an answer: what is longer than a line continues below, further in. */
static void show(const char *answer) {
    const size_t most = terminal_width();
    while (*answer) {
        const size_t in = strspn(answer, " ");
        size_t len = strcspn(answer, "\n"), n = part(answer, len, most);
        printf("%.*s\n", (int)n, answer);
        for (answer += n, len -= n; len; answer += n, len -= n) {
            answer++; /* the blank */
            len--;
            n = part(answer, len, most - in - 4);
            printf("%*s%.*s\n", (int)in + 4, "", (int)n, answer);
        }
        answer++;
    }
}

static int prove_at(struct prove *p, u32 warp) {
    struct heddle_prove asked = {.warp = warp,
                                 .args = (const struct heddle_arg *)(const void *)p->args.data,
                                 .nargs = (u32)(p->args.len / sizeof(struct heddle_arg)),
                                 .buffers = (const struct heddle_prove_buffer *)(const void *)p->roles.data,
                                 .nbuffers = (u32)(p->roles.len / sizeof(struct heddle_prove_buffer)),
                                 .max_instructions = p->max_instructions,
                                 .shared_bytes = p->shared_bytes,
                                 .bound = p->bound,
                                 .assume = p->assume,
                                 .solver = {.name = p->solver.name, .ask = solver_ask, .ctx = &p->solver},
                                 .solver_seconds = p->solver_seconds,
                                 .max_seconds = p->max_seconds,
                                 .clock = stopwatch_now,
                                 .sizes = p->sizes,
                                 .progress = on_progress,
                                 .progress_ctx = p};
    struct heddle_proof proof;
    for (u32 i = 0; i < 2; i++) {
        const struct side *s = &p->side[i];
        asked.kernel[i].program = s->program;
        asked.kernel[i].entry = s->entry ? s->entry : p->entry;
        copy_dims(asked.kernel[i].grid, s->grid, p->grid);
        copy_dims(asked.kernel[i].block, s->block, p->block);
    }
    progress_begin(&p->progress);
    enum heddle_status status = heddle_prove(p->h, &asked, &proof);
    progress_end(&p->progress);
    if (progress_interrupted() && status == HEDDLE_OK && proof.verdict == HEDDLE_UNDECIDED)
        return EXIT_INTERRUPTED;
    if (status != HEDDLE_OK) {
        failed(p);
        return status == HEDDLE_INPUT || status == HEDDLE_MEMORY ? EXIT_INPUT : EXIT_FAULT;
    }
    if (!p->quiet && !(p->json && strcmp(p->json, "-") == 0))
        show(proof.text);
    if (p->json)
        json_add(p->proofs, prove_report_proof(&proof));
    if (!prove_replay(p, &proof))
        return EXIT_INPUT;
    return proof.verdict == HEDDLE_EQUAL ? EXIT_OK : EXIT_FAULT;
}

/* True if the kernel runs at width 8 << w, or its name is ambiguous, which the proof will report. */
static bool allows(const struct side *s, const char *entry, u32 w) {
    struct heddle_kernel_info info;
    for (u32 i = 0; heddle_kernel_info(s->program, i, &info); i++)
        if (!entry || strcmp(info.name, entry) == 0)
            return info.widths[w];
    return true;
}

/* Prints the board if --set has changed it. */
static void show_board(const struct prove *p) {
    struct buf text = {0};
    if (!p->board.sets.len || p->quiet || (p->json && strcmp(p->json, "-") == 0))
        return;
    buf_printf(&text, "board %s\n", heddle_board_name(p->h));
    board_changes(p->h, &text);
    fputs(text.failed ? "" : text.data, stdout);
    buf_free(&text);
}

static int prove_all(struct prove *p) {
    int worst = EXIT_OK;
    u32 n = 0;
    show_board(p);
    if (!p->all)
        return prove_at(p, p->warp);
    for (u32 w = 0; w < 4 && worst != EXIT_INPUT && worst != EXIT_INTERRUPTED; w++) {
        bool ok = true;
        for (u32 i = 0; i < 2; i++)
            ok &= allows(&p->side[i], p->side[i].entry ? p->side[i].entry : p->entry, w);
        if (!ok)
            continue;
        int status = prove_at(p, 8u << w);
        worst = status > worst ? status : worst;
        n++;
    }
    if (n == 0) {
        ui_error("there is no warp width that both kernels allow");
        return EXIT_INPUT;
    }
    return worst;
}

static int write_json(struct prove *p) {
    struct buf text = {0};
    const char *const files[] = {p->side[0].path, p->side[1].path};
    bool ok = prove_report(files, p->board.name || p->board.sets.len ? p->h : NULL, json_incref(p->proofs), &text);
    if (!ok)
        ui_no_memory();
    ok = ok && file_write(p->json, text.data, text.len);
    buf_free(&text);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int work(struct prove *p) {
    int status = prepare(p);
    if (status != EXIT_OK)
        return status;
    p->proofs = p->json ? json_list() : NULL;
    status = prove_all(p);
    if (status == EXIT_INTERRUPTED)
        ui_error("interrupted");
    if (p->json && status != EXIT_INPUT && status != EXIT_INTERRUPTED && write_json(p) != EXIT_OK)
        status = EXIT_INPUT;
    return status;
}

int cmd_prove(int argc, char **argv) {
    struct prove p = {.all = false};
    int status = EXIT_INPUT;
    solver_find("auto", &p.solver);
    if (command_parse(&cmd_prove_argp, argc, argv, &p)) {
        p.h = option_context(p.max_memory);
        if (p.buffers.failed || p.roles.failed || p.args.failed || p.scalars.failed || !p.h)
            ui_no_memory();
        else
            status = work(&p);
    }
    json_decref(p.proofs);
    for (u32 i = 0; i < 2; i++)
        heddle_program_free(p.side[i].program);
    heddle_free(p.h);
    buf_free(&p.buffers);
    buf_free(&p.roles);
    buf_free(&p.args);
    buf_free(&p.scalars);
    buf_free(&p.board.sets);
    arena_free(&p.arena);
    return status;
}
