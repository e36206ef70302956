#include "tests/isa/isa_ref.h"

static const struct ref *const lists[] = {ref_int, ref_logic, ref_compare, ref_float, ref_convert};

const struct ref *ref_find(enum op op) {
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        for (const struct ref *r = lists[i]; r->fn; r++)
            if (r->op == op)
                return r;
    return NULL;
}
