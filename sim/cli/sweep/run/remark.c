/* Remarks on the points of a sweep besides the measurements. */
#include "sim/cli/sweep/sweep.h"

void sweep_put_keys(const struct sweep *s, struct buf *sql) {
    buf_puts(sql, "key IN (");
    for (u32 i = 0; i < sweep_point_count(s); i++)
        buf_printf(sql, "%s'%s'", i ? ", " : "", sweep_point_at(s, i)->is.key.text);
    buf_puts(sql, ")");
}

/* Points whose launch does not fill the board, the fewest SMs that had a block, and the SMs. */
struct few {
    u64 points, used, sms;
};

static bool take_few(void *ctx, u32 n, const struct store_value *v) {
    struct few *few = ctx;
    if (n == 3)
        *few = (struct few){(u64)v[0].number, (u64)v[1].number, (u64)v[2].number};
    return true;
}

void sweep_remark(const struct sweep *s, struct store *store) {
    struct few few = {0};
    const struct store_reader reader = {NULL, take_few, &few};
    struct buf sql = {0}, ignored = {0};
    int at;
    buf_puts(&sql, "SELECT count(*), min(\"launch.sms_used\"), \"board.sms\" FROM point"
                   " WHERE \"launch.sms_used\" < \"board.sms\" AND ");
    sweep_put_keys(s, &sql);
    if (sweep_is_run(s) && !sql.failed && store_ask(store, sql.data, &reader, &at, &ignored) && few.points)
        fprintf(stderr,
                "in %s of %s points the grid is too small for the board (blocks on %s of %s SMs): a larger --grid may "
                "answer otherwise\n",
                grouped(few.points).text, grouped(sweep_point_count(s)).text, grouped(few.used).text,
                grouped(few.sms).text);
    buf_free(&sql);
    buf_free(&ignored);
}
