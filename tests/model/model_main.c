/*
 * Runs launches that the machine has run on the model, and compares results. tests/arch/model.lua writes them:
 *
 *   case NAME                        in messages
 *   object LENGTH, and the bytes     the program as an object file; stays until the next one
 *   launch KERNEL WIDTH GX GY GZ BX BY BZ LIMIT
 *   scalar NAME NUMBER
 *   buffer NAME ADDRESS LENGTH, and the bytes     before the launch
 *   after NAME LENGTH, and the bytes              after it; without one, the buffer is not compared
 *   fault KIND                       of the launch; - for none
 *
 * Prints differences, and `N passed, N failed, N skipped`: results that depend on the machine are skipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model/model.h"

enum { BUFFERS = PARAMS_MAX, NAME = 256, TURN = 16 /* so that warps may spin until another one acts */ };

struct launch_case {
    char name[NAME];
    struct program *program;
    struct model_launch launch;
    u8 params[PARAM_BYTES_MAX];
    struct model_buffer buffer[BUFFERS];
    char names[BUFFERS][NAME];
    u8 *after[BUFFERS];
    u32 nbuffers;
};

static void give_up(const char *why) {
    printf("the cases cannot be read: %s\n0 passed, 1 failed\n", why);
    exit(1);
}

static u8 *read_bytes(size_t len) {
    u8 *bytes = malloc(len + 1);
    if (getchar() != '\n' || !bytes || fread(bytes, 1, len, stdin) != len || getchar() != '\n')
        give_up("too few bytes");
    return bytes;
}

static const struct param *parameter(const struct launch_case *c, const char *name) {
    const struct kernel *k = c->launch.kernel;
    for (u32 i = 0; i < k->nparams; i++)
        if (strcmp(k->param[i].name, name) == 0)
            return &k->param[i];
    return NULL;
}

static void put_param(struct launch_case *c, const char *name, u64 value, u32 bytes) {
    const struct param *p = parameter(c, name);
    for (u32 k = 0; p && k < bytes; k++)
        c->params[p->offset + k] = (u8)(value >> 8 * k);
}

static void read_object(struct launch_case *c) {
    size_t len;
    struct diag diag = {.file = "object"};
    if (scanf("%zu", &len) != 1)
        give_up("object");
    u8 *bytes = read_bytes(len);
    program_free(c->program);
    c->program = program_load("object", bytes, len, &diag);
    free(bytes);
    if (!c->program)
        give_up("an object that does not load");
}

static void read_launch(struct launch_case *c) {
    char kernel[NAME];
    u32 *g = c->launch.grid, *b = c->launch.block;
    unsigned long long limit;
    if (scanf("%255s %u %u %u %u %u %u %u %llu", kernel, &c->launch.width, &g[0], &g[1], &g[2], &b[0], &b[1], &b[2],
              &limit) != 9)
        give_up("launch");
    c->launch.program = c->program;
    c->launch.kernel = program_kernel(c->program, kernel);
    c->launch.max_instructions = limit;
    c->launch.turn = TURN;
    if (!c->launch.kernel)
        give_up(kernel);
}

static void read_scalar(struct launch_case *c) {
    char name[NAME], text[NAME];
    if (scanf("%255s %255s", name, text) != 2)
        give_up("scalar");
    const struct param *p = parameter(c, name);
    if (!p)
        return;
    const struct etype_row *type = &etypes[p->etype];
    u64 bits = strtoull(text, NULL, 0); /* of a negative number, its two's complement */
    if (type->kind == ETYPE_FLOAT && type->bytes == 4) {
        float v = strtof(text, NULL);
        memcpy(&bits, &v, sizeof v);
    } else if (type->kind == ETYPE_FLOAT) {
        double v = strtod(text, NULL);
        memcpy(&bits, &v, sizeof v);
    }
    put_param(c, name, bits, type->bytes);
}

static void read_buffer(struct launch_case *c) {
    unsigned long long address = 0;
    size_t len = 0;
    if (c->nbuffers == BUFFERS || scanf("%255s %llu %zu", c->names[c->nbuffers], &address, &len) != 3)
        give_up("buffer");
    u32 at = c->nbuffers++;
    c->buffer[at] = (struct model_buffer){address, read_bytes(len), len};
    put_param(c, c->names[at], address, 8);
}

static void read_after(struct launch_case *c) {
    char name[NAME];
    size_t len;
    if (scanf("%255s %zu", name, &len) != 2)
        give_up("after");
    u8 *bytes = read_bytes(len);
    for (u32 b = 0; b < c->nbuffers; b++)
        if (strcmp(c->names[b], name) == 0 && c->buffer[b].size == len)
            c->after[b] = bytes;
}

static bool same_buffers(const struct launch_case *c) {
    for (u32 b = 0; b < c->nbuffers; b++)
        for (u64 i = 0; c->after[b] && i < c->buffer[b].size; i++)
            if (c->after[b][i] != c->buffer[b].bytes[i]) {
                printf("%s: byte %llu of %s: 0x%02x on the machine, 0x%02x on the model\n", c->name,
                       (unsigned long long)i, c->names[b], c->after[b][i], c->buffer[b].bytes[i]);
                return false;
            }
    return true;
}

enum verdict { PASSED, FAILED, SKIPPED, VERDICTS };

static enum verdict compare(struct launch_case *c, const char *fault) {
    struct model_fault got = {0};
    c->launch.params = c->params;
    c->launch.buffer = c->buffer;
    c->launch.nbuffers = c->nbuffers;
    enum model_end end = model_run(&c->launch, &got);
    if (end == MODEL_UNKNOWN)
        return SKIPPED;
    const char *kind = end == MODEL_FAULT ? got.kind : end == MODEL_DONE ? "-" : "memory";
    if (strcmp(kind, fault) != 0) {
        struct line_name at = program_line(c->program, c->program->line[got.pc]);
        printf("%s: ends in %s on the machine, in %s at %s on the model\n", c->name, fault, kind, at.text);
        return FAILED;
    }
    return end == MODEL_FAULT || same_buffers(c) ? PASSED : FAILED;
}

static void clear(struct launch_case *c) {
    for (u32 b = 0; b < c->nbuffers; b++) {
        free(c->buffer[b].bytes);
        free(c->after[b]);
        c->after[b] = NULL;
    }
    c->nbuffers = 0;
    memset(c->params, 0, sizeof c->params);
}

int main(void) {
    static struct launch_case c;
    u32 count[VERDICTS] = {0};
    char word[16], fault[NAME];
    while (scanf("%15s", word) == 1) {
        if (strcmp(word, "case") == 0 && scanf(" %255[^\n]", c.name) == 1)
            continue;
        if (strcmp(word, "object") == 0) {
            read_object(&c);
        } else if (strcmp(word, "launch") == 0) {
            read_launch(&c);
        } else if (strcmp(word, "scalar") == 0) {
            read_scalar(&c);
        } else if (strcmp(word, "buffer") == 0) {
            read_buffer(&c);
        } else if (strcmp(word, "after") == 0) {
            read_after(&c);
        } else if (strcmp(word, "fault") == 0 && scanf("%255s", fault) == 1) {
            count[compare(&c, fault)]++;
            clear(&c);
        } else {
            give_up(word);
        }
    }
    program_free(c.program);
    printf("%u passed, %u failed, %u skipped\n", count[PASSED], count[FAILED], count[SKIPPED]);
    return count[FAILED] > 0 || count[PASSED] == 0;
}
