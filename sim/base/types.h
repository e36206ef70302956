/* Integer names used everywhere, and the few macros that every layer needs. */
#ifndef HEDDLE_BASE_TYPES_H
#define HEDDLE_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#if defined(__GNUC__)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define NOINLINE __attribute__((noinline))
#define UNUSED __attribute__((unused))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define SCOPED(drop) __attribute__((cleanup(drop))) /* a variable: drop(&it) where its scope ends */
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define PRINTF_LIKE(fmt, args)
#define NOINLINE
#define UNUSED
#define ALWAYS_INLINE inline
#endif

/* A state that only a mistake in heddle itself can reach: report where, and abort. */
#define BUG(what) heddle_bug(__FILE__, __LINE__, what)
_Noreturn void heddle_bug(const char *file, int line, const char *what);

#endif
