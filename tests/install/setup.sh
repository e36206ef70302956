#!/bin/sh
# Does the set-up get missing packages from apt-get and no others, print their sizes, wait for locks, and obey HEDDLE_SETUP=no?
#
# apt-get and its companions are stubs, which write their requests into the file `asked`, on a computer that has
# only what a minimal Debian has; the paths of installed files, /usr/..., are below the folder of the suite.
set -u
scripts=$(realpath "$(dirname "$0")/../../scripts")
. "$(dirname "$0")/../lib/cli.sh"

mkdir -p bin scripts usr
sed "s|/usr/|$work/usr/|g; s|sleep 2|sleep 0.01|" "$scripts/setup.sh" >scripts/setup.sh
for name in sh awk cat cut dirname env grep head ln ls make mkdir mktemp printf rm sed sleep sort tail tar tee tr uname; do
    for folder in /bin /usr/bin; do [ ! -x "$folder/$name" ] || ln -sf "$folder/$name" "bin/$name"; done
done
stub() { # stub NAME: its text is on standard input
    { echo '#!/bin/sh' && cat; } >"bin/$1"
    chmod +x "bin/$1"
}
stub id <<'END'
cat "$WORK/user"
END
stub sudo <<'END'
echo "sudo $*" >>"$WORK/asked"
exec "$@"
END
# Knows no package before `update`, and never those of the file `unknown`; `locks`: a lock, and how many more times it is held.
stub apt-get <<'END'
asked=$*
case "$asked" in
-s*)
    [ -e "$WORK/lists" ] || exit 100
    for package; do
        case $package in -* | install) continue ;; esac
        ! grep -qx "$package" "$WORK/unknown" || { echo "E: Unable to locate package $package"; exit 100; }
        echo "Inst $package (1.0 Debian)"
    done
    case "$asked" in *slurm*) echo "Inst libhwloc15 (2.9 Debian)" ;; esac
    exit
    ;;
esac
echo "apt-get $(echo "$asked" | sed 's/-q -y -o Dpkg::Use-Pty=0 //; s/--no-install-recommends //; s/^-q //')" >>"$WORK/asked"
read -r lock times <"$WORK/locks"
case "$asked" in
*" update"* | *" install"*)
    if [ "$times" -gt 0 ]; then
        echo "$lock $((times - 1))" >"$WORK/locks"
        echo "E: Could not get lock $lock. It is held by process 4711 (apt-get)" >&2
        exit 100
    fi
    ;;
esac
case "$asked" in
*" update"*) : >"$WORK/lists" ;;
*download*) for package; do [ "$package" = -q ] || [ "$package" = download ] || echo "$package" >"$package.deb"; done ;;
esac
END
stub apt-cache <<'END'
case $1 in
depends) printf 'clang\n  Depends: clang-19\n' ;;
show) shift 2; for package; do printf 'Package: %s\nSize: 1500000\nInstalled-Size: 4000\n\n' "$package"; done ;;
esac
END
stub dpkg-deb <<'END'
for file; do :; done
package=$(cat "$file") usr=content$WORK/usr
mkdir -p "$usr/share/games/fortunes" "$usr/share/sounds/alsa" "$usr/share/doc/libcgal-dev" "$usr/sbin"
echo "$package" | tee "$usr/share/games/fortunes/fortunes" "$usr/share/sounds/alsa/Front_Center.wav" \
    "$usr/share/doc/libcgal-dev/data.tar.gz" >"$usr/sbin/$package-wlm"
