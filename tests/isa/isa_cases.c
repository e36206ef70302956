#include "tests/isa/isa_cases.h"

#include <stdlib.h>

static const u32 int_corners[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x80000001, 2,
                                  3,          31,         32,         33,         0xffff,     0x10000,    0x8000,
                                  0x7fff,     0xff,       0x80,       0x55555555, 64,         63,         0xfffffffe,
                                  0x40000000, 0xc0000000, 0x12345678, 0x80008000, 0x00800080, 0xfffffff9, 7,
                                  0x10001,    10,         0x01000001, 0x01000003, 0xfeffffff, 0xffff8000, 255,
                                  256,        0x7f800000, 0x7f800001, 0xffc12345, 0xdeadbeef, 0xf0f0f0f0};

static const u64 long_corners[] = {0,
                                   1,
                                   ~(u64)0,
                                   (u64)1 << 63,
                                   ~(u64)0 >> 1,
                                   0x8000000000000001,
                                   0xffffffff,
                                   0x100000000,
                                   0x80000000,
                                   0x7fffffff,
                                   0xffffffff80000000,
                                   2,
                                   3,
                                   7,
                                   0xfffffffffffffff9,
                                   0x5555555555555555,
                                   0x123456789abcdef0,
                                   0x4000000000000000,
                                   0xc000000000000000,
                                   0x0020000000000001,
                                   0x0020000000000003,
                                   0x8000000080000000,
                                   0x100000001,
                                   0xfffffffe00000001,
                                   10,
                                   0x8000008000000001,
                                   0x8000018000000000,
                                   0x7fffffffffffffbf,
                                   0xfffffffffffffbff,
                                   0xfffffffffffffc00,
                                   0xffff,
                                   0x10000,
                                   0x7fe0,
                                   0x7ff0000000000001,
                                   0xffef,
                                   0xfff0};

static const u32 f32_corners[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc12345,
                                  0x7f800001, /* a signalling NaN */
                                  0xffc00000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x807fffff, 0x7f7fffff,
                                  0xff7fffff, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x40000000, 0x34000000, 0x33800000,
                                  0x4b000001, 0xffbfffff, 0x80800000, 0x00400000, 0xbf000000, 0x3fc00000, 0xbfc00000,
                                  0x40200000, 0xc0200000, 0x40490fdb, 0x3fc90fdb, 0x42480000, 0x4f000000, 0xcf000000,
                                  0x4effffff, 0x4f800000, 0x4f7fffff, 0x5f000000, 0x5f800000, 0xdf000000, 0x5f7fffff,
                                  0x477fefff, 0x477ff000, 0x477fe000, 0x38800000, 0x387fe000, 0x33000000, 0x33000001,
                                  0x32ffffff, 0x3f801000, 0x3f803000, 0x3f808000, 0x3f818000, 0x7f7f8000, 0x7f7f7fff,
                                  0x3eaaaaab, 0x4b7fffff, 0x4b800000, 0xc3150000, 0x42fe0000, 0xc2fc0000, 0x43000000,
                                  0x0d800000, 0x1f800000, 0x5e800000, 0x3effffff, 0x37000000, 0x36800000};

static const u64 f64_corners[] = {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
                                  0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000012345678, 0x7ff0000000000001,
                                  0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
                                  0x7fefffffffffffff, 0xffefffffffffffff, 0x3ff0000000000001, 0x3fefffffffffffff,
                                  0x3fe0000000000000, 0x4000000000000000, 0x3ca0000000000000, 0x3cb0000000000000,
                                  0x4330000000000001, 0xfff8000000000001, 0x8010000000000000, 0x0008000000000000,
                                  0xbfe0000000000000, 0x3ff8000000000000, 0xbff8000000000000, 0x4004000000000000,
                                  0xc004000000000000, 0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000,
                                  0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000,
                                  0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000, 0x43efffffffffffff,
                                  0x43f0000000000000, 0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000,
                                  0x3690000000000000, 0x3690000000000001, 0x36a0000000000000, 0x380fffffe0000000,
                                  0x380ffffff0000000, 0x3ff0000010000000, 0x3ff0000030000000, 0x40effc0000000000,
                                  0x40effe0000000000, 0x40effdffffffffff, 0x3e60000000000000, 0x3e70000000000000,
                                  0x3ff0020000000000, 0x3ff0020000000001, 0x3fd5555555555555, 0x47efefffffffffff,
                                  0x47eff00000000000, 0x433fffffffffffff, 0x432fffffffffffff};

