/*
 * YAML as a tree of nodes, for boards and descriptions of sweeps. It is made of libyaml's events: yaml_parser_load has
 * no bounds, and its effort grows with the square of depth and of anchors.
 */
#ifndef HEDDLE_BOARD_YAML_TREE_H
#define HEDDLE_BOARD_YAML_TREE_H

#include <yaml.h>

#include "sim/base/diag.h"

enum { YAML_DEPTH_MOST = 32, YAML_ANCHORS_MOST = 1000 /* and directives */ };

/* Makes the tree, which yaml_document_delete releases. False after an error in `diag`; then there is none. */
bool yaml_tree(yaml_document_t *tree, const char *text, size_t len, struct diag *diag);

/* Returns the place of a node; of one over several lines, that of its first character. */
struct span yaml_span(const yaml_node_t *node);

/* Returns the text of a scalar; NULL for any other node. */
const char *yaml_text(const yaml_node_t *node);

#endif
