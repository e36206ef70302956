/* Is the name proposed that was meant? */
#include "sim/base/meaning.h"

#include <criterion/criterion.h>

static const char *const names[] = {"sms",          "clock_mhz",   "l2.slices",   "l2.bytes",      "l2.bytes_per_cycle",
                                    "l2.gbs",       "dram.gbs",    "dram.cl",     "dram.faw",      "dram.channels",
                                    "energy.total", "l1.hit_rate", "l2.hit_rate", "dram.clock_mhz"};

static const char *nth(const void *ctx, size_t i) {
    (void)ctx;
    return names[i];
}

static void means(const char *word, const char *text) {
    cr_expect_str_eq(meaning_of(word, COUNT_OF(names), nth, NULL).text, text, "%s", word);
}

Test(meaning, words_in_any_order_and_their_synonyms) {
    means("channels", "; did you mean 'dram.channels'?");
    means("channel", "; did you mean 'dram.channels'?");
    means("bandwidth", "; did you mean 'l2.gbs' or 'dram.gbs'?");
    means("hbm-bandwidth", "; did you mean 'dram.gbs'?");
    means("l2_size", "; did you mean 'l2.bytes'?");
    means("L2Size", "; did you mean 'l2.bytes'?");
    means("total_energy", "; did you mean 'energy.total'?");
    means("hit_rate", "; did you mean 'l1.hit_rate' or 'l2.hit_rate'?");
    means("num_sms", "; did you mean 'sms'?");
}

/* The whole word is preferred to a similar spelling, and that to nothing. */
Test(meaning, spelling_comes_second) {
    means("dram.clock", "; did you mean 'dram.clock_mhz'?");
    means("dram.foo", "; did you mean 'dram.faw'?");
    means("dram.chanels", "; did you mean 'dram.channels'?");
    means("smss", "; did you mean 'sms'?");
    means("zebra", "");
    means("num", "");
    means("", "");
    means("...", "");
    means("a_b_c_d_e_f_g_h_i_j_k_l_m_n_o_p", "");
}
