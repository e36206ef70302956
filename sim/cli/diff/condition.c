#include "sim/cli/diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/decimal.h"
#include "sim/base/meaning.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"

/* ---- names ---- */

/* Values of a launch besides its metrics, also without a clock. */
static const char *const members[] = {
    "blocks", "warps", "warp_instructions", "thread_instructions", "overhead_cycles", "lanes_per_instruction"};
static const char *const units[] = {"blocks", "warps", "", "", "cycles", "lanes"};

static const char *nth_name(const void *ctx, size_t i) {
    struct heddle_metric m;
    (void)ctx;
    if (i < COUNT_OF(members))
        return members[i];
    return heddle_metric_row((u32)(i - COUNT_OF(members)), &m) ? m.name : NULL;
}

static bool find_unit(struct diff_condition *c) {
    struct heddle_metric m;
    if (metric_find(c->name, &m)) {
        snprintf(c->unit, sizeof c->unit, "%s", m.unit);
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (strcmp(members[i], c->name) == 0) {
            snprintf(c->unit, sizeof c->unit, "%s", units[i]);
            return true;
        }
    return false;
}

static bool unknown(const struct diff_condition *c, size_t at) {
    size_t n = 0;
    while (nth_name(NULL, n))
        n++;
    const struct meaning near = meaning_of(c->name, n, nth_name, NULL);
    return ui_option_error("--fail-if", c->text, at, strlen(c->name), "there is no metric '%s'%s", c->name,
                           *near.text ? near.text : "; 'heddle doc counters' lists them");
}

/* ---- numbers ---- */

/* Reads the text after the number: nothing, the unit, or the unit with a prefix. */
static bool read_unit(struct diff_condition *c, const char *text) {
    if (!*text || strcmp(text, c->unit) == 0)
        return true;
    double factor;
    bool known = decimal_unit(c->unit, text, &factor);
    c->value *= known ? factor : 1;
    return known;
}

static bool read_value(struct diff_condition *c, const char *text) {
    char *end;
    size_t at = (size_t)(text - c->text);
    c->relative = *text == '+' || *text == '-';
    c->value = strtod(text, &end);
    if (end == text || !isfinite(c->value) || strpbrk(text, "xX"))
        return ui_option_error("--fail-if", c->text, at, strlen(text), "expected a number: +5%%, -10%%, 2000 or 2ms");
    end += strspn(end, " ");
    c->percent = c->relative && strcmp(end, "%") == 0;
    if (c->percent || read_unit(c, end))
        return true;
    if (strcmp(end, "%") == 0)
        ui_option_error("--fail-if", c->text, at, strlen(text), "a share of the first run has a sign: +%s", text);
    else
        ui_option_error("--fail-if", c->text, (size_t)(end - c->text), strlen(end), "'%s' is %s%s, not in '%s'",
                        c->name, *c->unit ? "in " : "a number", c->unit, end);
    return false;
}

bool diff_condition(struct diff_conditions *all, const char *text) {
    const char *at = text + strspn(text, " ");
    size_t len = strcspn(at, " <>");
    const char *sign = at + len + strspn(at + len, " "), *value = *sign ? sign + 1 + strspn(sign + 1, " ") : sign;
    struct diff_condition *c = &all->list[all->n];
    if (all->n == DIFF_CONDITIONS)
        return ui_error("--fail-if may be given %d times", DIFF_CONDITIONS);
    *c = (struct diff_condition){.text = text, .greater = *sign == '>'};
    snprintf(c->name, sizeof c->name, "%.*s", (int)(len < sizeof c->name ? len : sizeof c->name - 1), at);
    if (!len || (*sign != '<' && *sign != '>'))
        return ui_option_error("--fail-if", text, (size_t)(sign - text), 1, "expected NAME < VALUE or NAME > VALUE");
    if (!find_unit(c))
        return unknown(c, (size_t)(at - text));
    all->n++;
    return read_value(c, value);
}

/* ---- judging ---- */

/* Finds the value; false, after a message, if the launch has none. */
static bool value_of(const struct diff_condition *c, const struct diff_run *run, size_t launch, double *value) {
    const json_t *one = diff_launch(run->result, launch), *metrics = json_object_get(one, "metrics");
    const json_t *v = json_object_get(metrics, c->name);
    v = v ? v : json_object_get(one, c->name);
    if (json_is_number(v)) {
        *value = json_number_value(v);
        return true;
    }
    return ui_error_as(run->file, "--fail-if '%s' cannot be judged: %s", c->text,
                       v          ? "it has no value here, since nothing was counted that it divides by"
                       : !metrics ? "the run had no clock (--board)"
                                  : "this result does not have it; it may be of another version of heddle");
}

static double limit_of(const struct diff_condition *c, double base) {
    return c->percent ? base + fabs(base) * c->value / 100 : c->relative ? base + c->value : c->value;
}

static bool judge_launch(const struct diff_condition *c, const struct diff_runs *r, size_t launch, json_t *met) {
    double base = 0;
    if (c->relative && !value_of(c, &r->run[0], launch, &base))
        return false;
    for (u32 i = 1; i < r->n; i++) {
        double value, limit = limit_of(c, base);
        if (!value_of(c, &r->run[i], launch, &value))
            return false;
        if (!(c->greater ? value > limit : value < limit))
            continue;
        json_t *one = json_make("{s:I,s:I,s:f,s:f}", "run", (json_int_t)i, "launch", (json_int_t)launch + 1, "value",
                                value, "limit", limit);
        if (c->relative)
            json_put(one, "base", json_number(base));
        json_add(met, one);
    }
    return true;
}

/* Checks that the numbers can be compared: no run ended with a fault, and all have the same number of launches. */
static bool comparable(const struct diff_conditions *all, const struct diff_runs *r) {
    size_t launches = diff_launches(r->run[0].result);
    for (u32 i = 0; i < r->n && all->n; i++) {
        size_t own = diff_launches(r->run[i].result);
        bool fault = json_is_object(json_object_get(r->run[i].result, "fault"));
        if (fault)
            ui_error_as(r->run[i].file, "--fail-if cannot be judged: the run ended with a fault");
        else if (own != launches)
            ui_error_as(r->run[i].file, "--fail-if cannot be judged: %zu launches, and %zu in '%s'", own, launches,
                        r->run[0].file);
        if (fault || own != launches)
            return false;
    }
    return true;
}

bool diff_judge(const struct diff_conditions *all, const struct diff_runs *r, json_t *verdicts, bool *met) {
    if (!comparable(all, r))
        return false;
    for (u32 i = 0; i < all->n; i++) {
        json_t *list = json_list();
        json_add(verdicts, json_make("{s:o,s:o}", "condition", json_text(all->list[i].text), "met", list));
        for (size_t launch = 0; launch < diff_launches(r->run[0].result); launch++)
            if (!judge_launch(&all->list[i], r, launch, list))
                return false;
        *met |= json_array_size(list) > 0;
    }
    return true;
}

static void show_one(const struct diff_runs *r, const struct diff_condition *c, const json_t *one) {
    const struct diff_run *run = &r->run[json_integer_value(json_object_get(one, "run"))];
    const json_t *base = json_object_get(one, "base"), *value = json_object_get(one, "value");
    char launch[40] = "", than[120] = "";
    if (diff_launches(run->result) > 1)
        snprintf(launch, sizeof launch, ", launch %lld", (long long)json_integer_value(json_object_get(one, "launch")));
    if (base)
        snprintf(than, sizeof than, ", %s in %.16s, %s", compare_number(json_number_value(base), c->unit, true).text,
                 r->run[0].title, compare_change(base, value, "").text);
    ui_error_as(run->file, "--fail-if '%s' is met%s: %s%s", c->text, launch,
                compare_number(json_number_value(value), c->unit, true).text, than);
}

void diff_show_met(const struct diff_conditions *all, const struct diff_runs *r, const json_t *verdicts) {
    for (u32 i = 0; i < all->n; i++) {
        size_t k;
        json_t *one;
        json_array_foreach(json_object_get(json_array_get(verdicts, i), "met"), k, one) {
            show_one(r, &all->list[i], one);
        }
    }
}
