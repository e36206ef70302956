# heddle: build, test, install. `make help` lists the targets.
#
# User's variables: CC, CFLAGS and LDFLAGS (last on their command lines), BUILD (output folder), PREFIX, DESTDIR,
# STRIP (what strips the installed files; STRIP=no leaves their debug information), V=1 (print commands), SAN=1 (AddressSanitizer and UBSan, into build/san), TSAN=1 (ThreadSanitizer, into build/tsan),
# COVER=1 (counts the branches of what `make coverage` prints, into build/coverage),
# EXECS (folder of objects of the executors that another build with the same sanitizers has made),
# PARTS="source page deb wheel" (of `make dist`), WERROR=1 (also when CI is set), SETUP=no (never look for missing packages).

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# On all cores, unless -j says otherwise. Several goals that run something keep their order, as in `make clean all`.
RUNS := run test check fresh functional docs verdicts bench performance fmt fuzz mutants coverage threads install uninstall clean
ifeq ($(MAKELEVEL)$(filter $(RUNS),$(if $(word 2,$(MAKECMDGOALS)),$(MAKECMDGOALS))),0)
MAKEFLAGS += $(shell case "$$MAKEFLAGS" in (*j*) ;; (*) echo "-j$$(nproc 2>/dev/null || echo 2)" ;; esac)
endif

ifeq ($(origin CC),default)
CC := gcc
endif
BUILD   ?= build$(if $(SAN),/san)$(if $(TSAN),/tsan)$(if $(COVER),/coverage)
PREFIX  ?= /usr/local
ARCH    ?= $(shell uname -m)
STRIP   ?= strip
OBJCOPY ?= objcopy
VERSION := $(shell sed -n 's/.*HEDDLE_VERSION "\(.*\)".*/\1/p' sim/api/heddle.h)
O       := $(BUILD)/obj
EXECS   ?= $(O)
Q       := $(if $(V),,@)
say      = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# ---- flags ----
# -Werror=switch: a value of an enum that a switch without `default:` does not know.
WARN   := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror=switch $(if $(WERROR)$(CI),-Werror)
# -ffp-contract=off: every engine and compiler gives the same bits. -fno-math-errno: sqrt is one instruction.
# -fno-trapping-math: nobody reads the exception flags, and loops with conditions vectorise (cvt.s32.f32: 103 -> 19 ns).
BASE   := -std=c17 $(if $(SAN)$(TSAN),-O1,-O2) -g -fPIC -fvisibility=hidden -ffp-contract=off -fno-math-errno -fno-trapping-math -I. $(WARN)
ifdef SAN
SANF   := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
ifdef TSAN
SANF   := -fsanitize=thread -fno-omit-frame-pointer
endif
FUZZF  := $(if $(FUZZ),-fsanitize=fuzzer-no-link)
ifdef COVER # branches as they are written, of these folders
$(addprefix $(BUILD)/obj/sim/,prove/%.o check/%.o file/%.o): COVERF := -O0 --coverage -fprofile-update=atomic
LDFLAGS += --coverage
endif
# Both levels are one source: sanitizers look at one of them.
LEVELS := baseline
ifneq ($(if $(FUZZ)$(SAN)$(TSAN),,$(filter x86_64 amd64,$(ARCH))),)
LEVELS += v3
BASE   += -DHEDDLE_HAVE_V3
endif
LEVEL_baseline :=
OPT_baseline := -O2 # compiled in three quarters of the time that -O3 takes, and as fast at fma
OPT_v3       := -O3
# Copies by whole registers, where the compiler can be told so (gcc 12): mov.b32 takes 2.9 instead of 4.4 ns.
MOVES           = $(shell $(CC) -mmove-max=256 -mstore-max=256 -E -x c /dev/null >/dev/null 2>&1 && echo -mmove-max=256 -mstore-max=256)
LEVEL_v3        = -march=x86-64-v3 $(MOVES)
WIDTHS := 64 32 16 8 # the longest first: make begins them in this order
# pkg-config is asked when a recipe runs, because setup may have to install it first.
LUA    ?= lua5.4
LIBEDIT ?= libedit
NCURSES ?= ncursesw # optional: the full-screen view of heddle debug
YAML   ?= yaml-0.1
COMMAND_LIBS = $(LUA) $(LIBEDIT) $(YAML) jansson sqlite3 libmd
pkg     = $$(pkg-config $(1))
FLAGS   = $(CC) $(filter-out -Werror,$(BASE)) $(SANF) $(FUZZF) $(CFLAGS)
COMPILE = $(Q)$(CC) $(BASE) $(SANF) $(FUZZF) $(1) $(CFLAGS) $(COVERF) -MMD -MP -c $< -o $@

