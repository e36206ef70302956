/* Which lines, sectors and bank passes does an access take? Closed forms, and an independent reference. */
#include "sim/time/geometry.h"

#include <criterion/criterion.h>

#include "tests/lib/random.h"

static const struct board_shared usual = {.banks = 32, .bank_bytes = 4};
static const u32 widths[] = {8, 16, 32, 64};

static u64 full(u32 width) {
    return width == 64 ? ~(u64)0 : ((u64)1 << width) - 1;
}

static u32 gcd(u32 a, u32 b) {
    return b ? gcd(b, a % b) : a;
}

static u32 up(u32 a, u32 b) {
    return (a + b - 1) / b;
}

/* Lane l at start + step * l. */
static const u64 *line_up(u64 addr[WARP_MAX], u64 start, u32 step) {
    for (u32 l = 0; l < WARP_MAX; l++)
        addr[l] = start + (u64)step * l;
    return addr;
}

/* Counts passes of accesses that share no phases, as stores do. */
static u32 shared_passes(const struct board_shared *s, const u64 *addr, u64 mask, u32 bytes, u32 width) {
    return bank_passes(banks_of_shared(s, false), addr, mask, bytes, width).taken;
}

static u32 shared_passes_ideal(const struct board_shared *s, const u64 *addr, u64 mask, u32 bytes, u32 width) {
    return bank_passes(banks_of_shared(s, false), addr, mask, bytes, width).ideal;
}

static u32 shared_phase_lanes(const struct board_shared *s, u32 bytes, u32 width) {
    return phases_of(banks_of_shared(s, false), bytes, width).lanes;
}

static u32 passes(const u64 *addr, u32 bytes, u32 width) {
    return shared_passes(&usual, addr, full(width), bytes, width);
}

/* ---- banks ---- */

/* k lanes at stride s words use 32 / gcd(s, 32) banks, one after the other: the fullest has k over that many. */
Test(geometry, passes_of_strides) {
    u64 addr[WARP_MAX];
    for (u32 i = 0; i < COUNT_OF(widths); i++)
        for (u32 s = 1; s <= 64; s++) {
            u32 w = widths[i], k = w < 32 ? w : 32, phases = w / k, used = 32 / gcd(s, 32);
            line_up(addr, 1024, 4 * s);
            cr_assert(passes(addr, 4, w) == phases * up(k, used), "stride %u, width %u: %u passes", s, w,
                      passes(addr, 4, w));
            cr_assert(shared_passes_ideal(&usual, addr, full(w), 4, w) == phases);
        }
}

Test(geometry, passes_of_n_ways) {
    u64 addr[WARP_MAX];
    for (u32 n = 1; n <= 32; n++) {
        for (u32 l = 0; l < 32; l++) /* n words of bank 5, the other lanes share the last of them */
            addr[l] = 128 * (l < n ? l : n - 1) + 20;
        cr_assert(passes(addr, 4, 32) == n, "%u-way: %u passes", n, passes(addr, 4, 32));
        cr_assert(shared_passes_ideal(&usual, addr, full(32), 4, 32) == 1);
    }
}

Test(geometry, passes_of_broadcasts) {
    u64 addr[WARP_MAX];
    static const u32 sizes[] = {1, 2, 4, 8, 16};
    for (u32 i = 0; i < COUNT_OF(widths); i++)
        for (u32 b = 0; b < COUNT_OF(sizes); b++) {
            u32 w = widths[i], k = shared_phase_lanes(&usual, sizes[b], w);
            line_up(addr, 4096 + 16, 0);
            cr_assert(passes(addr, sizes[b], w) == w / k, "%u bytes, width %u", sizes[b], w);
            cr_assert(shared_passes(&usual, addr, 1, sizes[b], w) == 1, "one lane");
            cr_assert(shared_passes(&usual, addr, 0, sizes[b], w) == 0, "no lane");
        }
    for (u32 l = 0; l < 32; l++) /* each word wanted by four lanes that are no neighbours */
        addr[l] = 4 * (l % 8);
    cr_assert(passes(addr, 4, 32) == 1);
    for (u32 l = 0; l < 32; l++) /* four bytes of a word */
        addr[l] = l;
    cr_assert(passes(addr, 1, 32) == 1);
}

