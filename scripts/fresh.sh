#!/bin/sh
# Does what a newcomer does, on a computer that has nothing but git and make: a minimal Debian, made by debootstrap in a
# folder, clones this repository (what is committed) and runs the first two commands of the README, and `make web`.
#
#   [RELEASE=bookworm] [ONLY="WORD..."] [WEB=no] scripts/fresh.sh
#
# `make test` runs a suite of each kind, or those that ONLY names; `ONLY=` runs all. Where debootstrap cannot run, it is
# skipped with a sentence. The base and the packages are kept in build/fresh for the next time; all else, mounts and
# processes too, is in namespaces of its own and goes with them. MIRROR names another mirror than the computer's own.
set -u
cd "$(dirname "$0")/.." || exit 2
release=${RELEASE:-bookworm}
only=${ONLY-"criterion lua_table cases.sh"}
folder=$PWD/build/fresh
base=$folder/$release.tar packages=$folder/$release.packages
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
new=$(mktemp -d "$folder/$release.XXXXXX")
trap 'rm -rf "$new"' EXIT
trap 'exit 130' INT TERM
if [ ! -e "$base" ]; then
    echo "==== debootstrap $release"
    if ! alone debootstrap --variant=minbase --include=git,make "$release" "$new" "$mirror" >"$folder/log" 2>&1; then
        tail -n 5 "$folder/log"
        skip "debootstrap failed (no network?)"
    fi
    tar -C "$new" -cf "$base.new" . && mv "$base.new" "$base"
else
    tar -C "$new" -xf "$base"
fi

# ---- the computer ----
# What this one knows of the network: names, proxies, whom to trust.
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
git clone -q --bare --depth 1 "file://$PWD" "$new/srv/heddle.git" || exit 1
git diff --quiet HEAD || echo "fresh: what is not committed is not cloned"

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
services() { (cd "$new" && find etc/systemd etc/rc?.d -type l 2>/dev/null | LC_ALL=C sort); }

# ---- what a newcomer does ----
# The commands that the README gives, without what its comments say.
commands() { awk '/^```/ { on = $0 == "```sh" && !on; next } on { sub(/ *#.*/, ""); print }' README.md; }
services >"$folder/services"
step "git clone" "git clone -q /srv/heddle.git heddle"
commands | head -n 2 >"$folder/first"
while read -r command; do
    case $command in "make test") set -- "$command" "${only:+ONLY='$only'}" ;; *) set -- "$command" "" ;; esac
    step "$1${2:+ $2}" "cd heddle && $1 $2"
done <"$folder/first"
web=$(commands | grep -o '^make web')
[ "${WEB:-}" = no ] || step "$web" "cd heddle && $web"
step "nothing is asked for twice" "cd heddle && scripts/setup.sh build run test >said && cat said && test ! -s said"
services | diff "$folder/services" - >"$folder/log"
if [ -s "$folder/log" ]; then
    echo "FAILED: services were enabled:"
    cat "$folder/log"
    failed=$((failed + 1))
else
    passed=$((passed + 1))
fi
cp -l "$new"/var/cache/apt/archives/*.deb "$packages/" 2>/dev/null
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
