/* `heddle doc counters`: everything that a timed launch counts, and what is derived from it. */
#ifndef HEDDLE_CLI_DOC_COUNTERS_H
#define HEDDLE_CLI_DOC_COUNTERS_H

#include "sim/base/types.h"

/* All metrics, or with a name that one, or those of a group ("l1"). False after a message when there are none. */
bool doc_counters(const char *name, bool markdown);

#endif
