/* Is a .npy file read and written as NumPy means it, and is anything else refused with a reason? */
#include "sim/api/npy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file of version `major` with this dictionary, followed by `data` bytes 0, 1, 2, ... */
static struct buf file_of(u32 major, const char *header, size_t data) {
    struct buf f = {0};
    buf_append(&f, "\x93NUMPY", 6);
    buf_putc(&f, (char)major);
    buf_putc(&f, 0);
    if (major == 1)
        buf_u16(&f, (u16)strlen(header));
    else
        buf_u32(&f, (u32)strlen(header));
    buf_puts(&f, header);
    for (size_t i = 0; i < data; i++)
        buf_putc(&f, (char)i);
    return f;
}

static bool read_into(const struct buf *f, struct npy *t, struct buf *words) {
    struct diag diag = {.file = "x.npy"};
    /* A copy of the exact size, so that reading past its end is seen. */
    u8 *copy = malloc(f->len ? f->len : 1);
    memcpy(copy, f->data ? f->data : "", f->len);
    bool ok = npy_read(copy, f->len, t, &diag);
    diag_render(&diag, words);
    t->data = ok ? (const u8 *)f->data + (t->data - copy) : NULL;
    free(copy);
    cr_assert(ok == (diag.errors == 0), "%s", words->data);
    return ok;
}

static void taken(const char *header, enum etype type, u32 ndim, const u64 *shape, size_t data) {
    for (u32 major = 1; major <= 3; major++) {
        SCOPED(buf_free) struct buf f = file_of(major, header, data), words = {0};
        struct npy t;
        cr_assert(read_into(&f, &t, &words), "version %u: %s%s", major, header, words.data);
        cr_assert(t.type == type && t.ndim == ndim && t.bytes == data, "version %u: %s", major, header);
        cr_assert(ndim == 0 || memcmp(t.shape, shape, ndim * sizeof *shape) == 0, "version %u: %s", major, header);
        cr_assert(data == 0 || (t.data[0] == 0 && t.data[data - 1] == (u8)(data - 1)));
    }
}

static void refused_bytes(struct buf *f, const char *message) {
    SCOPED(buf_free) struct buf words = {0};
    struct npy t;
    cr_assert(!read_into(f, &t, &words), "was taken; expected: %s", message);
    cr_assert(strcmp(words.data, message) == 0, "expected: %sgot:      %s", message, words.data);
    buf_free(f);
}

static void refused(const char *header, size_t data, const char *message) {
    struct buf f = file_of(1, header, data);
    refused_bytes(&f, message);
}

Test(npy, headers_in_every_spelling) {
    const u64 shape[] = {2, 3}, five[] = {5};
    taken("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }        \n", ET_F32, 2, shape, 24);
    taken("{\"shape\":(2,3,),\"descr\":\"<f4\",\"fortran_order\":False}", ET_F32, 2, shape, 24);
    taken(" {\t'fortran_order' :False ,\n'shape' : ( 2 , 3 ) , 'descr':'<f4' } \r\n", ET_F32, 2, shape, 24);
    taken("{'descr': u'<f4', 'fortran_order': False, 'shape': (2L, 3L)}", ET_F32, 2, shape, 24);
    taken("{'descr': 'f4', 'fortran_order': False, 'shape': (2, 3)}", ET_F32, 2, shape, 24);
    taken("{'descr': '=f4', 'fortran_order': False, 'shape': (2, 3)}", ET_F32, 2, shape, 24);
    taken("{'descr': '>u1', 'fortran_order': False, 'shape': (5,)}", ET_U8, 1, five, 5);
    taken("{'descr': '|u1', 'fortran_order': True, 'shape': (5,)}", ET_U8, 1, five, 5);
}

Test(npy, every_type) {
    for (u32 e = 0; e < ET_COUNT; e++) {
        char header[100];
        const u64 shape[] = {3};
        if (!etypes[e].descr)
            continue;
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (3,)}", etypes[e].descr);
        taken(header, (enum etype)e, 1, shape, 3 * etypes[e].bytes);
    }
}

Test(npy, scalars_and_empty_arrays) {
    const u64 none[] = {0}, half[] = {4, 0, 9223372036854775807u};
    taken("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", ET_F64, 0, NULL, 8);
    taken("{'descr': '<f8', 'fortran_order': False, 'shape': (0,)}", ET_F64, 1, none, 0);
    taken("{'descr': '<f8', 'fortran_order': False, 'shape': (4, 0, 9223372036854775807)}", ET_F64, 3, half, 0);
}

#define ACCEPTED "accepted are bool, i8 to i64, u8 to u64, f16, f32, f64 and complex64\n"