static const u16 f16_corners[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e12, 0x7c01,
                                  0xfdff, 0x0001, 0x8001, 0x03ff, 0x0400, 0x83ff, 0x7bff, 0xfbff,
                                  0x3c01, 0x3bff, 0x3800, 0x4000, 0x1400, 0x1000, 0x6401, 0x0200,
                                  0xb800, 0x3e00, 0xbe00, 0x4100, 0xc100, 0x77ff, 0x7800, 0x3555};

static const u16 bf16_corners[] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc1, 0x7f81,
                                   0xffbf, 0x0001, 0x8001, 0x007f, 0x0080, 0x807f, 0x7f7f, 0xff7f,
                                   0x3f81, 0x3f7f, 0x3f00, 0x4000, 0x3c00, 0x3b80, 0x4301, 0x0040,
                                   0xbf00, 0x3fc0, 0xbfc0, 0x4020, 0xc020, 0x4f00, 0x5f00, 0x3eab};

static const u32 shift_corners[] = {0,  1,  2,  15,  16,  30,  31,  32,         33,
                                    63, 64, 65, 127, 128, 255, 256, 0x80000000, 0xffffffff};

static const u32 selector_corners[] = {0x3210, 0x7654, 0x0123, 0x4567, 0x0000, 0x7777, 0xba98, 0xfedc,
                                       0x8888, 0x6420, 0x7531, 0x5410, 0x3254, 0x10f7, 0xffff, 0x12343210};

#define GENERIC(v) (v) - 4, (v)-1, (v), (v) + 4, (v) + 0xfffffffc
static const u64 generic_corners[] = {0,
                                      0x10000000,
                                      GENERIC(WINDOW_SHARED),
                                      GENERIC(WINDOW_LOCAL),
                                      GENERIC(WINDOW_CONST),
                                      GENERIC(WINDOW_PARAM),
                                      GENERIC((u64)5 << 40),
                                      ~(u64)0,
                                      WINDOW_SHARED + 0x100000000,
                                      (u64)1 << 63};

bool corner_value(char type, u32 i, u64 *value) {
    switch (type) {
#define FROM(letter, list) \
    case letter: *value = i < COUNT_OF(list) ? list[i] : 0; return i < COUNT_OF(list);
        FROM('i', int_corners)
        FROM('I', long_corners)
        FROM('f', f32_corners)
        FROM('r', f32_corners)
        FROM('F', f64_corners)
        FROM('s', shift_corners)
        FROM('k', selector_corners)
        FROM('g', generic_corners)
        FROM('H', f16_corners)
        FROM('W', bf16_corners)
#undef FROM
    case 'h':
        *value = f16_corners[i % COUNT_OF(f16_corners)] | (u64)f16_corners[(i * 7 + 3) % COUNT_OF(f16_corners)] << 16;
        return i < COUNT_OF(f16_corners);
    case 'w':
        *value = bf16_corners[i % COUNT_OF(bf16_corners)] | (u64)bf16_corners[(i * 7 + 3) % COUNT_OF(bf16_corners)]
                                                                << 16;
        return i < COUNT_OF(bf16_corners);
    case 'p': *value = i; return i < 2;
    default: /* 'n' stands in the text */ *value = 0; return i < 1;
    }
}

/* Numbers of a middling exponent and few bits: sums that cancel, products that tie. */
static u64 random_float(const struct fmt *f, u64 *seed) {
    u64 v = rig_random(seed);
    u64 bias = ((u64)1 << (f->ebits - 1)) - 1, spread = bias / 4;
    u64 exponent = bias - spread + rig_random(seed) % (2 * spread + 1);
    u64 fraction = v & (((u64)1 << f->mbits) - 1);
    if (v >> 62 == 0)
        fraction &= ~(u64)0 << (f->mbits - f->mbits / 2);
    return (v >> 61 & 1) << (f->ebits + f->mbits) | exponent << f->mbits | fraction;
}

