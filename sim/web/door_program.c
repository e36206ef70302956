/* Answers about a loaded file: a program with its warnings and names, a board with its peaks. */
#include "sim/web/door.h"
#include "sim/api/write.h"

static void put_kernel(struct buf *out, const struct heddle_program *p, u32 k, const struct heddle_kernel_info *info) {
    struct heddle_param_info param;
    struct heddle_variable_info variable;
    write_open(out, NULL, '{');
    write_record(out, "heddle_kernel_info", info, NULL);
    write_open(out, "widths", '[');
    for (u32 i = 0; i < 4; i++)
        if (info->widths[i])
            write_whole(out, NULL, 8U << i);
    write_close(out, ']');
    write_open(out, "params", '[');
    for (u32 i = 0; heddle_param_info(p, k, i, &param); i++)
        write_object(out, "heddle_param_info", &param);
    write_close(out, ']');
    write_open(out, "variables", '[');
    for (u32 i = 0; heddle_variable_info(p, k, i, &variable); i++)
        write_object(out, "heddle_variable_info", &variable);
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
    for (u32 i = 0; heddle_name_info(p, i, &name); i++)
        write_object(out, "heddle_name_info", &name);
    write_close(out, ']');
    write_open(out, "code", '[');
    for (u32 pc = 0; heddle_instruction_info(p, pc, &at); pc++)
        write_object(out, "heddle_instruction_info", &at);
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
        write_record(out, "heddle_board_value", &v, NULL);
        if (v.choice)
            write_text(out, "value", v.choice);
        else
            write_number(out, "value", v.number);
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