/* A phase moves what the banks can: 128 bytes. */
Test(geometry, passes_of_wide_accesses) {
    u64 addr[WARP_MAX];
    for (u32 i = 0; i < COUNT_OF(widths); i++)
        for (u32 bytes = 4; bytes <= 16; bytes *= 2) {
            u32 w = widths[i], expect = up(w * bytes, 128);
            line_up(addr, 512, bytes);
            cr_assert(passes(addr, bytes, w) == expect, "%u bytes, width %u: %u passes", bytes, w,
                      passes(addr, bytes, w));
        }
    cr_assert(shared_phase_lanes(&usual, 8, 32) == 16 && shared_phase_lanes(&usual, 16, 32) == 8);
    cr_assert(shared_phase_lanes(&usual, 4, 64) == 32 && shared_phase_lanes(&usual, 1, 64) == 32);
    line_up(addr, 0, 8);
    cr_assert(shared_passes(&usual, addr, 0xffff0000, 8, 32) == 1, "a phase without lanes costs nothing");
    cr_assert(shared_passes(&usual, addr, 0x00018000, 8, 32) == 2, "two lanes of two phases");
    line_up(addr, 0, 16);
    cr_assert(passes(addr, 8, 32) == 4, "every second pair of banks: two passes in each phase");
    line_up(addr, 0, 32);
    cr_assert(passes(addr, 16, 32) == 8, "every second quad of banks");
}

Test(geometry, passes_of_other_banks) {
    const struct board_shared wide = {.banks = 32, .bank_bytes = 8}, one = {.banks = 1, .bank_bytes = 4};
    u64 addr[WARP_MAX];
    line_up(addr, 0, 8);
    cr_assert(shared_passes(&wide, addr, full(32), 8, 32) == 1, "64-bit banks serve 64-bit lanes at once");
    line_up(addr, 0, 4);
    cr_assert(shared_passes(&wide, addr, full(64), 4, 64) == 1);
    line_up(addr, 4, 4); /* half a word in, 33 words are touched, and the first and last lie in one bank */
    cr_assert(shared_passes(&wide, addr, full(64), 4, 64) == 2);
    cr_assert(shared_passes_ideal(&wide, addr, full(64), 4, 64) == 2, "no conflict: 33 words need two passes");
    line_up(addr, 0, 4);
    cr_assert(shared_passes(&one, addr, full(8), 4, 8) == 8, "one bank serves one word at a time");
    line_up(addr, 0, 16);
    cr_assert(shared_passes(&one, addr, full(8), 16, 8) == 32, "four words a lane");
    cr_assert(shared_passes_ideal(&one, addr, full(8), 16, 8) == 32);
}

/*
 * The odd-even reorder of 2W values through shared memory, three ways: passes of the whole reorder. slot(j) of value j
 * is (j & 1) * (W + pad) + (j >> 1).
 */
static u32 reorder_linear(u32 w) {
    u64 a[WARP_MAX];
    return passes(line_up(a, 0, 4), 4, w) + passes(line_up(a, 4 * w, 4), 4, w) + passes(line_up(a, 0, 8), 4, w) +
           passes(line_up(a, 4, 8), 4, w);
}

static u32 reorder_vector(u32 w) {
    u64 a[WARP_MAX];
    return passes(line_up(a, 0, 4), 4, w) + passes(line_up(a, 4 * w, 4), 4, w) + passes(line_up(a, 0, 8), 8, w);
}

static u32 reorder_scatter(u32 w, u32 pad) {
    u64 a[WARP_MAX], b[WARP_MAX];
    for (u32 l = 0; l < w; l++) {
        a[l] = 4 * ((l & 1) * (w + pad) + (l >> 1));
        b[l] = 4 * (((w + l) & 1) * (w + pad) + ((w + l) >> 1));
    }
    u32 stores = passes(a, 4, w) + passes(b, 4, w);
    return stores + passes(line_up(a, 0, 4), 4, w) + passes(line_up(b, 4 * (w + pad), 4), 4, w);
}

Test(geometry, passes_of_reorders) {
    static const u32 expect[][4] = {/* linear, vector, scatter, scatter with a pad of 16 words */
                                    {4, 3, 4, 4},
                                    {4, 3, 4, 6},
                                    {6, 4, 6, 4},
                                    {12, 8, 12, 8}};
    for (u32 i = 0; i < COUNT_OF(widths); i++) {
        u32 w = widths[i];
        const u32 got[4] = {reorder_linear(w), reorder_vector(w), reorder_scatter(w, 0), reorder_scatter(w, 16)};
        for (u32 k = 0; k < 4; k++)
            cr_assert(got[k] == expect[i][k], "width %u, method %u: %u passes, not %u", w, k, got[k], expect[i][k]);
    }
}

