#!/bin/sh
# Finds out which tools and libraries are missing and installs their packages through apt-get.
#   scripts/setup.sh SET...        of build, run, test, check, fuzz, performance, install, browser, web
# Quick when nothing is missing. CC and LUA may name another compiler and another pkg-config module.
set -u

missing="" # required packages
wished=""  # optional packages
need() { # need PACKAGE CONDITION...: the package is missing unless the command succeeds
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
wish() { # wish PACKAGE FILE: the package is optional; FILE is in it
    test -e "$2" || wished="$wished $1"
}
data() { # recordings, scans, sentences, plots; without them studies use generated data and draw nothing
    wish alsa-utils /usr/share/sounds/alsa/Front_Center.wav
    wish fortunes-min /usr/share/games/fortunes/fortunes
    wish gnuplot-nox /usr/bin/gnuplot
    wish libcgal-demo /usr/share/doc/libcgal-dev/data.tar.gz
}
tool() { # tool NAME PACKAGE
    need "$2" command -v "$1"
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
modules=""
packages=""

compiler=${CC:-gcc}
case ${compiler%% *} in *clang*) compiler_package=clang ;; *) compiler_package="gcc libc6-dev" ;; esac

build_set() {
    need "$compiler_package" command -v "${compiler%% *}"
    tool ar binutils
    tool make make
    tool pkg-config pkg-config
    library "${LUA:-lua5.4}" liblua5.4-dev
    library libedit libedit-dev
    library libmd libmd-dev
    library sqlite3 libsqlite3-dev
    library jansson libjansson-dev
    library yaml-0.1 libyaml-dev
}

for set; do case $set in
build)
    build_set
    wish libncurses-dev /usr/include/ncurses.h # the full-screen view of heddle debug
    why="to build heddle"
    ;;
run)
    data
    why="for input data and plots of studies (optional)"
    ;;
test)
    library criterion libcriterion-dev
    tool lua5.4 lua5.4
    tool scdoc scdoc
    wish munge /usr/sbin/munged # with Slurm: a cluster on the loopback, for sweeps
    wish mypy /usr/bin/mypy
    wish python3-cffi /usr/lib/python3/dist-packages/cffi
    wish python3-jsonschema /usr/lib/python3/dist-packages/jsonschema
    wish python3-numpy /usr/lib/python3/dist-packages/numpy
    wish slurm-client /usr/bin/sbatch
    wish slurmctld /usr/sbin/slurmctld
    wish slurmd /usr/sbin/slurmd
    wish tmux /usr/bin/tmux
    wish vim /usr/share/vim/vim90/syntax/synload.vim
    wish z3 /usr/bin/z3 # proofs that need a solver are passed over without one
    data
    why="to run heddle's tests"
    ;;
check)
    tool clang clang
    tool clang-format clang-format
    tool clang-tidy clang-tidy
    tool cppcheck cppcheck
    tool luacheck lua-check
    tool scdoc scdoc
    why="to check heddle's sources"
    ;;
fuzz)
    tool clang clang
    need libclang-rt-14-dev sh -c 'test -e "$(clang -print-file-name=libclang_rt.fuzzer-x86_64.a)" ||
        ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*.a'
    why="to fuzz heddle"
    ;;
performance)
    tool valgrind valgrind
    why="to count what heddle costs"
    ;;
install)
    tool scdoc scdoc
    why="to write heddle's manual page"
    ;;
web)
    tool clang clang
    tool wasm-ld lld
    tool wasm-opt binaryen
    tool dpkg-source dpkg-dev # unpacks the sources of Lua and jansson
    need wasi-libc test -e /usr/include/wasm32-wasi/stdio.h
    need libclang-rt-14-dev-wasm32 sh -c 'test -e "$(clang -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a"'
    tool node nodejs
    tool npm npm
    why="to build heddle for the browser"
    ;;
browser)
    tool chromium chromium
    tool node nodejs
    tool npm npm
    why="to look at pages in a browser"
    ;;
*)
    echo "usage: $0 build|run|test|check|fuzz|performance|install|browser|web..." >&2
    exit 2
    ;;
esac; done
sets=" $* "
libraries
# locked FOLDER...: the packages of npm there, as they are locked, unless they are there already
locked() {
    for folder; do
        folder=${0%/*}/$folder have=$folder/node_modules/.package-lock.json
        [ -e "$have" ] && [ ! "$folder/package-lock.json" -nt "$have" ] && continue
        npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund || exit 1
    done
}
finish() {
    case $sets in *" web "* | *" browser "*) locked web ;; esac
    case $sets in *" browser "*) locked report ;; esac
    exit
}
[ -z "$missing$wished" ] && finish
[ -z "$missing" ] && optional=yes || optional=no
missing=$missing$wished

echo "setup: missing $why:$missing"
give_up() {
    echo "setup: $1" >&2
    [ "$optional" = yes ] && exit 0
    exit 1
}
if ! command -v apt-get >/dev/null 2>&1; then
    give_up "no apt-get here; please install these (named as in Debian) and run make again"
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
    sudo="sudo "
    if ! command -v sudo >/dev/null 2>&1; then
        give_up "neither root nor sudo; please install these packages and run make again"
    fi
fi
apt() {
    ${sudo}env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 "$@"
}
echo "setup: ${sudo}apt-get install$missing"
# The package lists may be absent or old: fetch them when the first attempt fails.
log=$(mktemp)
if apt install --no-install-recommends $missing >"$log" 2>&1 </dev/null ||
    { apt update && apt install --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    rm -f "$log"
    finish
fi
tail -n 20 "$log" >&2
rm -f "$log"
give_up "could not install$missing (no network, or no right to?)"