static u64 random_value(char type, u64 *seed) {
    u64 v = rig_random(seed);
    bool any_bits = v >> 60 < 4;
    switch (type) {
    case 'f':
    case 'r': return any_bits ? (u32)v : random_float(&FMT_F32, seed);
    case 'F': return any_bits ? v : random_float(&FMT_F64, seed);
    case 'h': return any_bits ? (u32)v : random_float(&FMT_F16, seed) << 16 | random_float(&FMT_F16, seed);
    case 'w': return any_bits ? (u32)v : random_float(&FMT_BF16, seed) << 16 | random_float(&FMT_BF16, seed);
    case 's': return v % 70;
    case 'p': return v & 1;
    case 'g': return v >> (v & 31);
    case 'I': return any_bits ? v : rig_random(seed) >> (v & 63);
    case 'i': return any_bits ? (u32)v : (u32)rig_random(seed) >> (v & 31);
    default: return (u32)v;
    }
}

static bool is_wide(char type) {
    return type == 'I' || type == 'F' || type == 'g';
}

struct lane_state case_make(const char *types, const u64 v[3], const u64 beside[3], u64 *seed) {
    struct lane_state k = {.preds = (u32)rig_random(seed) & 31};
    for (u32 i = 0; i < 8; i++)
        k.r[i] = (u32)rig_random(seed);
    for (u32 i = 0; i < 3 && types[i]; i++) {
        if (types[i] == 'p') {
            k.preds = (k.preds & ~(2u << i)) | (u32)v[i] << (i + 1);
        } else if (types[i] != 'n') {
            k.r[2 * i] = (u32)v[i];
            k.r[2 * i + 1] = (u32)(is_wide(types[i]) ? v[i] >> 32 : beside[i]);
        }
    }
    return k;
}

struct cases cases_make(const char *types, u64 seed) {
    u32 count[3] = {1, 1, 1}, operands = 0;
    char type[4] = {0};
    for (; operands < 3 && types[operands]; operands++)
        type[operands] = types[operands];
    u64 unused;
    /* Three operands: the first corners of each list are the important ones. */
    u32 most = operands == 3 ? 26 : 1000;
    for (u32 i = 0; i < operands; i++)
        while (count[i] < most && corner_value(type[i], count[i], &unused))
            count[i]++;
    bool halves = operands == 1 && (type[0] == 'H' || type[0] == 'W');
    u32 cross = count[0] * count[1] * count[2], random = halves ? 0x10000 : operands == 1 ? 10000 : 3000;
    struct cases c = {.n = cross + random};
    c.list = calloc(c.n, sizeof *c.list);
    for (u32 k = 0; k < c.n; k++) {
        u64 v[3], beside[3];
        u32 index[3] = {k % count[0], k / count[0] % count[1], k / count[0] / count[1]};
        for (u32 i = 0; i < 3; i++) {
            if (k < cross)
                corner_value(type[i], index[i], &v[i]);
            else
                v[i] = random_value(type[i], &seed);
            corner_value(type[i], (index[i] * 5 + 1) % count[i], &beside[i]);
        }
        if (halves && k >= cross)
            v[0] = (k - cross) | (rig_random(&seed) & 0xffff0000); /* every one there is */
        c.list[k] = case_make(type, v, beside, &seed);
    }
    return c;
}

struct cases cases_sample(const struct cases *from, u32 n) {
    if (n > from->n)
        n = from->n;
    struct cases c = {.n = n, .list = calloc(n, sizeof *c.list)};
    for (u32 i = 0; i < n; i++)
        c.list[i] = from->list[(u64)i * from->n / n];
    return c;
}

void cases_free(struct cases *c) {
    free(c->list);
    *c = (struct cases){0};
}