/* Passes of a load of 32 lanes, lane l at the word `which[l]` of its own size. */
static u32 load_passes(const u32 which[32], u32 bytes, u64 mask) {
    u64 addr[WARP_MAX] = {0};
    for (u32 l = 0; l < 32; l++)
        addr[l] = (u64)which[l] * bytes;
    return bank_passes(banks_of_shared(&usual, true), addr, mask, bytes, 32).taken;
}

/* Two phases are one where lanes share addresses with their neighbours or with the next but one; stores never share. */
Test(geometry, wide_loads_share_phases_by_pairs) {
    static const struct {
        const char *what;
        u32 shift, keep; /* lane l wants piece (l >> shift) & keep, or as below */
        u32 by64, by128;
    } cases[] = {{"one address", 0, 0, 1, 2},
                 {"neighbours", 1, 31, 1, 2},
                 {"fours", 2, 31, 1, 2},
                 {"eights", 3, 31, 1, 2},
                 {"halves of the warp", 4, 1, 1, 2},
                 {"the same in both halves", 0, 15, 2, 4},
                 {"the same in all quarters", 0, 7, 2, 4},
                 {"no sharing", 0, 31, 2, 4}};
    u32 which[32];
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        for (u32 l = 0; l < 32; l++)
            which[l] = l >> cases[i].shift & cases[i].keep;
        cr_expect_eq(load_passes(which, 8, full(32)), cases[i].by64, "%s", cases[i].what);
        cr_expect_eq(load_passes(which, 16, full(32)), cases[i].by128, "%s", cases[i].what);
        cr_expect_eq(load_passes(which, 4, full(32)), 1, "%s", cases[i].what);
    }
    for (u32 l = 0; l < 32; l++) /* 0 1 0 1 2 3 2 3 ... */
        which[l] = (l >> 2) * 2 + l % 2;
    cr_expect_eq(load_passes(which, 8, full(32)), 1);
    cr_expect_eq(load_passes(which, 16, full(32)), 2);
    which[5] = 40; /* one lane less in the first half: of 128 bits, the second half is still one */
    cr_expect_eq(load_passes(which, 8, full(32)), 2);
    cr_expect_eq(load_passes(which, 16, full(32)), 2 + 1 + 1, "of the first half: 40 lies in the banks of 0");
    cr_expect_eq(load_passes(which, 8, ~(1u << 5) & full(32)), 1, "a lane that does not load is no hindrance");
}

/* ---- tags of L1 ---- */

static u32 look_ups(const u64 *addr, u32 banks) {
    struct line_access line[LINES_MAX];
    const struct board_l1 l1 = {.tag_banks = banks, .line_bytes = 128};
    return tag_cycles(line, coalesce(addr, full(32), 4, line), &l1);
}

/* Lines of 64 bytes: by one bank, a run of 32 words takes two look-ups, every second word four, one word one; a load
 * brings the whole of each. */
Test(geometry, lines_of_64_bytes) {
    struct line_access line[LINES_MAX];
    struct board_l1 l1 = {.tag_banks = 1, .line_bytes = 64};
    u64 addr[WARP_MAX];
    for (u32 step = 0; step <= 16; step += 4) {
        u32 n, want = step ? 32 * step / 64 : 1;
        line_up(addr, 1024, step);
        n = coalesce_load(addr, full(32), 4, 64, line);
        cr_expect_eq(tag_cycles(line, n, &l1), want, "step %u", step);
        for (u32 i = 0; i < n; i++)
            cr_expect(line[i].sectors == (step ? 15 : 3));
        n = coalesce_load(addr, full(1), 4, 128, line);
        cr_expect(n == 1 && line[0].sectors == 15 && tag_cycles(line, n, &l1) == 2);
    }
    line_up(addr, 1024 + 64, 128);
    l1.tag_banks = 2; /* all in the second halves: the bank is the XOR of the bits of a number */
    u32 cycles = tag_cycles(line, coalesce_load(addr, full(4), 4, 32, line), &l1);
    cr_expect(cycles == 2 && line[0].sectors == 4, "%u", cycles);
}

