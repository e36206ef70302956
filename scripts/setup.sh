#!/bin/sh
# Finds missing tools and libraries and gets their packages by apt-get, after a message with their names and size.
#
#   scripts/setup.sh SET...        of those that have a function for_SET below; all: everything; --sets: their names
#
# Quick if nothing is missing. An optional package of a set is a `wish`. With ONLY=WORD, `test` also gets packages without
# which suites of that name skip themselves. Files and daemons of some packages are unpacked into build/packages, and the
# packages not installed: building heddle adds no service to a computer. HEDDLE_SETUP=no only lists what is missing. CC,
# WEB_CC and LUA name other compilers and another pkg-config module.
set -u
cd "$(dirname "$0")/.." || exit 2
unpacked=build/packages
DEBIAN_FRONTEND=noninteractive LC_ALL=C
export DEBIAN_FRONTEND LC_ALL
unset LANGUAGE

# ---- what is missing ----
missing="" # packages
wished=""  # optional ones
files=""   # PACKAGE:FILE, optional: of the package no more than the file is wanted
daemons="" # optional, unpacked with what they depend on
reasons="" # purposes
need() { # need PACKAGE CONDITION...: the package is missing unless the command succeeds
    package=$1
    shift
    "$@" >/dev/null 2>&1 || miss "$package"
}
miss() { # miss PACKAGE
    case "$missing " in *" $1 "*) ;; *) missing="$missing $1" ;; esac
}
tool() { # tool NAME PACKAGE
    need "$2" command -v "$1"
}
compiler() { # compiler COMMAND: `gcc-14` is in a package of this name
    command=${1%% *}
    case $command in
    *clang*) need "${command##*/}" command -v "$command" ;;
    *gcc*) need "${command##*/} libc6-dev" command -v "$command" ;;
    *) need "gcc libc6-dev" command -v "$command" ;;
    esac
}
# Finds the runtime for clang's programs; VERSION will be that of the compiler.
runtime() { # runtime CLANG FILES PACKAGE
    clang=${1%% *}
    folder=$("$clang" -print-resource-dir 2>/dev/null) && ls "$folder"/lib/$2 >/dev/null 2>&1 || miss "$3"
}
library() { # library MODULE PACKAGE
    modules="$modules $1"
    packages="$packages $2"
}
# Checks all modules with one call of pkg-config, and one by one only when that fails.
libraries() {
    pkg-config --exists $modules 2>/dev/null && return
    set -- $packages
    for module in $modules; do
        need "$1" pkg-config --exists "$module"
        shift
    done
}
wish() { # wish PACKAGE FILE: the package is optional; FILE, a pattern, is in it
    have "$1" $2 || wished="$wished $1"
}
wish_file() { # wish_file PACKAGE FILE
    have "$1" "$2" "$unpacked$2" || files="$files $1:$2"
}
wish_daemon() { # wish_daemon PACKAGE FILE
    have "$1" "$2" "$unpacked$2" || daemons="$daemons $1"
}
have() { # have PACKAGE FILE...: one of the files, or this system has no such package
    grep -qx "$1" "$unpacked/unknown" 2>/dev/null && return
    shift
    for file; do [ ! -e "$file" ] || return 0; done
    return 1
}

# Packages for single suites, which skip themselves without: `make test ONLY=WORD` with a word of their names gets them.
suites() {
    if suite slurm.sh; then # a cluster on the loopback, for sweeps
        wish_daemon munge /usr/sbin/munged
        wish_daemon slurm-client /usr/bin/sbatch
        wish_daemon slurmctld /usr/sbin/slurmctld
        wish_daemon slurmd /usr/sbin/slurmd
    fi
    if suite prove.sh criterion; then wish z3 /usr/bin/z3; fi
    if suite debug_screen.sh; then wish tmux /usr/bin/tmux; fi
    if suite dist.sh; then wish lintian /usr/bin/lintian; fi
    if suite python.sh; then
        wish mypy /usr/bin/mypy
        wish vim '/usr/share/vim/vim*/syntax/synload.vim'
    fi
}
suite() { # suite NAME...: true if one of them is requested
    [ -z "$all" ] || return 0
    for suite; do
        for word in ${ONLY:-}; do case $suite in *"$word"*) return 0 ;; esac; done
    done
    return 1
}

