#!/bin/sh
# Takes a newcomer's steps, on a computer that has only git and make: a minimal Debian, made by debootstrap in a
# folder, clones this repository (what is committed), runs the first two commands of the README, `make web`, and `make dist`.
# Then, on another such computer, a user's steps with the packages: installs each, runs it, removes it.
#
#   [RELEASE=bookworm] [ONLY="WORD..."] [WEB=no] [EXECS=folder] scripts/fresh.sh
#
# `make test` runs a suite of each kind, or those that ONLY names; `ONLY=` runs all. WEB=no skips parts that take minutes:
# the page, and the build of the source archive. EXECS are executors that this computer has compiled, used there if it has
# the same release. Without debootstrap it is skipped with a sentence. The base and the packages of Debian are kept in
# build/fresh for the next time, and the output of `make dist`; all else, mounts and processes too, is in namespaces of its
# own and ends with them. MIRROR names another mirror than the computer's own.
set -u
cd "$(dirname "$0")/.." || exit 2
release=${RELEASE:-bookworm}
only=${ONLY-"criterion lua_table cases.sh"}
folder=$PWD/build/fresh
base=$folder/$release.tar packages=$folder/$release.packages dist=$folder/$release.dist
passed=0 failed=0

skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed"
    exit 0
}
[ "$(id -u)" -eq 0 ] || skip "debootstrap makes a system for root alone"
command -v debootstrap >/dev/null || skip "debootstrap is missing (scripts/setup.sh fresh gets it)"
alone() { unshare --mount --pid --fork --kill-child "$@"; } # alone COMMAND...: with namespaces of its own
alone true 2>/dev/null || skip "namespaces cannot be made here"

# The computer's own mirror of Debian.
mirrors() { apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | head -n 1; }
mirror=${MIRROR:-$(mirrors)}
[ -n "$mirror" ] || { apt-get -q update >/dev/null 2>&1; mirror=$(mirrors); }
[ -n "$mirror" ] || skip "no mirror of Debian in /etc/apt (MIRROR=http://... names one)"

mkdir -p "$folder" "$packages"
notes=$(mktemp -d)
made=$notes
trap 'rm -rf $made' EXIT
trap 'exit 130' INT TERM

# Makes the folder `new`, a computer with this one's network settings: names, proxies, certificates.
computer() {
    new=$(mktemp -d "$folder/$release.XXXXXX")
    made="$made $new"
    chmod 755 "$new" # not for root alone
    if [ ! -e "$base" ]; then
        echo "==== debootstrap $release"
        if ! alone debootstrap --variant=minbase --include=git,make "$release" "$new" "$mirror" >"$notes/log" 2>&1; then
            tail -n 5 "$notes/log"
            skip "debootstrap failed (no network?)"
        fi
        tar -C "$new" -cf "$base.new" . && mv "$base.new" "$base"
    else
        tar -C "$new" -xf "$base"
    fi
    cp /etc/resolv.conf "$new/etc/resolv.conf"
    sed "s/localhost/& $(hostname)/" /etc/hosts >"$new/etc/hosts"
    apt-config dump | grep -i '^Acquire::.*proxy' >"$new/etc/apt/apt.conf.d/01proxy"
    known=""
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY npm_config_registry; do
        eval "value=\${$name:-}"
        [ -z "$value" ] || known="$known $name=$value"
    done
    [ ! -e "${NODE_EXTRA_CA_CERTS:-}" ] ||
        { cp "$NODE_EXTRA_CA_CERTS" "$new/srv/trusted" && known="$known NODE_EXTRA_CA_CERTS=/srv/trusted"; }
    cp -l "$packages"/*.deb "$new/var/cache/apt/archives/" 2>/dev/null
}
inside() { # inside COMMAND: by a shell in /root there
    alone sh -c 'mount -t proc proc "$1/proc" && mount -t sysfs sysfs "$1/sys" && mount -t devpts devpts "$1/dev/pts" &&
        mount -t tmpfs tmpfs "$1/dev/shm" && cd / && exec chroot "$1" env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $2 sh -c "cd /root && $3"' sh "$new" "$known" "$1" </dev/null
}
step() { # step NAME COMMAND
    echo "==== $1"
    began=$(date +%s)
    if inside "$2"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1"; fi
    echo "==== $1: $(($(date +%s) - began)) s"
}
keep() { cp -l "$new"/var/cache/apt/archives/*.deb "$packages/" 2>/dev/null; }
services() { (cd "$new" && find etc/systemd etc/rc?.d -type l 2>/dev/null | LC_ALL=C sort); }

# ---- steps of a newcomer ----

# The commands of the README, without the text of their comments.
computer
git clone -q --bare --depth 1 "file://$PWD" "$new/srv/heddle.git" || exit 1
if [ -n "${EXECS:-}" ] && grep -q "^VERSION_CODENAME=$release$" /etc/os-release; then
    cp "$EXECS"/exec_*.o "$new/srv/" && known="$known EXECS=/srv"
fi
git diff --quiet HEAD || echo "fresh: what is not committed is not cloned"
commands() { awk '/^```/ { on = $0 == "```sh" && !on; next } on { sub(/ *#.*/, ""); print }' README.md; }
services >"$notes/services"
step "git clone" "git clone -q /srv/heddle.git heddle"
commands | head -n 2 >"$notes/first"
while read -r command; do
    case $command in "make test") set -- "$command" "${only:+ONLY='$only'}" ;; *) set -- "$command" "" ;; esac
    step "$1${2:+ $2}" "cd heddle && $1 $2"