/* An aligned run of as many lines as there are banks has each bank once, wherever it lies; a second run makes two. */
Test(geometry, neighbouring_lines_are_looked_up_together) {
    u64 addr[WARP_MAX];
    for (u32 banks = 1; banks <= 32; banks *= 2)
        for (u64 run = 0; run < 300; run += 7) {
            u64 base = run * banks * LINE_BYTES;
            for (u32 lines = 1; lines <= 32; lines *= 2) {
                line_up(addr, base, 128 * lines / 32);
                u32 cycles = look_ups(addr, banks);
                cr_assert(cycles == up(lines, banks), "%u banks, %u lines from %llu: %u cycles", banks, lines,
                          (unsigned long long)base, cycles);
            }
        }
}

/* A row of 32 words that is not aligned has two lines, which differ in the last two bits of their numbers, or not. */
Test(geometry, misaligned_rows_cost_little_more) {
    u64 addr[WARP_MAX];
    u32 sum = 0;
    for (u32 i = 0; i < 4096; i++) {
        line_up(addr, 128 * i + 4, 4);
        sum += look_ups(addr, 4);
        /* 4 k + 3 meets 4 (k + 1) where k and k + 1 differ in as many pairs of bits as make 3 */
        u32 k = i / 4, pairs = 0;
        for (u32 v = k ^ (k + 1); v; v >>= 2)
            pairs ^= v & 3;
        cr_assert(look_ups(addr, 4) == (i % 4 == 3 && pairs == 3 ? 2 : 1), "line %u", i);
    }
    cr_assert(sum < 4096 * 1.1, "%u cycles", sum);
    line_up(addr, 0, 0);
    u32 none = tag_cycles(NULL, 0, &(struct board_l1){.tag_banks = 4, .line_bytes = 128});
    cr_assert(look_ups(addr, 4) == 1 && none == 0);
}

/* ---- lines ---- */

static u32 sectors_of(const struct line_access *line, u32 n) {
    u32 sum = 0;
    for (u32 i = 0; i < n; i++)
        for (u32 s = 0; s < LINE_SECTORS; s++)
            sum += line[i].sectors >> s & 1;
    return sum;
}

/* W elements at stride k from an aligned start span (W - 1) * k + 1 elements; beyond a sector each has its own. */
Test(geometry, sectors_of_strides) {
    u64 addr[WARP_MAX];
    struct line_access line[LINES_MAX];
    for (u32 i = 0; i < COUNT_OF(widths); i++)
        for (u32 bytes = 1; bytes <= 16; bytes *= 2)
            for (u32 k = 1; k <= 64; k++) {
                u32 w = widths[i], span = ((w - 1) * k + 1) * bytes;
                line_up(addr, 8192, k * bytes);
                u32 n = coalesce(addr, full(w), bytes, line);
                u32 sectors = k * bytes < SECTOR_BYTES ? up(span, SECTOR_BYTES) : w;
                u32 lines = k * bytes < LINE_BYTES ? up(span, LINE_BYTES) : w;
                cr_assert(n == lines, "stride %u of %u bytes, width %u: %u lines", k, bytes, w, n);
                cr_assert(sectors_of(line, n) == sectors, "stride %u of %u bytes, width %u", k, bytes, w);
            }
}

Test(geometry, bytes_of_a_line) {
    u64 addr[WARP_MAX];
    struct line_access line[LINES_MAX];
    line_up(addr, 0x1040 + 4, 4); /* 32 words from the second word of the second half */
    cr_assert(coalesce(addr, full(32), 4, line) == 2);
    cr_assert(line[0].line == 0x1000 && line[0].bytes[0] == 0 && line[0].bytes[1] == ~(u64)0xf);
    cr_assert(line[0].lanes == 0x7fff && line[0].sectors == 0xc);
    cr_assert(line[1].line == 0x1080 && line[1].bytes[0] == ~(u64)0 && line[1].bytes[1] == 0xf);
    cr_assert(line[1].lanes == 0xffff8000 && line[1].sectors == 0x7);
    line_up(addr, 0x1000 + 96, 0);
    cr_assert(coalesce(addr, 0xf0, 2, line) == 1);
    cr_assert(line[0].bytes[0] == 0 && line[0].bytes[1] == (u64)3 << 32 && line[0].lanes == 0xf0);
    cr_assert(line[0].sectors == 0x8);
    addr[3] = 0x5010, addr[7] = 0x1000, addr[9] = 0x5070; /* lines are in the order of their first lane */
    cr_assert(coalesce(addr, 1 << 3 | 1 << 7 | 1 << 9, 16, line) == 2);
    cr_assert(line[0].line == 0x5000 && line[0].lanes == (1 << 3 | 1 << 9) && line[0].sectors == 0x9);
    cr_assert(line[0].bytes[0] == (u64)0xffff << 16 && line[0].bytes[1] == (u64)0xffff << 48);
    cr_assert(line[1].line == 0x1000 && line[1].lanes == 1 << 7 && line[1].bytes[0] == 0xffff);
    cr_assert(coalesce(addr, 0, 4, line) == 0);
}

