#include "sim/cli/debug/screen_tty.h"

#ifdef HEDDLE_HAVE_NCURSES

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "sim/cli/ui.h"

#include <ncurses.h>
#include <term.h>

enum { ESCAPE = 27, ESCAPE_MS = 50 };

/* The terminal to restore after a crash: a handler has no argument. */
static struct tty *taken;

/* Attributes by look, and a colour for some. */
static const struct {
    attr_t attributes;
    short colour;
} looks[] = {
    [LOOK_PLAIN] = {A_NORMAL, -1},      [LOOK_RULE] = {A_NORMAL, -1},
    [LOOK_TITLE] = {A_BOLD, -1},        [LOOK_FOCUS] = {A_BOLD | A_REVERSE, -1},
    [LOOK_BAR] = {A_REVERSE, -1},       [LOOK_HERE] = {A_BOLD, COLOR_GREEN},
    [LOOK_STOP] = {A_BOLD, COLOR_RED},  [LOOK_FLIGHT] = {A_NORMAL, COLOR_MAGENTA},
    [LOOK_ERROR] = {A_BOLD, COLOR_RED},
};

static const struct {
    wint_t code;
    const char *name;
} keys[] = {
    {KEY_LEFT, "Left"},      {KEY_RIGHT, "Right"},         {KEY_UP, "Up"},       {KEY_DOWN, "Down"},
    {KEY_PPAGE, "PageUp"},   {KEY_NPAGE, "PageDown"},      {KEY_HOME, "Home"},   {KEY_END, "End"},
    {KEY_BTAB, "Shift-Tab"}, {KEY_BACKSPACE, "Backspace"}, {KEY_ENTER, "Enter"}, {KEY_DC, "Delete"},
};

static const struct {
    wint_t code;
    const char *name;
} controls[] = {
    {'\t', "Tab"},       {'\r', "Enter"},     {'\n', "Enter"},  {ESCAPE, "Escape"}, {' ', "Space"},
    {0x7f, "Backspace"}, {'\b', "Backspace"}, {0x15, "Ctrl-U"}, {0x0c, "Ctrl-L"},
};

/* Signals that end a program, and SIGWINCH. */
static const int told[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH};
static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/* ---- taken and restored ---- */

/* Prints what was written to standard error while the view was shown. */
static void give_errors(const struct tty *t) {
    char part[1024];
    if (t->standard < 0)
        return;
    dup2(t->standard, STDERR_FILENO);
    off_t at = 0;
    for (ssize_t n; t->errors >= 0 && (n = pread(t->errors, part, sizeof part, at)) > 0; at += n)
        if (write(STDERR_FILENO, part, (size_t)n) != n)
            break;
}

static void on_crash(int sig) {
    endwin();
    give_errors(taken);
    signal(sig, SIG_DFL);
    raise(sig);
}

/* Sets the handlers of crashes, except where another one, such as a sanitizer's, is set. */
static void set_crashes(void (*from)(int), void (*to)(int)) {
    for (size_t i = 0; i < COUNT_OF(crashes); i++) {
        struct sigaction is;
        sigaction(crashes[i], NULL, &is);
        if (!(is.sa_flags & SA_SIGINFO) && is.sa_handler == from)
            signal(crashes[i], to);
    }
}

static void set_looks(void) {
    if (!ui_color(stdout) || !has_colors() || start_color() == ERR)
        return;
    short back = use_default_colors() == OK ? -1 : COLOR_BLACK;
    for (size_t i = 0; i < COUNT_OF(looks); i++)
        if (looks[i].colour >= 0)
            init_pair((short)(i + 1), looks[i].colour, back);
}

static void find_size(struct tty *t) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row)
        resizeterm(size.ws_row, size.ws_col);
    t->cols = (u32)COLS;
    t->rows = (u32)LINES;
}

static void take_signals(struct tty *t) {
    sigset_t all;
    sigemptyset(&all);
    for (size_t i = 0; i < COUNT_OF(told); i++)
        sigaddset(&all, told[i]);
    sigprocmask(SIG_BLOCK, &all, &t->unblock);
    t->signals = signalfd(-1, &all, SFD_CLOEXEC);
    taken = t;
    set_crashes(SIG_DFL, on_crash);
    t->errors = memfd_create("errors", MFD_CLOEXEC);
    t->standard = t->errors < 0 ? -1 : dup(STDERR_FILENO);
    if (t->standard >= 0)
        dup2(t->errors, STDERR_FILENO);
}

static void give_signals(struct tty *t) {
    give_errors(t);
    close(t->standard);
    close(t->errors);
    close(t->signals);
    set_crashes(on_crash, SIG_DFL);
    taken = NULL;
    setlocale(LC_CTYPE, t->locale);
    if (t->ends)
        signal(t->ends, SIG_DFL);
    sigprocmask(SIG_SETMASK, &t->unblock, NULL);
    if (t->ends)
        raise(t->ends);
}

