/* The terminal that standard output is. */
#ifndef HEDDLE_FILE_TERMINAL_H
#define HEDDLE_FILE_TERMINAL_H

#include "sim/base/types.h"

/* Its columns, from 60 to 100; 100 where it is no terminal. */
u32 terminal_width(void);

#endif
