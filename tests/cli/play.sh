#!/bin/sh
# Does `heddle play` open its page with the kernel, and refuse what makes no sense? The page itself is tested in a browser
# (tests/pages/page.js).
#
#   HEDDLE=build/heddle sh tests/cli/play.sh
set -u
home=$PWD
. "$(dirname "$0")/../lib/cli.sh"

# A program of its own, so that no page lies beside it, and what it ships with.
mkdir -p bin share/heddle
cp "$HEDDLE" bin/heddle
ln -s "$home/kernels" "$home/configs" "$home/scripts" share/heddle/
PATH=$PWD/bin:$PATH
export XDG_CACHE_HOME="$PWD/cache"

says 2 "heddle play" "the page is not there: 'make web' builds it"
echo '<p>the page</p>' >"share/heddle/heddle.html"

# content COMMAND: what the page is given, from the link
content() {
    sh -c "$1" | tail -n 1 | sed 's/.*#0//; s/")<.*//' | tr '_-' '/+' | awk '{ while (length($0) % 4) $0 = $0 "="; print }' | base64 -d
}
given() { # given COMMAND TEXT: the link of the command has this text
    content "$1" >got
    if grep -qF -e "$2" got; then ok; else bad "no '$2' in the link of: $1"; fi
}

holds "the link is that of the page" "heddle play --lesson 1 --print | grep -q '^file://$PWD/share/heddle/heddle.html#0[A-Za-z0-9_-]*$'"
holds "without a kernel it is the page alone" "heddle play --print | grep -q '/heddle.html$'"
given "heddle play classic/saxpy --print" '"name":"saxpy.hd"'
given "heddle play classic/saxpy --print" '; saxpy: y = a * x + y'
given "heddle play classic/saxpy --board v100 --case 2 --warp 16 --print" '"board":"v100","case":"2","warp":16'
given "heddle play --lesson 3 --print" '"lesson":3'
given "heddle play classic/matmul_naive --print" '"name":"classic/matmul_naive.hd"'
given "heddle play classic/matmul_naive --print" '"lib/sums.hd":"'

# A kernel of one's own, with names that addresses and JSON must escape, and one that does not assemble.
mkdir -p 'a "b" #c' lib
printf '.include "../lib/two.hd"\n.kernel k\n  exit ; "\\ \303\244\n' >'a "b" #c/k.hd'
printf '; two\n' >lib/two.hd
given "heddle play 'a \"b\" #c/k.hd' --print" '"name":"a \"b\" #c/k.hd"'
given "heddle play 'a \"b\" #c/k.hd' --print" '"lib/two.hd":"; two\n"'
given "heddle play 'a \"b\" #c/k.hd' --print" 'exit ; \"\\ ä'
echo 'no kernel' >broken.hd
given "heddle play broken.hd --print" '"source":"no kernel\n"'
given "echo '.kernel k' | heddle play - --print" '"source":".kernel k\n"'
mv share "sh#re ä" && ln -s "$PWD/sh#re ä" share

# The browser's file leads on to the same link.
printf '#!/bin/sh\ncp "$1" %s/opened\n' "$PWD" >browser
chmod +x browser
says 0 "BROWSER=$PWD/browser heddle play classic/saxpy" "opened $PWD/cache/heddle/play.html with $PWD/browser"
for i in $(seq 50); do [ -s opened ] || sleep 0.2; done
given "cat opened | grep location" '"name":"saxpy.hd"'
says 2 "PATH=/nothing BROWSER= $PWD/bin/heddle play" "no browser was found (\$BROWSER, xdg-open); open this file in one: $PWD/cache"
says 2 "XDG_CACHE_HOME=/proc BROWSER=true heddle play" "/proc/heddle/play.html: "
says 2 "env -u XDG_CACHE_HOME -u HOME heddle play" "neither XDG_CACHE_HOME nor HOME names a folder for the link"

says 2 "heddle play saxpi" "did you mean 'saxpy'?"
says 2 "heddle play nothing.hd" "nothing.hd: error: cannot be read"
says 2 "heddle play --warp 12" "12 is none of 8, 16, 32 and 64"
says 2 "heddle play --warp wide" "'wide' is no number from 1 to 64"
says 2 "heddle play --board v100" "--board, --case and --warp go with a kernel, or with --lesson"
says 2 "heddle play classic/saxpy --board v10" "--board: 'v10' is no board that ships ('heddle board' lists them)"
says 2 "heddle play --lesson 1 --board mine.yaml" "--board: 'mine.yaml' is no board that ships"
says 2 "heddle play --lesson 0" "'0' is no number from 1 to 99"
says 2 "heddle play a.hd b.hd" "one kernel at a time"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