# ---- sources ----
# sim/arch/exec.c is compiled once per level and warp width; the Lua module is linked into the command and built as a
# module of its own; everything else below the command line is the library.
# What takes the place of other files in WebAssembly, where there are no threads, no libyaml, and no files to write.
NONE_C := sim/api/threads_none.c sim/api/host_none.c sim/board/lines.c sim/file/none.c sim/file/system_none.c
LIB_C  := $(filter-out $(NONE_C) sim/web/% sim/arch/exec.c sim/file/% sim/sweep/% sim/lua/% sim/cli/%,$(wildcard sim/*/*.c sim/api/*/*.c isa/*.c isa/*/*.c))
CORE_C := $(filter sim/base/% isa/% sim/arch/%,$(LIB_C))
LUA_C  := $(wildcard sim/lua/*.c)
FILE_C := $(filter-out $(NONE_C),$(wildcard sim/file/*.c))
SWEEP_C := $(wildcard sim/sweep/*.c)
WEB_NOT := sim/api/threads.c sim/api/host.c sim/board/shipped.c sim/board/device_yaml.c sim/board/yaml.c sim/board/yaml_tree.c $(patsubst %,sim/file/%.c,computer guard process write write_place)
WEB_C  := $(filter-out $(WEB_NOT),$(LIB_C) $(LUA_C) $(FILE_C)) $(NONE_C) $(wildcard sim/web/*.c)
CLI_C  := $(wildcard sim/cli/*.c sim/cli/*/*.c sim/cli/sweep/*/*.c)
COMMAND_C = $(CLI_C) $(SWEEP_C) $(LUA_C) $(FILE_C)
MODEL_C := $(filter-out %_main.c,$(wildcard tests/model/*.c)) $(wildcard tests/fuzz/program*.c) tests/isa/isa_num.c tests/isa/isa_ref.c $(wildcard tests/isa/isa_ref_*.c)
TEST_C := $(sort $(filter-out tests/bench/% tests/fuzz/% %_main.c,$(wildcard tests/*/*.c)) $(MODEL_C) tests/fuzz/session.c)
TABLE_C := $(addprefix sim/cli/,format.c json.c ui.c)
obj     = $(patsubst %.c,$(O)/%.o,$(1))
MADE_O := $(O)/boards.o $(O)/records.o
EXEC_O := $(if $(wildcard sim/arch/exec.c),$(foreach l,$(LEVELS),$(foreach w,$(WIDTHS),$(EXECS)/exec_$(l)_w$(w).o)))
INTERNAL := $(O)/internal.a
HIDE     := -Wl,--exclude-libs,internal.a
MAJOR    := $(firstword $(subst ., ,$(VERSION)))
FUZZ_C := $(sort $(MODEL_C) $(filter-out tests/fuzz/fuzz_%,$(wildcard tests/fuzz/*.c)) $(LUA_C) $(FILE_C) $(wildcard sim/cli/compare*.c sim/cli/diff/*.c) $(addprefix sim/cli/,file.c format.c json.c metrics_option.c replay/head.c ui.c))
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))

# Packages by purpose (scripts/setup.sh): those of the goals are installed first, with those of the build. A rule that runs
# what a set installs, and depends on nothing that was made by it, waits for that set (scripts/check/setup.sh).
SETS := $(filter-out build,$(shell scripts/setup.sh --sets))
.PHONY: all run test check functional docs verdicts bench performance fmt size fuzz mutants coverage fresh threads web dist install uninstall clean help setup $(SETS:%=setup-%) FORCE

all: $(BUILD)/libheddle.a $(BUILD)/libheddle.so $(BUILD)/libheddle_cases.so $(BUILD)/heddle.cdef $(BUILD)/heddle_cases.cdef $(BUILD)/heddle $(BUILD)/heddle.so ## the command, the libraries, the Lua module

run: all setup-run ## build, then measure what was found about the reorder, the packed mask and the sparse convolution; HTML=FILE
	$(Q)$(BUILD)/heddle lua scripts/demo.lua $(if $(HTML),'--html=$(HTML)')

test: all $(BUILD)/tests/run $(BUILD)/tests/model $(BUILD)/functional ## build and run every test
	$(Q)BUILD=$(BUILD) SAN=$(SAN) CC="$(CC)" scripts/test.sh

check: all setup-test setup-check ## layers, headers, style, static analysis, documents up to date
	$(Q)BUILD=$(BUILD) CC="$(CC)" scripts/check.sh

functional: $(BUILD)/functional ## link and run the machine without clock, API or command line
	$(Q)$(BUILD)/functional

docs: all ## write the generated parts of docs/
	$(Q)BUILD=$(BUILD) scripts/docs.sh

verdicts: all ## judge all claims of docs/ again, after a board was changed, say; list the verdicts that changed
	$(Q)BUILD=$(BUILD) scripts/verdicts.sh

bench: all $(BUILD)/bench ## measure speed; tables, and build/bench.json; REPS=n
	$(Q)$(BUILD)/bench $(BUILD)/heddle . $(BUILD)/bench.json $(REPS)

performance: bench setup-performance ## measure for docs/performance.md (valgrind; minutes)
	$(Q)$(BUILD)/heddle lua scripts/performance.lua $(BUILD)

fmt: setup-check ## format the C sources
	$(Q)clang-format -i $$(git ls-files '*.c' '*.h')

size: ## rows, lines per row, and files or functions that grew too long
	$(Q)sh scripts/check/size.sh print

fuzz: all ## short deterministic fuzz runs (clang); RUNS=n
	$(Q)$(MAKE) --no-print-directory CC=clang SAN=1 FUZZ=1 BUILD=build/fuzz fuzzers
	$(Q)BUILD=$(BUILD) scripts/fuzz.sh build/fuzz

mutants: all $(BUILD)/tests/cases ## do tests notice changes of the sources? N=n, SHARE=n, SEED=text, FILES="file ...", ALL=1
	$(Q)BUILD=$(BUILD) $(BUILD)/lua scripts/mutants.lua

coverage: | setup ## branches of sim/prove, sim/check and sim/file that the suites take; ONLY="WORD ...", LIST=1
	$(Q)$(MAKE) --no-print-directory COVER=1 BUILD=build/coverage all build/coverage/tests/run build/coverage/functional
	$(Q)BUILD=build/coverage build/coverage/lua scripts/coverage.lua

fresh: setup-fresh ## what a newcomer does, in a minimal Debian made for it (root, debootstrap); RELEASE=trixie
	$(Q)scripts/fresh.sh

.PHONY: fuzzers
.SECONDARY: $(patsubst tests/fuzz/%.c,$(O)/tests/fuzz/%.o,$(wildcard tests/fuzz/fuzz_*.c))
fuzzers: $(FUZZERS)

threads: $(BUILD)/heddle ## the kernels with several host threads; with TSAN=1 watched by ThreadSanitizer
	$(Q)BUILD=$(BUILD) scripts/threads.sh

set_up = $(Q)$(if $(filter no,$(SETUP)),:,CC="$(CC)" LUA=$(LUA) scripts/setup.sh $(1))
setup: ; $(call set_up,build $(filter $(SETS),$(MAKECMDGOALS)) $(if $(filter dist,$(MAKECMDGOALS)),$(if $(filter page,$(PARTS)),web)))
$(SETS:%=setup-%): setup-%: setup ; $(call set_up,$*)

# ---- outputs ----
# For everything linked here: with the symbols that tests need. --exclude-libs keeps them out of a dynamic symbol table.
$(INTERNAL): $(EXEC_O) $(MADE_O) $(call obj,$(LIB_C))
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

# For users: what heddle.h declares and nothing else, so that no name of theirs can clash.
$(BUILD)/libheddle.a: $(EXEC_O) $(MADE_O) $(call obj,$(LIB_C))
	$(call say,AR,$@)
	$(Q)$(LD) -r $^ -o $(O)/libheddle.o && $(OBJCOPY) --localize-hidden $(O)/libheddle.o
	$(Q)rm -f $@ && ar rcs $@ $(O)/libheddle.o

$(BUILD)/libheddle.so.$(VERSION): $(EXEC_O) $(MADE_O) $(call obj,$(LIB_C))
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANF) -shared -Wl,-soname,libheddle.so.$(MAJOR) $^ $(call pkg,--libs $(YAML)) -lm -pthread $(LDFLAGS) -o $@

# What a library exports of what is linked there.
$(O)/cases.map: names = heddle_*
$(O)/module.map: names = luaopen_*
$(O)/cases.map $(O)/module.map: $(BUILD)/flags | setup
	$(Q)echo '{ global: $(names); local: *; };' > $@

# What heddle_cases.h declares, over libheddle.so, which needs no Lua.

MODULE_O := $(call obj,$(LUA_C) $(FILE_C))
cases_so = $(CC) $(SANF) -shared -Wl,--version-script=$(O)/cases.map $(filter-out %.map,$^) $(call pkg,--libs $(LUA) jansson) -lm -pthread $(LDFLAGS) -o $@
$(BUILD)/libheddle_cases.so.$(VERSION): $(O)/cases.map $(MODULE_O) $(BUILD)/libheddle.so $(INTERNAL)
	$(call say,LINK,$@)
	$(Q)$(cases_so) -Wl,-soname,libheddle_cases.so.$(MAJOR)

$(BUILD)/libheddle.so $(BUILD)/libheddle_cases.so: %: %.$(VERSION)
	$(Q)ln -sf $(<F) $@.$(MAJOR) && ln -sf $(@F).$(MAJOR) $@

# What the headers declare, for scripts/python: without comments, macros and other headers.
$(BUILD)/heddle.cdef: sim/api/heddle.h sim/base/launch.def
$(BUILD)/heddle_cases.cdef: sim/lua/heddle_cases.h
$(BUILD)/heddle.cdef $(BUILD)/heddle_cases.cdef: $(BUILD)/flags | setup
	$(Q)sed '/^#include </d; /^#include .*heddle.h/d' $(filter %.h,$^) | $(CC) -E -P -U__GNUC__ -I. -x c - > $@

$(BUILD)/heddle: $(call obj,$(COMMAND_C)) $(INTERNAL)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANF) $^ -Wl,-E,--build-id $(HIDE) $(call pkg,--libs $(COMMAND_LIBS)) $$(cat $(BUILD)/ncurses) -lm -pthread $(LDFLAGS) -o $@

$(BUILD)/heddle.so: $(O)/module.map $(MODULE_O) $(INTERNAL)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANF) -shared -Wl,--version-script=$^ $(call pkg,--libs $(YAML) jansson) -lm -pthread $(LDFLAGS) -o $@

$(BUILD)/functional: $(call obj,$(CORE_C) tests/arch/functional_main.c) $(EXEC_O)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANF) $^ -lm -pthread $(LDFLAGS) -o $@

$(BUILD)/bench: $(call obj,$(wildcard tests/bench/*.c)) $(INTERNAL)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANF) $^ $(call pkg,--libs $(YAML)) -lm -pthread $(LDFLAGS) -o $@

# `cases` are those of `run` without Criterion's own processes, for scripts/mutants.lua.
$(BUILD)/tests/cases: $(call obj,tests/lib/cases_main.c)
$(BUILD)/tests/run $(BUILD)/tests/cases: $(call obj,$(TEST_C) $(SWEEP_C) $(FILE_C) $(TABLE_C)) $(INTERNAL)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANF) $^ $(call pkg,--libs criterion $(YAML) jansson sqlite3 libmd) -lm -pthread $(LDFLAGS) -o $@

$(BUILD)/tests/model: $(call obj,tests/model/model_main.c $(MODEL_C)) $(INTERNAL)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANF) $^ $(call pkg,--libs $(YAML)) -lm -pthread $(LDFLAGS) -o $@

# What fuzzers share; each is linked with what it needs of it.
$(O)/fuzz.a: $(call obj,$(FUZZ_C))
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/fuzz_%: $(O)/tests/fuzz/fuzz_%.o $(O)/fuzz.a $(INTERNAL) | setup-fuzz
	$(call say,LINK,$@)
	$(Q)$(CC) $(SANF) -fsanitize=fuzzer $^ $(call pkg,--libs $(LUA) $(YAML) jansson) -lm -pthread $(LDFLAGS) -o $@

# ---- objects ----
# -g1: lines and functions, no variables, which would take a fifth of the time.
level = $(word 1,$(subst _w, ,$*))
width = $(word 2,$(subst _w, ,$*))
$(O)/exec_%.o: sim/arch/exec.c $(BUILD)/flags | setup
	$(call say,CC,$@)
	$(call COMPILE,-g1 $(if $(SANF),-O1,$(OPT_$(level))) $(LEVEL_$(level)) -DHEDDLE_LEVEL=$(level) -DHEDDLE_WIDTH=$(width))

# Runs scripts of the build, which does not need the command lua5.4. For this computer, whatever is built.
$(BUILD)/lua: scripts/lua.c $(BUILD)/flags | setup
	$(call say,LINK,$@)
	$(Q)$(CC) $(call pkg,--cflags $(LUA)) $< $(call pkg,--libs $(LUA)) -o $@

# The structures of heddle.h as a table: part of the library, as are the boards that ship.
$(O)/records.c: sim/api/heddle.h scripts/records.lua $(BUILD)/lua
	$(Q)$(BUILD)/lua scripts/records.lua $< > $@

$(O)/boards.c: scripts/boards.sh $(wildcard configs/*.yaml configs/devices/*.yaml) $(BUILD)/flags | setup
	$(Q)LC_ALL=C scripts/boards.sh $(sort $(wildcard configs/*.yaml configs/devices/*.yaml)) > $@

$(MADE_O): %.o: %.c
	$(call say,CC,$@)
	$(call COMPILE)

$(call obj,$(LUA_C)): $(O)/%.o: %.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(call COMPILE,-D_GNU_SOURCE $(call pkg,--cflags $(LUA) jansson))

$(call obj,$(FILE_C) $(SWEEP_C)): $(O)/%.o: %.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(call COMPILE,-D_GNU_SOURCE $(call pkg,--cflags jansson sqlite3 libmd $(YAML)))

$(O)/sim/board/%.o: sim/board/%.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(call COMPILE,$(call pkg,--cflags $(YAML)))

$(O)/sim/cli/%.o: sim/cli/%.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(call COMPILE,-D_GNU_SOURCE $(call pkg,--cflags $(LIBEDIT) jansson))

$(O)/sim/cli/debug/screen_tty.o: sim/cli/debug/screen_tty.c $(BUILD)/ncurses $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(call COMPILE,-D_GNU_SOURCE $$(test ! -s $(BUILD)/ncurses || { echo -DHEDDLE_HAVE_NCURSES; pkg-config --cflags $(NCURSES); }))

$(O)/tests/%.o: tests/%.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(call COMPILE,-D_GNU_SOURCE)

$(call obj,$(TEST_C) tests/lib/cases_main.c): | setup-test

$(O)/%.o: %.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(call COMPILE)

# Changes only when the compiler or the flags do, and then everything is compiled again.
$(BUILD)/flags: FORCE
	@mkdir -p $(O)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' > $@

# What links ncurses; empty where it is not installed. Changes when that does.
$(BUILD)/ncurses: FORCE | setup
	@mkdir -p $(@D)
	@pkg-config --libs $(NCURSES) 2>/dev/null >$@.new; cmp -s $@.new $@ || cp $@.new $@; rm $@.new

-include $(shell find $(O) -name '*.d' 2>/dev/null)

# ---- WebAssembly ----
# Linked without -O: clang would run wasm-opt by itself, without the features. -msimd128 is as exact as plain code. Sizes
# of 64 bits become 32 in what is allocated: door.c bounds the memory of its context below that.
WEB_CC    ?= clang
# -Os: 519 kB packed, where -O2 has 614, and a lesson is graded in 1.0 to 1.2 times the time.
# Lua and jansson are compiled here as well, from the sources that Debian has (scripts/web/sources.sh).
W         := $(BUILD)/web
WEB_FROM  := $(W)/from/lua/src $(W)/from/jansson/src
WEB_WASI   = --target=wasm32-wasi -msimd128 -D_GNU_SOURCE -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -ffunction-sections -fdata-sections
WEB_FLAGS  = -Os $(WEB_WASI) $(filter-out -O% -g -fPIC -DHEDDLE_HAVE_V3,$(BASE)) -include sim/file/system_none.h -Wno-shorten-64-to-32 $(patsubst %,-isystem %,$(WEB_FROM) $(W)/from/jansson/android)
LUA_SRC   := $(addprefix l,api auxlib baselib code corolib ctype dblib debug do dump func gc init iolib lex mathlib mem oadlib object opcodes oslib parser state string strlib table tablib tm undump utf8lib vm zio)
JSON_SRC  := dump error hashtable hashtable_seed load memory pack_unpack strbuffer strconv utf value version
WEB_FROM_O := $(patsubst %,$(W)/lua_%.o,$(LUA_SRC)) $(patsubst %,$(W)/json_%.o,$(JSON_SRC))
WEB_O     := $(patsubst %.c,$(W)/%.o,$(WEB_C)) $(W)/records.o $(foreach w,$(WIDTHS),$(W)/exec_w$(w).o)

web: $(W)/heddle.html ## heddle as a WebAssembly module and as a page that holds it (docs/web.md)

$(W)/from/sources: scripts/web/sources.sh | setup-web
	$(call say,GET,$(@D))
	$(Q)scripts/web/sources.sh $(@D) && touch $@

$(W)/lua_%.o: $(W)/from/sources sim/web/throw.h Makefile
	$(call say,CC,$@)
	$(Q)$(WEB_CC) -Os $(WEB_WASI) -w -include sim/web/throw.h -c $(W)/from/lua/src/$*.c -o $@

$(W)/json_%.o: $(W)/from/sources Makefile
	$(call say,CC,$@)
	$(Q)$(WEB_CC) -Os $(WEB_WASI) -w -DHAVE_CONFIG_H -I$(W)/from/jansson/src -I$(W)/from/jansson/android -c $(W)/from/jansson/src/$*.c -o $@

$(W)/exec_w%.o: sim/arch/exec.c Makefile | setup-web
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(WEB_CC) $(WEB_FLAGS) -MMD -MP -DHEDDLE_LEVEL=baseline -DHEDDLE_WIDTH=$* -c $< -o $@

$(W)/records.o: $(O)/records.c Makefile | $(W)/from/sources
	$(call say,CC,$@)
	$(Q)$(WEB_CC) $(WEB_FLAGS) -MMD -MP -c $< -o $@

$(W)/%.o: %.c Makefile | $(W)/from/sources
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(WEB_CC) $(WEB_FLAGS) -MMD -MP -c $< -o $@

$(W)/heddle.wasm: $(WEB_O) $(WEB_FROM_O)
	$(call say,LINK,$@)
	$(Q)$(WEB_CC) --target=wasm32-wasi -mexec-model=reactor -Wl,--gc-sections,--strip-all,--export-table,--export=__stack_pointer,-z,stack-size=1048576 $^ -lm -lwasi-emulated-signal -lwasi-emulated-process-clocks -o $(W)/linked.wasm
	$(Q)wasm-opt -Os --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals $(W)/linked.wasm -o $@

# The page, of the module and of files that it reads; by node and packages of npm, which setup-web installs.
WEB_PAGE  := $(wildcard package-lock.json scripts/web/*.js scripts/web/page/* scripts/web/page/*/*) scripts/report/common.css
WEB_FILES := $(wildcard scripts/lib/heddle/*/*.lua kernels/*/*.hd kernels/*/*/*.hd docs/lessons/*.md docs/lessons/zh/*.md configs/*.yaml)
$(W)/heddle.html: $(W)/heddle.wasm $(BUILD)/heddle $(WEB_PAGE) $(WEB_FILES)
	$(call say,PAGE,$@)
	$(Q)node scripts/web/build.js $(BUILD)/heddle $< $@

-include $(WEB_O:.o=.d)

# ---- installation ----
install: all $(BUILD)/heddle.1 ## install under $(DESTDIR)$(PREFIX)
	$(Q)DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" VERSION=$(VERSION) MAJOR=$(MAJOR) STRIP="$(STRIP)" BUILD=$(BUILD) scripts/install.sh install

PARTS  ?= source page deb wheel
STATIC := $(if $(filter wheel,$(PARTS)),$(addprefix $(BUILD)/static/,libheddle.so libheddle_cases.so heddle))
dist: all $(BUILD)/heddle.1 $(STATIC) $(if $(filter page,$(PARTS)),$(W)/heddle.html) | setup-dist ## source archive, page, .deb and wheel, into build/dist; PARTS="WORD..." for some
	$(Q)BUILD=$(BUILD) scripts/dist.sh $(PARTS)

# For the wheel: with all libraries inside, but those of libc. What they are linked with has names of its own, and theirs.
archives = -Wl,-Bstatic $$(pkg-config --static --libs $(1) | sed -E 's/-l(m|dl|z|pthread)\>//g') -Wl,-Bdynamic -lm -pthread
$(BUILD)/static/libheddle.so: $(EXEC_O) $(call obj,$(LIB_C)) $(MADE_O)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared -Wl,-soname,libheddle.so,--exclude-libs,ALL $^ $(call archives,$(YAML)) $(LDFLAGS) -s -o $@

# The libraries of Lua and jansson, which are no archives for a shared library, lie beside it there.
$(BUILD)/static/libheddle_cases.so: $(O)/cases.map $(MODULE_O) $(BUILD)/static/libheddle.so $(INTERNAL)
	$(call say,LINK,$@)
	$(Q)$(cases_so) -Wl,-soname,$(@F),-rpath,'$$ORIGIN' -s

$(BUILD)/static/heddle: $(call obj,$(COMMAND_C)) $(INTERNAL)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(LD) -r $^ -o $@.o && $(OBJCOPY) --keep-global-symbol=main $@.o
	$(Q)$(CC) $@.o -Wl,-E $(call archives,$(COMMAND_LIBS) $$(test ! -s $(BUILD)/ncurses || echo $(NCURSES))) $(LDFLAGS) -s -o $@

uninstall: ## remove what install put there
	$(Q)DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" scripts/install.sh uninstall

$(BUILD)/heddle.1: docs/heddle.1.scd | setup-install
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< | scdoc > $@

clean: ## remove everything that was built
	$(Q)rm -rf build

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