Test(npy, types_that_are_refused) {
    static const struct {
        const char *descr, *says;
    } types[] = {
        {"'|O'", "type '|O' holds Python objects; "},
        {"'<U5'", "type '<U5' holds text; "},
        {"'|S5'", "type '|S5' holds text; "},
        {"'<M8[s]'", "type '<M8[s]' holds times; "},
        {"'|V4'", "type '|V4' holds bytes without a meaning; "},
        {"[('a', '<f4')]", "a structured type; "},
        {"'<c16'", "type '<c16' is complex of another size; save array.astype('complex64'); "},
        {"'>f16'", "type '>f16' is floating point of another size; save array.astype('float64'); "},
        {"''", "type ''; "},
    };
    for (u32 i = 0; i < COUNT_OF(types); i++) {
        char header[100], message[300];
        snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (1,)}", types[i].descr);
        snprintf(message, sizeof message, "x.npy: error: byte 20: %s" ACCEPTED, types[i].says);
        refused(header, 4, message);
    }
}

/* The element at an index of a shape, by the definition of both orders. */
static u64 place(const u64 *shape, u32 ndim, const u64 *at, bool fortran) {
    u64 n = 0;
    for (u32 k = 0; k < ndim; k++) {
        u32 d = fortran ? ndim - 1 - k : k;
        n = n * shape[d] + at[d];
    }
    return n;
}

/* Every type and shape in both orders of elements and of bytes: each byte is where the definition puts it. */
Test(npy, orders_are_converted) {
    static const u64 shapes[][4] = {{5}, {2, 3}, {3, 1, 4}, {2, 3, 2, 5}, {0, 3}, {4, 0}};
    static const u32 dims[] = {1, 2, 3, 4, 2, 2};
    for (u32 run = 0; run < 4 * ET_COUNT * COUNT_OF(dims); run++) {
        bool fortran = run & 1, big = run & 2;
        u32 e = run / 4 % ET_COUNT, s = run / 4 / ET_COUNT, ndim = dims[s], size = etypes[e].bytes;
        u32 part = etypes[e].kind == ETYPE_COMPLEX ? size / 2 : size;
        char shape[60] = "", header[200];
        u64 count = 1;
        if (!etypes[e].descr)
            continue;
        for (u32 d = 0; d < ndim; d++) {
            snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%llu,", (unsigned long long)shapes[s][d]);
            count *= shapes[s][d];
        }
        snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%s)}", big ? '>' : '<',
                 etypes[e].descr + 1, fortran ? "True" : "False", shape);
        SCOPED(buf_free) struct buf f = file_of(1, header, count * size), words = {0};
        struct npy t;
        u8 got[500];
        cr_assert(read_into(&f, &t, &words), "%s: %s", header, words.data);
        npy_copy(&t, got);
        cr_assert((npy_note(&t) != NULL) == ((fortran && ndim > 1) || (big && size > 1)), "%s", header);
        for (u64 i = 0; i < count; i++) {
            u64 at[4], rest = i;
            for (u32 d = ndim; d-- > 0; rest /= shapes[s][d])
                at[d] = rest % shapes[s][d];
            u64 from = place(shapes[s], ndim, at, fortran) * size;
            for (u32 b = 0; b < size; b++)
                cr_assert(got[i * size + b] == (u8)(from + (big ? b / part * part + part - 1 - b % part : b)),
                          "%s: element %llu", header, (unsigned long long)i);
        }
    }
}

Test(npy, broken_headers) {
    refused("{'descr': '<f4', 'fortran_order': False, 'shape': (1,", 0,
            "x.npy: error: byte 63: the header ends where a dimension is expected\n");
    refused("{'descr': '<f4', 'fortran_order': False}", 0, "x.npy: error: byte 10: the header has no 'shape'\n");
    refused("{'descr': '<f4', 'descr': '<f4'}", 0, "x.npy: error: byte 27: key 'descr' for the second time\n");
    refused("{'desc': '<f4'}", 0, "x.npy: error: byte 11: unknown key 'desc'; did you mean 'descr'?\n");
    refused("{'descr' '<f4'}", 0, "x.npy: error: byte 19: expected ':', found '''\n");
    refused("{'descr': '<f4}", 0, "x.npy: error: byte 20: a string that does not end\n");
    refused("['descr']", 0, "x.npy: error: byte 10: expected '{' of the header, found '['\n");
    refused("{'fortran_order': false}", 0, "x.npy: error: byte 28: expected True or False, found 'f'\n");
    refused("{'shape': (-1,)}", 0, "x.npy: error: byte 21: a dimension is negative\n");
    refused("{'shape': (9223372036854775808,)}", 0, "x.npy: error: byte 21: a dimension is larger than 2^63 - 1\n");
    refused("{'shape': (1,1,1,1,1,1,1,1,1)}", 0, "x.npy: error: byte 37: more than 8 dimensions\n");
    refused("{'shape': (1 2)}", 0, "x.npy: error: byte 23: expected ',' or ')', found '2'\n");
    refused("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", 4,
            "x.npy: error: byte 64: expected the end of the header, found 'x'\n");
    refused("{'\x01\xff': 1}", 0, "x.npy: error: byte 11: unknown key '\\x01\\xff'\n");
    refused("", 0, "x.npy: error: byte 10: the header ends where '{' of the header is expected\n");
}