# ---- the sets: what each needs, and why ----
for_build() {
    reason="to build heddle"
    compiler "${CC:-gcc}"
    tool ar binutils
    tool make make
    tool pkg-config pkg-config
    library "${LUA:-lua5.4}" liblua5.4-dev
    library libedit libedit-dev
    library libmd libmd-dev
    library sqlite3 libsqlite3-dev
    library jansson libjansson-dev
    library yaml-0.1 libyaml-dev
    wish libncurses-dev /usr/include/ncurses.h # the full-screen view of heddle debug
}
for_run() {
    reason="for data of studies"
    wish_file alsa-utils /usr/share/sounds/alsa/Front_Center.wav
    wish_file fortunes-min /usr/share/games/fortunes/fortunes
    wish_file libcgal-demo /usr/share/doc/libcgal-dev/data.tar.gz
}
for_test() {
    reason="to test heddle"
    library criterion libcriterion-dev
    tool lua5.4 lua5.4
    tool scdoc scdoc
    wish python3-cffi /usr/lib/python3/dist-packages/cffi
    wish python3-jsonschema /usr/lib/python3/dist-packages/jsonschema
    wish python3-numpy /usr/lib/python3/dist-packages/numpy
    suites
}
for_check() {
    reason="to check heddle's sources"
    tool clang clang
    tool clang-format clang-format
    tool clang-tidy clang-tidy
    tool cppcheck cppcheck
    tool luacheck lua-check
    tool scdoc scdoc
}
for_fuzz() {
    reason="to fuzz heddle"
    compiler clang
    runtime clang '*/libclang_rt.fuzzer*' libclang-rt-VERSION-dev
}
for_fresh() {
    reason="for a computer with nothing on it"
    tool debootstrap debootstrap
}
for_dist() {
    reason="to make packages of heddle"
    tool dpkg-shlibdeps dpkg-dev
    tool python3 python3
    tool scdoc scdoc
}
for_performance() {
    reason="to count what heddle costs"
    tool valgrind valgrind
}
for_install() {
    reason="for heddle's manual page"
    tool scdoc scdoc
}
for_web() {
    reason="to build heddle for the browser"
    compiler "${WEB_CC:-clang}"
    runtime "${WEB_CC:-clang}" 'wasi/libclang_rt.builtins*' libclang-rt-VERSION-dev-wasm32
    tool wasm-ld lld
    tool wasm-opt binaryen
    tool dpkg-source dpkg-dev # unpacks the sources of Lua and jansson
    need wasi-libc test -e /usr/include/wasm32-wasi/stdio.h
    tool node nodejs
    tool npm npm
    npm=yes
}
for_browser() {
    reason="to look at pages in a browser"
    tool chromium chromium
    tool node nodejs
    tool npm npm
    npm=yes
}
sets=$(sed -n 's/^for_\([a-z]*\)() {$/\1/p' "$0" | tr '\n' ' ')
look() { # look SET
    modules="" packages=""
    before=$missing$wished$files$daemons
    for_$1
    libraries
    [ "$before" = "$missing$wished$files$daemons" ] || reasons="$reasons, $reason"
}

all="" clang="" npm="" looked=""
for set in "${@:-build}"; do
    case $set in
    --sets) echo "$sets" && exit ;;
    test) looked="$looked test run" ;;
    all) looked=$sets all=yes ;;
    *)
        case " $sets" in *" $set "*) ;; *) echo "usage: $0 $(echo "${sets}all..." | tr ' ' '|')" >&2 && exit 2 ;; esac
        looked="$looked $set"
        ;;
    esac
done
for set in $looked; do look "$set"; done
reasons=${reasons#, }

# ---- messages ----
say() { echo "setup: $*"; }
packages_of() { for package; do printf ' %s' "${package%%:*}"; done; } # packages_of PACKAGE:FILE...
give_up() { # give_up WHY: what is optional is done without
    say "$*" >&2
    [ -z "$missing" ]
    exit
}
# Gets the npm packages, as locked, unless they are there already.
finish() {
    have=node_modules/.package-lock.json
    if [ -z "$npm" ] || { [ -e "$have" ] && [ ! package-lock.json -nt "$have" ]; }; then exit 0; fi
    missing=npm
    [ "${HEDDLE_SETUP:-}" != no ] || give_up "packages of npm are missing (HEDDLE_SETUP=no): npm ci --ignore-scripts"
    say "$(grep -c '"integrity"' package-lock.json) packages of npm, as they are locked, into node_modules"
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
    exit
}
# Finds the version of clang, or of the one to be installed.
clang_version() {
    "$clang" -print-resource-dir 2>/dev/null | sed 's|.*/||; s|\..*||' | grep . || echo "$clang" | sed -n 's/.*clang-//p' | grep . ||
        apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | grep . || echo VERSION
}
required() { # `missing`, with that version
    case $missing in *VERSION*) echo "$missing" | sed "s/VERSION/$(clang_version)/g" ;; *) echo "$missing" ;; esac
}
[ -n "$missing$wished$files$daemons" ] || finish
root=""
[ "$(id -u)" -eq 0 ] || root="sudo "
if [ "${HEDDLE_SETUP:-}" = no ]; then
    say "missing $reasons:$(required)$wished$(packages_of $files)$daemons"
    [ -n "$missing" ] || give_up "HEDDLE_SETUP=no: nothing is installed; all of these can be done without"
    give_up "HEDDLE_SETUP=no: nothing is installed; by hand: ${root}apt-get install$(required)$wished"
