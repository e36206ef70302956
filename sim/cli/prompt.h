/*
 * The prompt of `heddle lua`: line editing and history through libedit. The history is kept in
 * $XDG_STATE_HOME/heddle/history if that folder exists, else in ~/.heddle_history. Ctrl-C stops what runs.
 */
#ifndef HEDDLE_CLI_PROMPT_H
#define HEDDLE_CLI_PROMPT_H

struct heddle_session;

/* Runs the prompt on the terminal of standard input until Ctrl-D; returns an exit status. */
int prompt_run(struct heddle_session *session);

#endif