done <"$notes/first"
parts="source deb wheel"
if [ "${WEB:-}" != no ]; then
    parts="source page deb wheel"
    web=$(commands | grep -o '^make web')
    step "$web" "cd heddle && $web"
fi
step "nothing is asked for twice" "cd heddle && scripts/setup.sh build run test >/tmp/said; cat /tmp/said; test ! -s /tmp/said"
services | diff "$notes/services" - >"$notes/log"
if [ -s "$notes/log" ]; then
    echo "FAILED: services were enabled:"
    cat "$notes/log"
    failed=$((failed + 1))
else
    passed=$((passed + 1))
fi
step "make dist PARTS='$parts'" "cd heddle && make dist PARTS='$parts' && cd build/dist && sha256sum -c SHA256SUMS"
rm -rf "$dist"
cp -r "$new/root/heddle/build/dist" "$dist"
if [ "${WEB:-}" != no ]; then
    step "the page" "cd heddle && cmp build/web/heddle.html build/dist/heddle-*[0-9].html &&
        head -c 15 build/dist/heddle-*.html | grep -xi '<!doctype html>' && node tests/pages/functions.js"
    step "the source archive" "tar -xzf heddle/build/dist/heddle-*.tar.gz && diff -r --exclude=.git --exclude=build --exclude=node_modules heddle heddle-*[0-9] &&
        cd heddle-*[0-9] && make run EXECS=\${EXECS:-../heddle/build/obj} && build/heddle test classic/saxpy"
fi
keep

# ---- what a user does with it ----
lists=$new/var/lib/apt/lists # as they were fetched
computer
cp -r "$lists" "$new/var/lib/apt/"
cp "$dist"/*.deb "$dist"/*.whl "$new/root/"
cat >"$new/root/launch.py" <<'END'
import heddle, numpy
x, y = numpy.arange(64, dtype="f4"), numpy.ones(64, "f4")
result = heddle.run("classic/saxpy", board="a100", grid=1, block=64, x=x, y=y, a=2, n=64)
assert (y == 2 * numpy.arange(64) + 1).all(), y
assert heddle.run("classic/divergence").case.met == 3
print(heddle.__version__, heddle.__file__, result.cycles, "cycles")
END
cat >"$new/root/complete" <<'END'
. /usr/share/bash-completion/bash_completion
_completion_loader heddle
COMP_WORDS=(heddle run classic/sax) COMP_CWORD=2 COMP_LINE="heddle run classic/sax" COMP_POINT=22
_heddle heddle classic/sax run
echo "${COMPREPLY[*]}"
END
cat >"$new/root/left" <<'END'
! find / -xdev \( -path /root -o -path /proc -o -path /var/cache \) -prune -o -iname '*heddle*' "$@" -print | grep .
END
step "apt-get install ./heddle_*.deb" "apt-get -q -y install ./heddle_*.deb man-db bash-completion"
step "its command, without a compiler" "! command -v cc gcc clang && heddle run classic/saxpy && heddle test classic/saxpy && heddle lint /usr/share/heddle/kernels/classic/saxpy.hd"
step "its manual page" "man heddle | head -n 8 | grep 'heddle - '"
step "its completion" "bash complete | grep classic/saxpy"
step "its package for Python" "python3 launch.py | grep /usr/lib/python3"
step "apt-get purge heddle leaves nothing" "apt-get -q -y purge heddle && sh left"
step "pip install ./heddle-*.whl" "apt-get -q -y install --no-install-recommends python3-pip && pip install --break-system-packages ./heddle-*.whl"
step "its package and its command" "python3 launch.py | grep /usr/local && heddle run classic/saxpy && heddle doc threadIdx"
step "pip uninstall heddle leaves nothing" "pip uninstall -y --break-system-packages heddle && sh left ! -type d"
for other in "$folder"/*.dist; do # those of other releases run here, or pip refuses them
    [ "$other" != "$dist" ] && [ -d "$other" ] || continue
    other=${other##*/}
    mkdir "$new/root/$other" && cp "$folder/$other"/*.whl "$new/root/$other"
    step "the wheel that ${other%.dist} made" "if pip install --break-system-packages $other/*.whl >said 2>&1; then python3 launch.py && heddle run classic/saxpy; else
        cat said && grep 'not a supported wheel on this platform' said; fi"
done
keep
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