/* ---- equal addresses ---- */

Test(geometry, lanes_on_one_address) {
    u64 addr[WARP_MAX];
    for (u32 n = 1; n <= 64; n++) {
        for (u32 l = 0; l < 64; l++)
            addr[l] = 4 * (l % n);
        cr_assert(same_address(addr, full(64)) == up(64, n) && distinct_addresses(addr, full(64)) == n, "%u", n);
    }
    cr_assert(same_address(addr, 0) == 0 && distinct_addresses(addr, 0) == 0);
    cr_assert(same_address(addr, 1 << 9) == 1 && distinct_addresses(addr, 1 << 9) == 1);
}

/* Lanes go round n words: in each sector the first word has the most of them. One word alone is combined. */
Test(geometry, passes_of_an_atomic) {
    u64 addr[WARP_MAX];
    for (u32 n = 1; n <= 32; n++) {
        u32 passes = 0;
        for (u32 l = 0; l < 64; l++)
            addr[l] = 0x5000 + 4 * (l % n);
        for (u32 at = 0; at < n; at += 8)
            passes += up(64 - at, n);
        for (u32 together = 1; together <= 64; together++) {
            struct atomic_passes a = atomic_passes(addr, full(64), together);
            cr_assert_eq(a.lanes, n == 1 ? up(64, together) : 64);
            cr_assert_eq(a.passes, n == 1 ? up(64, together) : passes, "%u words", n);
            cr_assert_eq(a.longest, up(n == 1 ? up(64, together) : 64, n));
        }
    }
    struct atomic_passes some = atomic_passes(addr, 1 | 1ull << 32 | 1ull << 31 | 1ull << 63 | 1 << 1, 32);
    cr_assert(some.lanes == 5 && some.passes == 4 && some.longest == 2);
}

/* ---- against a reference that follows the definitions, word by word and byte by byte ---- */

static u64 random_next(u64 *state) {
    return random_bits(state) >> 8;
}

/* Distinct words that lanes [from, to) want of a bank; of every bank when `bank` is UINT32_MAX. */
static u32 words_wanted(const struct board_shared *s, const u64 *addr, u64 lanes, u32 bytes, u32 bank) {
    u64 list[WARP_MAX * 16];
    u32 n = 0;
    for (u32 l = 0; l < WARP_MAX; l++)
        for (u32 b = 0; b < bytes && lanes >> l & 1; b++) {
            u64 word = (addr[l] + b) / s->bank_bytes;
            u32 k = 0;
            while (k < n && list[k] != word)
                k++;
            if (k == n && (bank == UINT32_MAX || word % s->banks == bank))
                list[n++] = word;
        }
    return n;
}

/* True if every two of these lanes whose numbers differ in this bit alone have one address. */
static bool paired(const u64 *addr, u64 lanes, u32 bit) {
    for (u32 l = 0; l < WARP_MAX; l++)
        for (u32 k = 0; k < WARP_MAX; k++)
            if ((l ^ k) == bit && lanes >> l & 1 && lanes >> k & 1 && addr[l] != addr[k])
                return false;
    return true;
}

static u64 lanes_between(u64 mask, u32 from, u32 to) {
    u64 lanes = 0;
    for (u32 l = from; l < to && l < WARP_MAX; l++)
        lanes |= mask & (u64)1 << l;
    return lanes;
}

/* An access. */
struct drawn {
    u64 addr[WARP_MAX], mask;
    u32 bytes, width;
};