#define F4_4 "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}"

Test(npy, sizes) {
    refused(F4_4, 15, "x.npy: error: byte 80: the file is cut short: 16 bytes of data expected, got 15\n");
    refused(F4_4, 0, "x.npy: error: byte 65: the file is cut short: 16 bytes of data expected, got 0\n");
    refused(F4_4, 18, "x.npy: error: byte 81: bytes after the data, which are 16\n");
    refused("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 4,
            "x.npy: error: byte 85: the shape is larger than any memory\n");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}", 4,
            "x.npy: error: byte 83: the shape is larger than any memory\n");
}

Test(npy, files_that_are_none) {
    struct buf f = {0};
    refused_bytes(&f, "x.npy: error: byte 0: the file is empty\n");
    buf_puts(&f, "PK\3\4 a zip file");
    refused_bytes(&f, "x.npy: error: byte 0: a .npz file, or another zip archive; "
                      "unzip it: each of its arrays is a .npy file\n");
    buf_append(&f, "\x93NUM", 4);
    refused_bytes(&f, "x.npy: error: byte 4: the file ends in its first 10 bytes\n");
    f = file_of(4, F4_4, 16);
    refused_bytes(&f, "x.npy: error: byte 6: version 4.0; accepted are 1.0, 2.0 and 3.0\n");
    f = file_of(2, F4_4, 16);
    f.len = 40;
    refused_bytes(&f, "x.npy: error: byte 40: the file ends in the header: 55 bytes expected, got 28\n");
    f = file_of(3, F4_4, 16);
    f.len = 11;
    refused_bytes(&f, "x.npy: error: byte 11: the file ends in its first 12 bytes\n");
}

/* Every truncated file is refused, and nothing past its end is read. */
Test(npy, every_cut_of_a_file) {
    for (u32 major = 1; major <= 3; major++) {
        SCOPED(buf_free) struct buf f = file_of(major, F4_4, 16);
        size_t len = f.len;
        for (f.len = 0; f.len < len; f.len++) {
            SCOPED(buf_free) struct buf words = {0};
            struct npy t;
            cr_assert(!read_into(&f, &t, &words), "%zu bytes of %zu", f.len, len);
        }
    }
}

static void round_trip(enum etype type, u32 ndim, const u64 *shape) {
    static const u8 data[24 * 8] = {1, 2, 3, 250, 251, 252};
    struct npy t = {.type = type, .ndim = ndim, .data = data}, back;
    SCOPED(buf_free) struct buf f = {0}, words = {0};
    if (ndim)
        memcpy(t.shape, shape, ndim * sizeof *shape);
    cr_assert(shape_size(type, ndim, t.shape, &t.count, &t.bytes) && t.bytes <= sizeof data);
    npy_write(&t, &f);
    cr_assert((f.len - t.bytes) % 64 == 0, "the data starts at %zu", f.len - t.bytes);
    cr_assert(f.data[f.len - t.bytes - 1] == '\n');
    cr_assert(read_into(&f, &back, &words), "%s", words.data);
    cr_assert(back.ndim == ndim && back.bytes == t.bytes && memcmp(back.data, data, t.bytes) == 0);
    cr_assert(ndim == 0 || memcmp(back.shape, t.shape, ndim * sizeof *shape) == 0);
    if (etypes[type].descr)
        cr_assert(back.type == type);
    else /* .npy has no bf16 and no bN */
        cr_assert(etypes[back.type].bytes == etypes[type].bytes && etypes[back.type].name[0] == 'u');
}

Test(npy, what_is_written_is_read_back) {
    const u64 shape[] = {2, 3, 4}, none[] = {0};
    for (u32 e = 0; e < ET_COUNT; e++)
        for (u32 ndim = 0; ndim <= 3; ndim++)
            round_trip((enum etype)e, ndim, shape);
    round_trip(ET_F32, 1, none);
}

/* ---- against NumPy itself ---- */