cd content && tar -cf - . && rm -r ../content
END
stub npm <<'END'
echo "npm $*" >>"$WORK/asked"
END
echo '"integrity": "integrity":' >package-lock.json
computer() { # computer [USER]: a bare one
    rm -rf usr/* build lists content
    for name in ar cc clang gcc pkg-config; do rm -f "bin/$name"; done
    : >unknown
    : >asked
    echo "/var/lib/dpkg/lock-frontend 0" >locks
    echo "${1:-0}" >user
}
setup="env -i PATH=$work/bin WORK=$work sh scripts/setup.sh"
asked() { grep -qxF -e "$1" asked; } # asked LINE
sure() { # sure WHAT COMMAND...: like holds, with functions of this file
    what=$1
    shift
    cat asked >>got 2>/dev/null
    if "$@"; then ok; else bad "$what"; fi
}
never() { ! grep -qE -e "$1" asked; } # never PATTERN

# ---- missing packages, their size, and their order ----
build="gcc libc6-dev binutils pkg-config liblua5.4-dev libedit-dev libmd-dev libsqlite3-dev libjansson-dev libyaml-dev libncurses-dev"
computer
shows 0 "$setup build" <<END
setup: to build heddle, 11 packages, 16 MB to download, 45 MB on disk: $build
END
shows 0 "cat asked" <<END
apt-get update
apt-get install $build
END
printf '#!/bin/sh\n' | tee bin/gcc bin/ar bin/pkg-config >/dev/null && chmod +x bin/gcc bin/ar bin/pkg-config
mkdir -p usr/include && : >usr/include/ncurses.h && : >asked
shows 0 "$setup build; cat asked" </dev/null
says 0 "CC=gcc-14 PATH=$work/bin WORK=$work sh scripts/setup.sh build" "on disk: gcc-14 libc6-dev"
computer 1000
says 0 "$setup build" "setup: to build heddle, 11 packages"
sure "not by root" asked "sudo env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends $build"

# ---- locks of another apt-get ----
computer
echo "/var/lib/apt/lists/lock 3" >locks
shows 0 "$setup build | cut -c 1-80; grep -c update asked" <<'END'
setup: waits for apt-get (process 4711), which has /var/lib/apt/lists/lock
setup: to build heddle, 11 packages, 16 MB to download, 45 MB on disk: gcc libc6
4
END
rm -f lists && : >lists && : >asked
echo "/var/lib/dpkg/lock-frontend 2" >locks
says 0 "$setup build" "setup: waits for apt-get (process 4711), which has /var/lib/dpkg/lock-frontend"
sure "tried until it was free" [ "$(grep -c install asked)" = 3 ]

# ---- HEDDLE_SETUP=no ----
computer
shows 1 "HEDDLE_SETUP=no; export HEDDLE_SETUP; $setup build; env -i HEDDLE_SETUP=no WORK=$work PATH=$work/bin sh scripts/setup.sh build" <<END
setup: to build heddle, 11 packages, 16 MB to download, 45 MB on disk: $build
setup: missing to build heddle: $build
setup: HEDDLE_SETUP=no: nothing is installed; by hand: apt-get install $build
END
computer
no="env -i HEDDLE_SETUP=no WORK=$work PATH=$work/bin sh scripts/setup.sh"
shows 0 "$no run" <<'END'
setup: missing for data of studies: alsa-utils fortunes-min libcgal-demo
setup: HEDDLE_SETUP=no: nothing is installed; all of these can be done without
END
says 1 "$no web" "libclang-rt-19-dev-wasm32 lld binaryen dpkg-dev wasi-libc nodejs"
sure "it asks for nothing" [ ! -s asked ]

# ---- clang's runtime has the version of the compiler, or of the one that will be installed ----
computer
says 0 "$setup web" "libclang-rt-19-dev-wasm32"
sure "packages of npm" asked "npm ci --ignore-scripts --no-audit --no-fund --loglevel=error"
stub clang <<'END'
echo /lib/llvm-18/lib/clang/18.1.3
END
says 0 "$setup fuzz" "on disk: libclang-rt-18-dev"
sure "and no other" never 'libclang-rt-1[^89]|VERSION'

# ---- no services, editors or solvers unless requested, and never a package of a daemon ----
computer
says 0 "$setup build test" "to test heddle, for data of studies"
sure "test alone" never 'slurm|munge|z3|vim|mypy|tmux'
says 0 "$setup all" "libcriterion-dev"
sure "all" sh -c "grep '^apt-get install' asked | grep z3 | grep vim | grep mypy | grep tmux"
sure "no package of a daemon is installed" never 'install.*(slurm|munge|alsa-utils)'
for of in prove.sh:z3 python:vim debug_screen:tmux; do
    computer
    ONLY=${of%:*}
    says 0 "env -i ONLY=$ONLY PATH=$work/bin WORK=$work sh scripts/setup.sh test" "on disk: lua5.4 scdoc libcriterion-dev"
    sure "$ONLY asks for ${of#*:}" grep -qE "install.* ${of#*:}\\>" asked
    sure "and not for what others need" never "$(echo 'slurm|z3|vim|tmux' | sed "s/${of#*:}/nothing/")"
done
computer
says 0 "env -i ONLY=slurm PATH=$work/bin WORK=$work sh scripts/setup.sh test" \
    "8 packages, 12 MB to download, 33 MB on disk, unpacked into build/packages and not installed: alsa-utils fortunes-min libcgal-demo"
sure "what the daemons need comes with them" asked "apt-get download libhwloc15"
holds "the names that alternatives have" "[ \"\$(cat build/packages$work/usr/sbin/slurmctld)\" = slurmctld ]"

# ---- present packages are not requested again, and nor are those that the system does not have ----
computer
echo libcgal-demo >unknown
says 0 "$setup run" "setup: this system has no package libcgal-demo; it is done without"
sure "the others" asked "apt-get download fortunes-min"
sure "a file, unpacked" [ -e "build/packages$work/usr/share/games/fortunes/fortunes" ]
mkdir -p usr/share/sounds/alsa && : >usr/share/sounds/alsa/Front_Center.wav && : >asked
shows 0 "$setup run; cat asked" </dev/null

# ---- the check that every rule waits finds each that does not ----
sure "the Makefile is right" sh -c "cd '$scripts/..' && sh scripts/check/setup.sh"
grep -nE '^[^	#.].*:.*[ :]setup' "$scripts/../Makefile" | grep -v ':setup:' | cut -d : -f 1 >lines
holds "there are such rules" "[ $(wc -l <lines) -gt 15 ]"
while read -r line; do
    sed -E "${line}s/ \| setup[a-z-]*//; ${line}s/ setup-[a-z]+//g; ${line}s/: setup ;/: ;/" "$scripts/../Makefile" >mutant
    holds "line $line without its set-up is noticed: $(sed -n "${line}p" "$scripts/../Makefile")" \
        "! cmp -s mutant '$scripts/../Makefile' && cd '$scripts/..' && ! sh scripts/check/setup.sh $work/mutant"
done <lines

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
