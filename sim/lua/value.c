/*
 * One element between memory and Lua: integers are checked against their range, 64-bit ones pass exactly, and the two
 * 16-bit floating-point formats are rounded once, to nearest even.
 */
#include "sim/lua/module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct element element_of(const char *type) {
    static const struct {
        const char *letters;
        enum element_kind kind;
    } kinds[] = {{"bool", ELEMENT_BOOL},  {"bf", ELEMENT_BRAIN}, {"b", ELEMENT_UNSIGNED}, {"i", ELEMENT_SIGNED},
                 {"u", ELEMENT_UNSIGNED}, {"f", ELEMENT_FLOAT},  {"c", ELEMENT_COMPLEX}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        size_t n = strlen(kinds[i].letters);
        if (strncmp(type, kinds[i].letters, n) == 0) {
            u32 bits = (u32)strtoul(type + n, NULL, 10);
            return (struct element){kinds[i].kind, bits >= 8 ? bits / 8 : 1};
        }
    }
    return (struct element){ELEMENT_UNSIGNED, 1};
}

/* ---- 16-bit floating point ---- */

static double half_to_double(u16 h) {
    u32 exponent = h >> 10 & 31, fraction = h & 1023;
    double v = exponent == 31 ? (fraction ? NAN : INFINITY)
               : exponent     ? ldexp(1024.0 + fraction, (int)exponent - 25)
                              : ldexp(fraction, -24);
    return h & 0x8000 ? -v : v;
}

/*
 * Rounds |d| to a format of `digits` significant bits whose smallest normal number is 2^least and returns the magnitude
 * bits; a number that is too large becomes infinity, because a carry out of the fraction enters the exponent.
 */
static u16 narrow(double d, int digits, int least, u16 infinity) {
    u16 sign = signbit(d) ? 0x8000 : 0;
    d = fabs(d);
    if (isnan(d))
        return (u16)(sign | infinity | 1u << (digits - 2));
    int e;
    frexp(d, &e); /* d = m * 2^e, 1/2 <= m < 1 */
    e = d == 0 || e - 1 < least ? least : e - 1;
    if (isinf(d) || e - least >= infinity >> (digits - 1))
        return sign | infinity;
    double steps = nearbyint(ldexp(d, digits - 1 - e)); /* in units of the last place, at most 2^digits */
    u32 bits = (u32)steps + ((u32)(e - least) << (digits - 1));
    return (u16)(sign | (bits < infinity ? bits : infinity));
}

/* ---- bytes to Lua ---- */

static u64 load(const u8 *p, u32 size) {
    u64 v = 0;
    for (u32 i = 0; i < size; i++)
        v |= (u64)p[i] << 8 * i;
    return v;
}

static void store(u8 *p, u32 size, u64 v) {
    for (u32 i = 0; i < size; i++)
        p[i] = (u8)(v >> 8 * i);
}

static double float_load(const u8 *p, u32 size) {
    float f;
    double d;
    if (size == 2)
        return half_to_double((u16)load(p, 2));
    if (size == 4) {
        memcpy(&f, p, sizeof f);
        return f;
    }
    memcpy(&d, p, sizeof d);
    return d;
}

void element_push(lua_State *L, struct element e, const u8 *p) {
    u64 v = e.kind == ELEMENT_COMPLEX ? 0 : load(p, e.size);
    u32 unused = 64 - 8 * e.size;
    switch (e.kind) {
    case ELEMENT_BOOL: lua_pushboolean(L, v != 0); break;
    case ELEMENT_SIGNED: lua_pushinteger(L, (lua_Integer)(v << unused) >> unused); break;
    case ELEMENT_UNSIGNED: lua_pushinteger(L, (lua_Integer)v); break;
    case ELEMENT_FLOAT: lua_pushnumber(L, float_load(p, e.size)); break;
    case ELEMENT_BRAIN: {
        u8 wide[4] = {0, 0, p[0], p[1]}; /* the upper half of an fp32 */
        lua_pushnumber(L, float_load(wide, 4));
        break;
    }
    case ELEMENT_COMPLEX: {
        double re = float_load(p, e.size / 2), im = float_load(p + e.size / 2, e.size / 2);
        lua_createtable(L, 2, 0);
        lua_pushnumber(L, re);
        lua_rawseti(L, -2, 1);
        lua_pushnumber(L, im);
        lua_rawseti(L, -2, 2);
        break;
    }
    }
}

/* ---- Lua to bytes ---- */

static const char *integer_read(lua_State *L, int index, struct element e, u8 *p) {
    if (lua_type(L, index) != LUA_TNUMBER)
        return "number expected";
    int whole;
    lua_Integer v = lua_tointegerx(L, index, &whole);
    double d = lua_tonumber(L, index);
    bool is_signed = e.kind == ELEMENT_SIGNED;
    if (!whole && !is_signed && e.size == 8 && d >= 0x1p63 && d < 0x1p64) {
        store(p, 8, (u64)d);
        return NULL;
    }
    if (!whole)
        return d == floor(d) ? "number out of the type's range" : "number has no integer representation";
    u32 bits = 8 * e.size;
    if (bits < 64) {
        lua_Integer low = is_signed ? -((lua_Integer)1 << (bits - 1)) : 0;
        lua_Integer high = ((lua_Integer)1 << (is_signed ? bits - 1 : bits)) - 1;
        if (v < low || v > high)
            return "number out of the type's range";
    }
    store(p, e.size, (u64)v);
    return NULL;
}

static const char *float_read(lua_State *L, int index, struct element e, u8 *p) {
    if (lua_type(L, index) != LUA_TNUMBER)
        return "number expected";
    double d = lua_tonumber(L, index);
    /* converts integers to fp32 directly: through a double they would be rounded twice */
    float f = lua_isinteger(L, index) ? (float)lua_tointeger(L, index) : (float)d;
    if (e.kind == ELEMENT_BRAIN)
        store(p, 2, narrow(d, 8, -126, 0x7f80));
    else if (e.size == 2)
        store(p, 2, narrow(d, 11, -14, 0x7c00));
    else if (e.size == 4)
        memcpy(p, &f, sizeof f);
    else
        memcpy(p, &d, sizeof d);
    return NULL;
}

static const char *complex_read(lua_State *L, int index, struct element e, u8 *p) {
    struct element half = {ELEMENT_FLOAT, e.size / 2};
    if (lua_type(L, index) == LUA_TNUMBER) {
        store(p + half.size, half.size, 0);
        return float_read(L, index, half, p);
    }
    if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) != 2)
        return "number or {re, im} expected";
    index = lua_absindex(L, index);
    const char *wrong = NULL;
    for (int i = 0; i < 2 && !wrong; i++) {
        lua_rawgeti(L, index, i + 1);
        wrong = float_read(L, -1, half, p + (u32)i * half.size);
        lua_pop(L, 1);
    }
    return wrong;
}

const char *element_read(lua_State *L, int index, struct element e, u8 *p) {
    switch (e.kind) {
    case ELEMENT_BOOL:
        if (lua_type(L, index) == LUA_TBOOLEAN)
            *p = (u8)lua_toboolean(L, index);
        else if (lua_type(L, index) == LUA_TNUMBER)
            *p = lua_tonumber(L, index) != 0;
        else
            return "boolean or number expected";
        return NULL;
    case ELEMENT_SIGNED:
    case ELEMENT_UNSIGNED: return integer_read(L, index, e, p);
    case ELEMENT_FLOAT:
    case ELEMENT_BRAIN: return float_read(L, index, e, p);
    case ELEMENT_COMPLEX: return complex_read(L, index, e, p);
    }
    return "unknown element type";
}
