#!/bin/sh
# On a computer where nothing is installed yet, `make -j` runs no tool before the set-up has installed it.
#
# First by the graph: whatever is made depends, directly or through what it is made of, on the set that its recipe needs.
# Then by a run: everything is "built" with a PATH that has only what a minimal Debian has; a stub in place of
# scripts/setup.sh puts tools there, each set a moment late. They write empty files, so all of it takes seconds.
#
#   scripts/check/setup.sh [MAKEFILE]
set -u
makefile=$(realpath "${1:-Makefile}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
goals="all run test check docs verdicts bench performance fmt functional fuzzers mutants threads web install dist" # `fuzz` makes fuzzers

# ---- the graph ----
# NAME of the set and the words, in recipes, of what it installs. Every recipe needs the tools of the build, but for those
# of the last row.
cat >"$work/sets" <<'END'
setup-web      WEB_CC|wasm-opt|node |sources\.sh
setup-test     criterion|scripts/test\.sh
setup-fuzz     -fsanitize=fuzzer
setup-install  scdoc
setup-check    clang-format|scripts/check\.sh
setup-performance performance\.lua
setup-dist     dist\.sh
setup-run      demo\.lua
nothing        ^(setup.*|clean|help|size|uninstall|.*/flags)$
END
# shellcheck disable=SC2086
env -i PATH="$PATH" make -f "$makefile" -npr BUILD="$work/build" $goals 2>"$work/error" >"$work/database" || {
    cat "$work/error"
    exit 1
}
awk '
    FILENAME == ARGV[1] { set = $1; sub(/^[^ ]+ +/, ""); words[set] = $0; next }
    /^# Files/ { files = 1 }
    /^# (VPATH|Variables|Implicit Rules)/ { files = 0 }
    !files { next }
    /^# Not a target/ { getline; target = ""; next }
    /^[^#\t ][^=]*:/ { target = $0; sub(/:.*/, "", target); needs = $0; sub(/^[^:]*:/, "", needs); prerequisites[target] = needs }
    /^\t/ && target != "" { recipe[target] = recipe[target] $0 }
    function waits(target, set, n, i, names, key) { # whether the target depends on the set
        key = target SUBSEP set
        if (key in known) return known[key]
        known[key] = 0
        if (target == set) return known[key] = 1
        n = split(prerequisites[target], names, /[ |]+/)
        for (i = 1; i <= n; i++) if (names[i] != "" && waits(names[i], set)) return known[key] = 1
        return 0
    }
    function must(target, set) {
        if (waits(target, set)) return
        print target ": its rule must wait for " set ", which installs what it runs (`| " set "`)"
        bad++
    }
    END {
        for (target in recipe) {
            if (target ~ words["nothing"]) continue
            must(target, "setup")
            for (set in words) if (set != "nothing" && recipe[target] ~ words[set]) must(target, set)
            made++
        }
        if (made < 500) { print "only " made + 0 " targets with a recipe: the database of make was not understood"; bad++ }
        print made " targets" >"/dev/stderr"
        exit bad > 0
    }' "$work/sets" "$work/database" 2>"$work/count" | LC_ALL=C sort | awk 'NR <= 20; END { if (NR > 20) print "... and " NR - 20 " more" }' >"$work/wrong"
if [ -s "$work/wrong" ] || ! grep -qE '^[0-9]+ targets$' "$work/count"; then
    cat "$work/wrong" "$work/count"
    exit 1
fi

# ---- the run ----
bare=$work/bin tree=$work/tree
mkdir -p "$bare" "$tree/scripts/web" "$work/tools"
for name in sh awk basename cat chmod cmp cp cut date dirname echo env expr find grep head id ln ls make mkdir mktemp mv nproc \
    printf pwd rm sed sleep sort tail test touch tr true uname uniq wc xargs; do
    for folder in /bin /usr/bin; do [ ! -x "$folder/$name" ] || ln -sf "$folder/$name" "$bare/$name"; done
done
cat >"$work/tools/any" <<'END'
#!/bin/sh
# Writes the requested output, a program that does nothing, or the last of its words, if that is a place in the build.
while [ $# -gt 0 ]; do
    case $1 in -o) echo '#!/bin/sh' >"$2" && chmod +x "$2" ;; rcs) : >"$2" ;; --localize-hidden) : >"$2" ;; *.html) : >"$1" ;; esac
    shift
done
END
chmod +x "$work/tools/any"
for name in * scripts/* scripts/web/*; do
    case $name in
    "${BUILD:-build}" | build | scripts | scripts/web | scripts/setup.sh | Makefile) ;;
    scripts/web/sources.sh) printf '#!/bin/sh\nnode && mkdir -p "$1"\n' >"$tree/$name" ;;
    *) ln -s "$PWD/$name" "$tree/$name" ;;
    esac
done
cp "$makefile" "$tree/Makefile"
cat >"$tree/scripts/setup.sh" <<END
#!/bin/sh
[ "\$1" != --sets ] || exec sh "$PWD/scripts/setup.sh" --sets
sleep 1
for set; do
    case \$set in
    build) tools="gcc ld ar objcopy pkg-config" ;;
    web) tools="clang wasm-opt node" ;;
    install) tools=scdoc ;;
    *) tools= ;;
    esac
    for tool in \$tools; do ln -sf "$work/tools/any" "$bare/\$tool"; done
done
END
chmod +x "$tree"/scripts/setup.sh "$tree"/scripts/web/sources.sh
if ! (cd "$tree" && env -i PATH="$bare" make -j4 all build/tests/run build/tests/model build/functional build/bench \
    build/heddle.1 build/web/heddle.html $(ls tests/fuzz/fuzz_*.c | sed 's|tests/fuzz/\(.*\)\.c|build/\1|')) \
    >"$work/log" 2>&1 </dev/null; then
    echo "a tool runs before it is installed:"
    grep -vE '^  (CC|AR|LINK|GET|PAGE) ' "$work/log" | head -n 20
    exit 1
fi
cat "$work/count"
