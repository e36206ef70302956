/* Answers about a loaded file: a program with its warnings and names, a board with its peaks. */
#include "sim/web/door.h"
#include "sim/web/write.h"

static void put_kernel(struct buf *out, const struct heddle_program *p, u32 k, const struct heddle_kernel_info *info) {
    struct heddle_param_info param;
    struct heddle_variable_info v;
    write_open(out, NULL, '{');
    write_text(out, "name", info->name);
    write_whole(out, "registers", info->regs);
    write_whole(out, "shared", info->shared);
    write_whole(out, "local", info->local);
    write_whole(out, "instructions", info->instructions);
    write_open(out, "widths", '[');
    for (u32 i = 0; i < 4; i++)
        if (info->widths[i])
            write_whole(out, NULL, 8U << i);
    write_close(out, ']');
    write_open(out, "params", '[');
    for (u32 i = 0; heddle_param_info(p, k, i, &param); i++) {
        write_open(out, NULL, '{');
        write_text(out, "name", param.name);
        write_text(out, "type", param.type);
        write_truth(out, "buffer", param.buffer);
        write_text(out, "extent", param.buffer ? param.extent : NULL);
        write_close(out, '}');
    }
    write_close(out, ']');
    write_open(out, "variables", '[');
    for (u32 i = 0; heddle_variable_info(p, k, i, &v); i++) {
        write_open(out, NULL, '{');
        write_text(out, "name", v.name);
        write_text(out, "type", v.type);
        write_text(out, "space", v.space);
        write_whole(out, "offset", v.offset);
        write_close(out, '}');
    }
    write_close(out, ']');
    write_close(out, '}');
}

void door_put_program(struct door *d, const struct heddle_program *p) {
    struct buf *out = &d->out;
    struct heddle_kernel_info info;
    struct heddle_name_info name;
    struct heddle_instruction_info at;
    u32 warnings;
    char *lint = heddle_program_lint(d->h, p, &warnings);
    write_text(out, "lint", lint);
    heddle_release(lint);
    write_open(out, "kernels", '[');
    for (u32 k = 0; heddle_kernel_info(p, k, &info); k++)
        put_kernel(out, p, k, &info);
    write_close(out, ']');
    write_open(out, "names", '[');
    for (u32 i = 0; heddle_name_info(p, i, &name); i++) {
        write_open(out, NULL, '{');
        write_text(out, "name", name.name);
        write_text(out, "kind", name.kind);
        write_text(out, "in", name.in);
        write_whole(out, "number", name.number);
        write_whole(out, "count", name.count);
        write_close(out, '}');
    }
    write_close(out, ']');
    write_open(out, "code", '[');
    for (u32 pc = 0; heddle_instruction_info(p, pc, &at); pc++) {
        write_open(out, NULL, '{');
        write_text(out, "file", at.file);
        write_whole(out, "line", at.line);
        write_text(out, "in", at.in);
        write_text(out, "text", at.disassembly);
        write_text(out, "source", at.text);
        write_close(out, '}');
    }
    write_close(out, ']');
}

void door_put_board(struct door *d) {
    struct buf *out = &d->out;
    struct heddle_board_value v;
    struct heddle_board_peak peak;
    write_text(out, "name", heddle_board_name(d->h));
    write_open(out, "values", '[');
    for (u32 i = 0; heddle_board_value_at(d->h, i, &v); i++) {
        write_open(out, NULL, '{');
        write_text(out, "key", v.key);
        if (v.choice)
            write_text(out, "value", v.choice);
        else
            write_number(out, "value", v.number);
        write_text(out, "unit", v.unit);
        write_text(out, "doc", v.doc);
        write_text(out, "origin", v.origin);
        write_close(out, '}');
    }
    write_close(out, ']');
    write_open(out, "peaks", '{');
    for (u32 i = 0; heddle_board_peak(d->h, i, &peak); i++)
        write_number(out, peak.name, peak.value);
    write_close(out, '}');
    char *warnings = heddle_board_warnings(d->h, NULL);
    write_text(out, "warnings", warnings);
    heddle_release(warnings);
}
