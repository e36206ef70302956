/* Does the prompt of `heddle lua` behave at a terminal? Runs the command $HEDDLE in one and types. */
#include <criterion/criterion.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { SHOWN_BYTES = 1 << 16, PATIENCE_MS = 60000 };

struct terminal {
    pid_t pid;
    int fd;
    char shown[SHOWN_BYTES]; /* everything the terminal has shown, NUL-terminated */
    size_t len;
    size_t seen; /* how much of it has been expected */
    char home[40];
};

static struct terminal t;

static const char *command(void) {
    const char *path = getenv("HEDDLE");
    return path ? path : "build/heddle";
}

static void start(void) {
    t.len = t.seen = 0;
    t.pid = forkpty(&t.fd, NULL, NULL, NULL);
    cr_assert_geq(t.pid, 0);
    if (t.pid == 0) {
        signal(SIGINT, SIG_DFL); /* a shell that runs the tests in the background has it ignored */
        setenv("HOME", t.home, 1);
        setenv("TERM", "xterm", 1);
        unsetenv("XDG_STATE_HOME");
        execl(command(), command(), "lua", (char *)NULL);
        _exit(127);
    }
}

/* Reads on; false at the end of the terminal. */
static bool read_more(void) {
    struct pollfd p = {.fd = t.fd, .events = POLLIN};
    cr_assert_gt(poll(&p, 1, PATIENCE_MS), 0, "nothing more is shown behind: %s", t.shown + t.seen);
    ssize_t n = read(t.fd, t.shown + t.len, sizeof t.shown - 1 - t.len);
    if (n <= 0)
        return false;
    t.len += (size_t)n;
    t.shown[t.len] = '\0';
    return true;
}

/* Waits until the text appears after the last expected one. */
static void expect(const char *text) {
    char *at;
    while (!(at = t.len ? strstr(t.shown + t.seen, text) : NULL))
        cr_assert(read_more(), "'%s' is not shown: %s", text, t.shown + t.seen);
    t.seen = (size_t)(at - t.shown) + strlen(text);
}

/*
 * Waits for a prompt, and until the terminal has left line mode: libedit shows its prompt before that, and a Ctrl-D or
 * Ctrl-C typed in between would reach the terminal instead.
 */
static void expect_prompt(const char *prompt) {
    struct termios mode;
    expect(prompt);
    for (int ms = 0; ms < PATIENCE_MS && tcgetattr(t.fd, &mode) == 0 && (mode.c_lflag & ICANON); ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void type(const char *text) {
    cr_assert_eq(write(t.fd, text, strlen(text)), (ssize_t)strlen(text));
}

/* Types a line at the prompt and waits for an answer. */
static void ask(const char *line, const char *answer) {
    expect_prompt("> ");
    type(line);
    type("\r");
    expect("\n"); /* the end of the typed line as it is echoed */
    expect(answer);
}

static int finish(void) {
    int status = 0;
    while (read_more())
        ;
    waitpid(t.pid, &status, 0);
    close(t.fd);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Terminals need /dev/pts, which not every container has. */
static bool have_terminals(void) {
    int master, slave;
    if (openpty(&master, &slave, NULL, NULL, NULL) != 0)
        return false;
    close(master);
    close(slave);
    return true;
}

static void setup(void) {
    if (!have_terminals())
        cr_skip_test("no terminal can be had here (is /dev/pts mounted?)");
    snprintf(t.home, sizeof t.home, "/tmp/heddle-prompt-XXXXXX");
    cr_assert(mkdtemp(t.home));
    start();
}

static void teardown(void) {
    char path[80];
    if (!*t.home)
        return;
    snprintf(path, sizeof path, "%s/.heddle_history", t.home);
    unlink(path);
    rmdir(t.home);
}

TestSuite(prompt, .init = setup, .fini = teardown);

Test(prompt, prints_what_expressions_give) {
    expect("Ctrl-D ends");
    ask("40 + 2", "42\r\n");
    ask("nil, 'a' .. 'b', #{1, 2}", "nil\tab\t2\r\n");
    ask("local a <const> = 5 return a * a", "25\r\n");
    ask("#heddle.new():names()", "0\r\n");
    ask("setmetatable({}, {__tostring = error})", "cannot be printed");
    expect_prompt("> ");
    type("\x04");
    cr_assert_eq(finish(), 0);
}

Test(prompt, reads_on_until_a_statement_is_complete) {
    expect_prompt("> ");
    type("for i = 7, 8 do\r");
    ask("print('n' .. i)", "");
    ask("end", "n7\r\nn8\r\n");
    ask("os.exit(9)", "");
    cr_assert_eq(finish(), 9);
}

Test(prompt, goes_on_after_errors) {
    ask("error('oops')", "stdin:1: oops\r\nstack traceback:");
    ask("x = = 1", "unexpected symbol near '='");
    ask("heddle.new():load('nop\\n')", "error:");
    ask("'still ' .. 'here'", "still here");
    expect_prompt("> ");
    type("for i = 1, 2 do\r");
    expect_prompt(">> ");
    type("\x04");
    expect("<eof>");
    expect_prompt("> ");
    type("\x04");
    cr_assert_eq(finish(), 0);
}

Test(prompt, interrupts_what_runs_and_gives_up_what_is_typed) {
    ask("print('go') while true do end", "go\r\n");
    type("\x03");
    expect("interrupted");
    expect_prompt("> ");
    type("half a li\x03");
    ask("'whole ' .. 'line'", "whole line");
    ask("function f(", "");
    expect_prompt(">> ");
    type("\x03");
    ask("f == nil", "true");
    /* The loop counts, because the launch would end one that returns to the same registers. */
    ask("p = heddle.new():load('.kernel k\\n.reg v\\nl: add.u32 v, v, 1\\nbra l\\n')", "");
    ask("print('go') heddle.new():launch(p)", "go\r\n");
    type("\x03");
    expect("interrupted");
    expect_prompt("> ");
    type("\x04");
    cr_assert_eq(finish(), 0);
}

Test(prompt, keeps_what_was_typed) {
    ask("'first ' .. 'line'", "first line");
    expect_prompt("> ");
    type("\x04");
    cr_assert_eq(finish(), 0);
    start();
    expect_prompt("> ");
    type("\x1b[A\r");
    expect("\n");
    expect("first line\r\n");
    expect_prompt("> ");
    type("\x04");
    cr_assert_eq(finish(), 0);
}
