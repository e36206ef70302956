/* Standard output as a terminal. */
#ifndef HEDDLE_FILE_TERMINAL_H
#define HEDDLE_FILE_TERMINAL_H

#include "sim/base/types.h"

/* Returns its width in columns, from 60 to 100; 100 if it is no terminal. */
u32 terminal_width(void);

#endif