fi
command -v apt-get >/dev/null 2>&1 ||
    give_up "no apt-get here; please install these (as Debian calls them), and run make again:$(required)$wished"
[ -z "$root" ] || command -v sudo >/dev/null 2>&1 ||
    give_up "neither root nor sudo; please install these, and run make again:$(required)$wished"

# ---- apt-get ----
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed() { # failed WHAT
    tail -n 20 "$log" >&2
    give_up "could not $* (no network, or no right to?)"
}
# As root; waits while another apt-get has the locks.
apt() {
    waited=0
    until ${root}env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 </dev/null; do
        lock=$(sed -nE 's/^E: Could not get lock ([^ ]*)\. It is held by process ([0-9]+) \((.*)\).*/\3 (process \2), which has \1/p; t
            s/^E: Could not get lock ([^ ]*).*/what has \1/p; s/.*dpkg frontend lock.*/another dpkg/p' "$log" | head -n 1)
        [ -n "$lock" ] || return 1
        [ "$waited" -gt 0 ] || say "waits for $lock"
        [ "$waited" -lt 900 ] || return 1
        sleep 2
        waited=$((waited + 2))
    done
}
plan() { apt-get -s -q --no-install-recommends install "$@" 2>&1; } # plan PACKAGE...: what apt-get would do
with_needs() { plan "$@" | sed -n 's/^Inst \([^ ]*\).*/\1/p'; }      # with_needs PACKAGE...: and those that they depend on
size() { # size PACKAGE...: of these alone
    apt-cache show --no-all-versions "$@" | awk '
        function mega(bytes) { return sprintf(bytes < 1e7 ? "%.1f MB" : "%.0f MB", bytes / 1e6) }
        /^Package:/ { n++ }
        /^Size:/ { packed += $2 }
        /^Installed-Size:/ { kilo += $2 }
        END { print n (n == 1 ? " package, " : " packages, ") mega(packed) " to download, " mega(kilo * 1024) " on disk" }'
}
known() { # known PACKAGE...: those of which apt-get knows a version
    for package; do plan "${package%%:*}" >/dev/null && printf ' %s' "$package"; done
}
# The lists of packages may be absent, or too old to have all of these.
plan $(required) $wished $(packages_of $files) $daemons >"$log" || {
    apt update || failed "fetch the lists of packages"
    plan $(required) >"$log" || failed "find$(required)"
    optional=$wished$files$daemons
    wished=$(known $wished) files=$(known $files) daemons=$(known $daemons)
    for package in $optional; do
        case " $wished$files$daemons " in *" $package "*) continue ;; esac
        mkdir -p "$unpacked"
        echo "${package%%:*}" >>"$unpacked/unknown"
        say "this system has no package ${package%%:*}; it is done without"
    done
}
install=$(required)$wished
if [ -n "$install" ]; then
    say "$reasons, $(size $(with_needs $install)):$install"
    apt install --no-install-recommends $install ||
        { apt update && apt install --no-install-recommends $install; } || failed "install$install"
fi

# ---- unpacked, not installed ----
unpack() { # unpack PACKAGE[:FILE]...: whole, or this file of it
    mkdir -p "$unpacked/new" || return
    for package; do
        rm -f "$unpacked"/new/*.deb
        (cd "$unpacked/new" && apt-get -q download "${package%%:*}") >"$log" 2>&1 || return
        case $package in *:*) only=.${package#*:} ;; *) only=. ;; esac
        dpkg-deb --fsys-tarfile "$unpacked"/new/*.deb | tar -xf - -C "$unpacked" "$only" || return
    done
    rm -rf "$unpacked/new"
}
missing="" # what follows is optional
[ -z "$daemons" ] || daemons=$(with_needs $daemons)
if [ -n "$files$daemons" ]; then
    unpacks=$(echo $(packages_of $files) $daemons)
    say "$reasons, $(size $unpacks), unpacked into $unpacked and not installed: $unpacks"
    unpack $files $daemons || failed "unpack $unpacks"
    # Names that Debian would choose among alternatives for.
    for file in "$unpacked"/usr/sbin/*-wlm; do [ ! -e "$file" ] || ln -sf "${file##*/}" "${file%-wlm}"; done
fi
finish
