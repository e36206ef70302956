/*
 * NumPy .npy files on memory, versions 1 to 3, little endian, C order.
 *
 *   +---------+-------+----------+---------------------------------------------------------+------+
 *   | \x93    | major | length   | {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\n | data |
 *   | NUMPY   | minor | u16/u32  | a Python dictionary, padded with blanks                 |      |
 *   +---------+-------+----------+---------------------------------------------------------+------+
 *
 *   struct npy t;
 *   if (npy_read(bytes, len, &t, &diag))
 *       use(t.type, t.ndim, t.shape, t.data);
 *
 * What is left out: Fortran order of more than one dimension, big endian, structured and Python types. Each is refused
 * with what would be accepted.
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

/* Appends the file: version 1.0, data at a multiple of 64. Types that .npy lacks are written as uN of their size. */
void npy_write(const struct npy *t, struct buf *out);

#endif
