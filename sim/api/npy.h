/*
 * NumPy .npy files on memory, versions 1 to 3.
 *
 *   +---------+-------+----------+---------------------------------------------------------+------+
 *   | \x93    | major | length   | {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\n | data |
 *   | NUMPY   | minor | u16/u32  | a Python dictionary, padded with blanks                 |      |
 *   +---------+-------+----------+---------------------------------------------------------+------+
 *
 *   struct npy t;
 *   if (npy_read(bytes, len, &t, &diag))
 *       npy_copy(&t, data);                            little endian, in C order, whatever the file has
 *
 * Left out: structured types, text, times and Python objects. Each is refused with a list of accepted types.
 */
#ifndef HEDDLE_API_NPY_H
#define HEDDLE_API_NPY_H

#include "isa/program.h"
#include "sim/api/heddle.h"

struct npy {
    enum etype type;
    u32 ndim;
    u64 shape[HEDDLE_DIMS_MAX];
    u64 count;      /* elements */
    u64 bytes;      /* of the data */
    const u8 *data; /* in the bytes of the file; not aligned */
    bool fortran;   /* first dimension contiguous; only with two dimensions or more */
    bool big_endian;
};

/*
 * Computes elements and bytes of a shape. False if the bytes do not fit in 62 bits; a shape with a 0 in it is empty,
 * however large the other dimensions are.
 */
bool shape_size(enum etype type, u32 ndim, const u64 *shape, u64 *count, u64 *bytes);

/* Most bytes of data that are read: 4 GiB. */
#define NPY_MOST ((u64)1 << 32)

/*
 * Returns how many bytes to read of a file that begins with these, for reading piece by piece. `len` or less: npy_read
 * has all that it needs, to accept or refuse. It is one byte more than the header announces, to detect a longer file.
 */
u64 npy_wanted(const u8 *bytes, size_t len);

/* Reads a whole file. Errors name the first wrong byte of the file. */
bool npy_read(const u8 *bytes, size_t len, struct npy *out, struct diag *diag);

/* Writes the elements: t->bytes bytes, little endian, in C order. */
void npy_copy(const struct npy *t, u8 *to);

/* Describes the conversions of npy_copy; NULL if there are none. */
const char *npy_note(const struct npy *t);

/* Appends the file: version 1.0, data at a multiple of 64. Types that .npy lacks are written as uN of their size. */
void npy_write(const struct npy *t, struct buf *out);

#endif
