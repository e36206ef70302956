/* Do named buffers keep their place, type and bytes, and are impossible ones refused? */
#include "tests/lib/scoped.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/types.h"

static void says(const struct heddle *h, const char *message) {
    cr_assert(strcmp(heddle_error(h), message) == 0, "expected:\n%sgot:\n%s", message, heddle_error(h));
}

Test(buffers, buffers_keep_their_place) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_tensor a, b;
    const uint64_t shape[] = {2, 3}, six = 6, many = 1000;
    cr_assert(heddle_buffer(h, "a", "f32", 2, shape) && heddle_buffer(h, "b", "f64", 1, &six));
    cr_assert(heddle_buffer_get(h, "a", &a) && heddle_buffer_get(h, "b", &b));
    cr_assert(a.ndim == 2 && a.shape[1] == 3 && a.count == 6 && a.bytes == 24 && b.bytes == 48);
    cr_assert((uintptr_t)a.data % 64 == 0 && (uintptr_t)b.data % 64 == 0);
    cr_assert(a.address && b.address >= a.address + a.bytes);
    a.data[5] = 7;
    uint64_t was = a.address, b_was = b.address;
    cr_assert(heddle_buffer(h, "a", "u32", 1, &six) && heddle_buffer_get(h, "a", &a));
    cr_assert(a.address == was && a.data[5] == 0 && strcmp(a.type, "u32") == 0 && a.ndim == 1);
    cr_assert(heddle_buffer(h, "a", "u32", 1, &many) && heddle_buffer_get(h, "a", &a) && a.count == 1000);
    cr_assert(heddle_buffer_get(h, "b", &b) && b.address == b_was);
    cr_assert(heddle_buffer_count(h) == 2 && strcmp(heddle_buffer_name(h, 0), "a") == 0);
    cr_assert(heddle_buffer_name(h, 2) == NULL);
    cr_assert(heddle_buffer_drop(h, "a") && heddle_buffer_count(h) == 1 && !heddle_buffer_get(h, "a", &a));
    says(h, "heddle: error: there is no buffer 'a'; did you mean 'b'?\n");
}

Test(buffers, wrong_buffers_are_refused) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    const uint64_t huge[] = {1ull << 40, 1ull << 40}, large = 1ull << 41, one = 1;
    cr_assert(!heddle_buffer(h, "x", "f33", 1, &one));
    says(h, "heddle: error: buffer 'x': unknown type 'f33'; did you mean 'f32'?\n");
    cr_assert(!heddle_buffer(h, "x", "f32", 2, huge));
    says(h, "heddle: error: buffer 'x': the shape is larger than any memory\n");
    cr_assert(!heddle_buffer(h, "x", "f32", 1, &large));
    says(h, "heddle: error: buffer 'x' of 8,796,093,022,208 bytes is larger than the global memory of 2^40 bytes\n");
    cr_assert(!heddle_buffer(h, "x", "f32", 9, huge));
    says(h, "heddle: error: buffer 'x': 9 dimensions; at most 8\n");
    cr_assert(!heddle_buffer(h, "", "f32", 1, &one) && !heddle_buffer_drop(h, "x"));
    cr_assert(heddle_buffer_count(h) == 0);
}

Test(buffers, empty_and_scalar_buffers) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_tensor t;
    const uint64_t none = 0;
    cr_assert(heddle_buffer(h, "x", "f32", 1, &none) && heddle_buffer_get(h, "x", &t) && t.bytes == 0 && t.address);
    cr_assert(heddle_buffer(h, "y", "f64", 0, NULL) && heddle_buffer_get(h, "y", &t) && t.count == 1 && t.bytes == 8);
}

/* Buffers made and dropped many times do not exhaust the addresses. */
Test(buffers, many_buffers) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    char name[16];
    for (u32 i = 0; i < 3000; i++) {
        const uint64_t n = i % 7;
        snprintf(name, sizeof name, "b%u", i % 100);
        cr_assert(heddle_buffer(h, name, "u8", 1, &n), "%s", heddle_error(h));
        if (i % 3 == 0)
            cr_assert(heddle_buffer_drop(h, name));
    }
    cr_assert(heddle_buffer_count(h) <= 100);
}

Test(buffers, npy_through_the_door) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    struct heddle_tensor x, t;
    const uint64_t n = 5;
    size_t len;
    cr_assert(heddle_buffer(h, "x", "f32", 1, &n) && heddle_buffer_get(h, "x", &x));
    for (u32 i = 0; i < x.bytes; i++)
        x.data[i] = (u8)(i + 1);
    char *file = heddle_npy_write(h, "x", &len);
    cr_assert(file && len == 128 + 20, "%zu", len);
    cr_assert(heddle_npy_read(h, "z", "z.npy", file, len) && heddle_buffer_get(h, "z", &t));
    cr_assert(t.count == 5 && memcmp(t.data, x.data, 20) == 0);
    cr_assert(!heddle_npy_read(h, "z", "z.npy", file, len - 1));
    says(h, "z.npy: error: byte 147: the file is cut short: 20 bytes of data expected, got 19\n");
    cr_assert(heddle_buffer_get(h, "z", &t) && t.count == 5); /* as it was */
    cr_assert(!heddle_npy_write(h, "none", &len));
    heddle_release(file);
}

Test(buffers, raw_and_bf16_parameters_take_what_fits) {
    static const char text[] = ".kernel k\n.param a : b32[]\n.param b : bf16[]\n        exit\n";
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", text, strlen(text));
    const uint64_t n = 4;
    struct heddle_arg args[] = {{.name = "a", .buffer = "words"}, {.name = "b", .buffer = "halves"}};
    struct heddle_launch l = {.args = args, .nargs = 2};
    struct heddle_result r;
    cr_assert(p, "%s", heddle_error(h));
    cr_assert(heddle_buffer(h, "words", "i32", 1, &n) && heddle_buffer(h, "halves", "u16", 1, &n));
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_OK, "%s", heddle_error(h));
    cr_assert(r.block[0] == 32, "the default block is one warp");
    args[1].buffer = "words";
    cr_assert(heddle_launch(h, p, &l, &r) == HEDDLE_INPUT);
}
