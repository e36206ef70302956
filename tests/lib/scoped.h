/* What frees pointers where their scope ends: SCOPED(program_drop) struct program *p = program_of_text(text); */
#ifndef HEDDLE_TESTS_SCOPED_H
#define HEDDLE_TESTS_SCOPED_H

#include "isa/program.h"
#include "sim/api/heddle.h"

#define DROP(name) \
    static inline void name##_drop(struct name **it) { \
        name##_free(*it); \
    }
DROP(program)
DROP(heddle)
DROP(heddle_program)
DROP(heddle_debugger)
#undef DROP

#endif
