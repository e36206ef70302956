/* What the instructions of laws.def's WHOLE rows do. */
#ifndef HEDDLE_ISA_LAWS_H
#define HEDDLE_ISA_LAWS_H

enum whole {
    WHOLE_NONE,
    WHOLE_ADD,
    WHOLE_SUB,
    WHOLE_NEG,
    WHOLE_ABS,
    WHOLE_SAD,
    WHOLE_MUL,
    WHOLE_MUL_WIDE,
    WHOLE_MUL_HIGH,
    WHOLE_SHL,
    WHOLE_DIV,
    WHOLE_REM,
    WHOLE_MIN,
    WHOLE_MAX,
    WHOLE_LOW,
    WHOLE_CHOOSE,
    WHOLE_CHOOSE_SIGN,
    WHOLE_EQ,
    WHOLE_NE,
    WHOLE_LT,
    WHOLE_LE,
    WHOLE_GT,
    WHOLE_GE
};

#endif