bool tty_possible(const char **why) {
    *why = "the view needs a terminal as standard input and output; --commands reads a file";
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

bool tty_begin(struct tty *t, const char **why) {
    *t = (struct tty){0};
    if (!tty_possible(why))
        return false;
    snprintf(t->locale, sizeof t->locale, "%s", setlocale(LC_CTYPE, NULL));
    setlocale(LC_CTYPE, "");
    t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    fflush(stdout);
    take_signals(t);
    t->screen = t->signals < 0 ? NULL : newterm(NULL, stdout, stdin);
    bool moves = t->screen && cursor_address;
    if (!moves) {
        if (t->screen) {
            endwin();
            delscreen(t->screen);
        }
        give_signals(t);
        *why = "the view cannot draw on this terminal: TERM names none whose cursor moves";
        return false;
    }
    set_escdelay(ESCAPE_MS);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_looks();
    find_size(t);
    return true;
}

void tty_end(struct tty *t) {
    endwin();
    delscreen(t->screen);
    give_signals(t);
}

/* ---- out and in ---- */

static void show_row(const struct canvas *c, u32 y) {
    wchar_t run[256];
    for (u32 x = 0, n; x < c->cols; x += n) {
        enum look look = canvas_at(c, x, y)->look;
        int used = 0;
        for (n = 0; x + n < c->cols && canvas_at(c, x + n, y)->look == look && used < (int)COUNT_OF(run); n++)
            if (canvas_at(c, x + n, y)->c)
                run[used++] = (wchar_t)canvas_at(c, x + n, y)->c;
        attr_set(looks[look].attributes, looks[look].colour < 0 ? 0 : (short)(look + 1), NULL);
        mvaddnwstr((int)y, (int)x, run, used);
    }
}

void tty_show(const struct canvas *c, u32 x, u32 y) {
    erase();
    for (u32 row = 0; row < c->rows; row++)
        show_row(c, row);
    curs_set(x < c->cols);
    move((int)(x < c->cols ? y : 0), (int)(x < c->cols ? x : 0));
    refresh();
}

static void name_key(int kind, wint_t code, char key[TTY_KEY_BYTES]) {
    const char *name = NULL;
    for (size_t i = 0; i < COUNT_OF(keys) && kind == KEY_CODE_YES; i++)
        name = keys[i].code == code ? keys[i].name : name;
    for (size_t i = 0; i < COUNT_OF(controls) && kind != KEY_CODE_YES; i++)
        name = controls[i].code == code ? controls[i].name : name;
    if (name) {
        snprintf(key, TTY_KEY_BYTES, "%s", name);
        return;
    }
    mbstate_t state = {0};
    size_t n = kind == KEY_CODE_YES || code < ' ' ? 0 : wcrtomb(key, (wchar_t)code, &state);
    key[n == (size_t)-1 ? 0 : n] = '\0';
}

/* Handles a pending signal; false if it ends the program. */
static bool take_signal(struct tty *t) {
    struct signalfd_siginfo info;
    if (read(t->signals, &info, sizeof info) != sizeof info)
        return true;
    if (info.ssi_signo != SIGWINCH) {
        t->ends = (int)info.ssi_signo;
        return false;
    }
    find_size(t);
    clearok(stdscr, TRUE);
    return true;
}

bool tty_key(struct tty *t, char key[TTY_KEY_BYTES]) {
    struct pollfd from[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = t->signals, .events = POLLIN}};
    wint_t code;
    key[0] = '\0';
    for (;;) {
        int kind = get_wch(&code);
        if (kind != ERR) {
            name_key(kind, code, key);
            if (strcmp(key, "Ctrl-L") == 0)
                clearok(stdscr, TRUE);
            return true;
        }
        if (poll(from, COUNT_OF(from), -1) < 0)
            return true; /* continues after a stop */
        if (from[1].revents)
            return take_signal(t);
        if (from[0].revents & (POLLHUP | POLLERR | POLLNVAL)) {
            t->ends = SIGHUP;
            return false;
        }
    }
}

bool tty_waiting(void) {
    struct pollfd from = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&from, 1, 0) > 0;
}

#else

bool tty_possible(const char **why) {
    *why = "this heddle was built without ncurses, which the view needs: install libncurses-dev and build it again";
    return false;
}

bool tty_begin(struct tty *t, const char **why) {
    (void)t;
    return tty_possible(why);
}

void tty_end(struct tty *t) {
    (void)t;
}

void tty_show(const struct canvas *c, u32 x, u32 y) {
    (void)c, (void)x, (void)y;
}

bool tty_key(struct tty *t, char key[TTY_KEY_BYTES]) {
    (void)t, (void)key;
    return false;
}

bool tty_waiting(void) {
    return false;
}

#endif