/* NumPy writes o0.npy, o1.npy, ... of every type, several shapes and all versions, and lists our names of the types. */
static const char numpy_writes[] =
    "import numpy as np\n"
    "n = 0\n"
    "for t, name in dict(zip('? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8'.split(),\n"
    "        'bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64'.split())).items():\n"
    "    for shape in (), (5,), (0,), (2, 3), (1, 2, 3, 4):\n"
    "        a = (np.arange(np.prod(shape)) * 7 % 5).reshape(shape).astype(t)\n"
    "        with open(f'o{n}.npy', 'wb') as f: np.lib.format.write_array(f, a, version=(n % 3 + 1, 0))\n"
    "        print(name)\n"
    "        n += 1\n";

/* NumPy reads the arrays that heddle wrote, i0.npy, ..., as the same. */
static const char numpy_reads[] = "import numpy as np\n"
                                  "for n in range(65):\n"
                                  "    a, b = np.load(f'i{n}.npy'), np.load(f'o{n}.npy')\n"
                                  "    assert a.dtype == b.dtype and a.shape == b.shape and (a == b).all(), n\n";

/* Runs a program in the current folder with its output in `log`. */
static bool python(const char *program, const char *log) {
    char command[200];
    FILE *f = fopen("program.py", "w");
    cr_assert(f && fputs(program, f) >= 0 && fclose(f) == 0);
    snprintf(command, sizeof command, "/usr/bin/python3 program.py >%s 2>&1", log);
    return system(command) == 0;
}

static struct buf slurp(const char *path) {
    struct buf f = {0};
    FILE *in = fopen(path, "rb");
    cr_assert(in, "%s", path);
    for (int c; (c = fgetc(in)) != EOF;)
        buf_putc(&f, (char)c);
    fclose(in);
    buf_append(&f, "", 0);
    return f;
}

static void through_heddle(u32 n, const char *type) {
    char path[32];
    snprintf(path, sizeof path, "o%u.npy", n);
    SCOPED(buf_free) struct buf f = slurp(path), words = {0}, again = {0};
    struct npy t;
    cr_assert(read_into(&f, &t, &words), "%s: %s", path, words.data);
    cr_assert(strcmp(etypes[t.type].name, type) == 0, "%s read as %s", type, etypes[t.type].name);
    npy_write(&t, &again);
    snprintf(path, sizeof path, "i%u.npy", n);
    FILE *out = fopen(path, "wb");
    cr_assert(out && fwrite(again.data, 1, again.len, out) == again.len && fclose(out) == 0);
}

Test(npy, numpy_agrees) {
    char folder[] = "/tmp/heddle-npy-XXXXXX", command[64];
    cr_assert(mkdtemp(folder) && chdir(folder) == 0);
    bool there = python("import numpy", "log");
    if (there) {
        cr_assert(python(numpy_writes, "types"));
        SCOPED(buf_free) struct buf types = slurp("types");
        u32 n = 0;
        for (char *name = strtok(types.data, "\n"); name; name = strtok(NULL, "\n"))
            through_heddle(n++, name);
        cr_assert(n == 65, "%u files", n);
        bool same = python(numpy_reads, "log");
        SCOPED(buf_free) struct buf log = slurp("log");
        cr_assert(same, "%s", log.data);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert(system(command) == 0);
    if (!there)
        cr_skip_test("there is no NumPy for /usr/bin/python3");
}

Test(npy, a_reader_wants_what_the_header_announces) {
    for (u32 major = 1; major <= 3; major++) {
        SCOPED(buf_free) struct buf f = file_of(major, F4_4, 16);
        const u8 *bytes = (const u8 *)f.data;
        size_t front = f.len - 16;
        for (size_t len = 0; len < front; len++)
            cr_assert(npy_wanted(bytes, len) > len && npy_wanted(bytes, len) <= front, "version %u: %zu", major, len);
        for (size_t len = front; len <= f.len; len++)
            cr_assert(npy_wanted(bytes, len) == f.len + 1, "version %u: %zu", major, len);
    }
    static const u8 zeros[64];
    cr_assert(npy_wanted(zeros, 12) == 12 && npy_wanted(zeros, 1) == 1);
    SCOPED(buf_free) struct buf broken = file_of(1, "{'descr': 'x'}", 4);
    cr_assert(npy_wanted((const u8 *)broken.data, broken.len) == broken.len);
}

Test(npy, what_would_fill_the_memory_is_refused) {
    struct buf f = file_of(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1073741825,)}", 4);
    cr_assert(npy_wanted((const u8 *)f.data, f.len) == f.len);
    refused_bytes(&f,
                  "x.npy: error: byte 74: 4,294,967,300 bytes of data are announced; at most 4,294,967,296 are read\n");
    struct buf head = file_of(2, "", 0);
    head.data[10] = 0x11; /* 0x110000 bytes */
    cr_assert(npy_wanted((const u8 *)head.data, head.len) == head.len);
    refused_bytes(&head, "x.npy: error: byte 8: a header of 1,114,112 bytes; at most 1,048,576 are read\n");
}