static void check_banks(const struct board_shared *s, bool load, const struct drawn *d) {
    const u64 *addr = d->addr, mask = d->mask;
    const u32 bytes = d->bytes, width = d->width;
    u32 lanes = s->banks * s->bank_bytes / (bytes > 4 ? bytes : 4), taken = 0, ideal = 0;
    if (lanes == 0)
        lanes = 1;
    for (u32 at = 0, end; at < width; at = end) {
        end = at + lanes;
        u64 both = lanes_between(mask, at, end + lanes);
        if (load && bytes > s->bank_bytes && lanes > 1 && end + lanes <= width && at / lanes % 2 == 0 &&
            (paired(addr, both, 1) || paired(addr, both, 2)))
            end += lanes;
        u64 phase = lanes_between(mask, at, end < width ? end : width);
        u32 most = 0;
        for (u32 b = 0; b < s->banks; b++) {
            u32 n = words_wanted(s, addr, phase, bytes, b);
            most = n > most ? n : most;
        }
        taken += most;
        ideal += up(words_wanted(s, addr, phase, bytes, UINT32_MAX), s->banks);
    }
    struct bank_passes got = bank_passes(banks_of_shared(s, load), addr, mask, bytes, width);
    cr_assert(got.taken == taken, "%u bytes, width %u, %u banks of %u: %u, not %u", bytes, width, s->banks,
              s->bank_bytes, got.taken, taken);
    cr_assert(got.ideal == ideal, "%u bytes, width %u, %u banks of %u", bytes, width, s->banks, s->bank_bytes);
    cr_assert(ideal <= taken);
}

static void check_lines(const u64 *addr, u64 mask, u32 bytes) {
    struct line_access got[LINES_MAX], want[LINES_MAX];
    u32 n = 0;
    for (u32 l = 0; l < WARP_MAX; l++)
        for (u32 b = 0; b < bytes && mask >> l & 1; b++) {
            u64 at = addr[l] + b;
            u32 k = 0;
            while (k < n && want[k].line != at / 128 * 128)
                k++;
            if (k == n)
                want[n++] = (struct line_access){.line = at / 128 * 128};
            want[k].bytes[at % 128 / 64] |= (u64)1 << at % 64;
            want[k].sectors |= (u8)(1 << at % 128 / 32);
            want[k].lanes |= (u64)1 << l;
        }
    cr_assert(coalesce(addr, mask, bytes, got) == n);
    for (u32 k = 0; k < n; k++) {
        cr_assert(got[k].line == want[k].line && got[k].lanes == want[k].lanes && got[k].sectors == want[k].sectors);
        cr_assert(got[k].bytes[0] == want[k].bytes[0] && got[k].bytes[1] == want[k].bytes[1]);
    }
}

static void check_equals(const u64 *addr, u64 mask) {
    u32 distinct = 0, most = 0;
    for (u32 l = 0; l < WARP_MAX; l++) {
        u32 same = 0, before = 0;
        for (u32 k = 0; k < WARP_MAX && mask >> l & 1; k++)
            if (mask >> k & 1 && addr[k] == addr[l]) {
                same++;
                before += k < l;
            }
        most = same > most ? same : most;
        distinct += same && !before;
    }
    cr_assert(same_address(addr, mask) == most && distinct_addresses(addr, mask) == distinct);
}

/* Runs, strides, few and many different addresses, with whole, partial and sparse masks. */
static void draw(u64 *state, struct drawn *d) {
    const u32 bytes = d->bytes = 1u << random_next(state) % 5;
    u32 kind = (u32)(random_next(state) % 4), run = 1 + (u32)(random_next(state) % 64);
    u64 start = random_next(state) % 4096 / bytes * bytes, spread = (u64)1 << random_next(state) % 14;
    d->width = widths[random_next(state) % COUNT_OF(widths)];
    for (u32 l = 0; l < WARP_MAX; l++)
        d->addr[l] = start + bytes * (kind == 0 ? l : kind == 1 ? l * (spread % 67) : random_next(state) % spread);
    u32 pair = (u32)(random_next(state) % 8); /* 1, 2: lanes have the address of a neighbour, of the next but one */
    for (u32 l = 0; l < WARP_MAX && pair <= 2; l++)
        d->addr[l] = d->addr[l & ~pair];
    switch (random_next(state) % 4) {
    case 0: d->mask = full(d->width); break;
    case 1: d->mask = full(d->width) & full(64) >> (64 - run); break;
    case 2: d->mask = full(d->width) & full(64) << (run - 1); break;
    default: d->mask = full(d->width) & random_next(state) * 0x9e3779b97f4a7c15;
    }
}

Test(geometry, like_the_definitions) {
    u64 state = 88172645463325252;
    struct drawn d;
    for (u32 i = 0; i < 6000; i++) {
        draw(&state, &d);
        const struct board_shared s = {.banks = 1u << random_next(&state) % 7,
                                       .bank_bytes = 4u << random_next(&state) % 2};
        check_banks(i % 2 ? &usual : &s, i / 2 % 2, &d);
        check_lines(d.addr, d.mask, d.bytes);
        check_equals(d.addr, d.mask);
    }
}
