/*
 * Included before each source file of Lua: its errors leave C as exceptions of JavaScript, since WebAssembly has no
 * longjmp that every browser supports. scripts/web/heddle.js throws and catches them; `f` and `ud` are the names of
 * luaD_rawrunprotected in ldo.c, the only place that catches.
 */
#ifndef HEDDLE_WEB_THROW_H
#define HEDDLE_WEB_THROW_H

#ifdef __wasm__
#define IMPORT(name) __attribute__((import_module("heddle"), import_name(#name)))
#else
#define IMPORT(name) /* never linked elsewhere */
#endif

struct lua_State;
IMPORT(throw) _Noreturn void heddle_throw(void);
IMPORT(try) int heddle_try(void (*f)(struct lua_State *, void *), struct lua_State *L, void *ud);

#define _SETJMP_H /* wasi-libc's own setjmp.h refuses to be included */
#define luai_jmpbuf int
#define LUAI_THROW(L, c) heddle_throw()
#define LUAI_TRY(L, c, a) \
    if (heddle_try(f, L, ud) && (c)->status == 0) \
        (c)->status = -1;

/* os.tmpname has no folder for temporary files. */
#define LUA_TMPNAMBUFSIZE 1
#define lua_tmpnam(b, e) ((void)(b), e = 1)

#endif
