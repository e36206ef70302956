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
 * What is left out: structured types, text, times and Python objects. Each is refused with what would be accepted.
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
    const u8 *data; /* in the file's bytes; not aligned */
    bool fortran;   /* of two dimensions or more: the first is that of neighbours */
    bool big_endian;
};

/*
 * Elements and bytes of a shape. False when the bytes do not fit in 62 bits; a shape with a 0 in it is empty, however
 * large the other dimensions are.
 */
bool shape_size(enum etype type, u32 ndim, const u64 *shape, u64 *count, u64 *bytes);

/* Bytes of data that are read, at most: 4 GiB. */
#define NPY_MOST ((u64)1 << 32)

/*
 * For whoever reads a file piece by piece: how many bytes of it are wanted, when it begins with these. Not more than
 * `len`: all that npy_read needs is there, whether it accepts it or not. One byte more than the header announces is
 * wanted, to see whether the file goes on.
 */
u64 npy_wanted(const u8 *bytes, size_t len);

/* Reads a whole file. Errors name the byte of the file where it stops being one. */
bool npy_read(const u8 *bytes, size_t len, struct npy *out, struct diag *diag);

/* Writes the elements: t->bytes bytes, little endian, in C order. */
void npy_copy(const struct npy *t, u8 *to);

/* What npy_copy converts, in words; NULL: nothing. */
const char *npy_note(const struct npy *t);

/* Appends the file: version 1.0, data at a multiple of 64. Types that .npy lacks are written as uN of their size. */
void npy_write(const struct npy *t, struct buf *out);

#endif
