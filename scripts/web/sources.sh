#!/bin/sh
# Unpacks the sources of Lua and jansson that the WebAssembly module is built with: those of Debian, which has no package of
# them compiled to WebAssembly.
#
#   scripts/web/sources.sh FOLDER            writes FOLDER/lua and FOLDER/jansson; quick when they are there
#
# The package lists of sources are kept in FOLDER: those of the computer stay as they are. Elsewhere than on Debian,
# put Lua 5.4 and jansson 2.14 there by hand.
set -eu
lua=lua5.4 jansson=jansson
folder=$1
[ -e "$folder/lua/src/lapi.c" ] && [ -e "$folder/jansson/src/value.c" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-source >/dev/null 2>&1; then
    echo "sources: no apt-get and dpkg-source here; please unpack Lua 5.4 as $folder/lua and jansson 2.14 as $folder/jansson" >&2
    exit 1
fi
mkdir -p "$folder/lists/partial"
cd "$folder"
log=$PWD/log

# The computer's places for binary packages, as places for sources.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
    [ -e "$list" ] || continue
    case $list in
    *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >"${list##*/}" ;;
    *) sed -n 's/^deb\(-src\)\{0,1\} /deb-src /p' "$list" >"${list##*/}" ;;
    esac
done
mkdir -p parts
mv -f ./*.sources ./*.list parts/ 2>/dev/null || true
apt() {
    apt-get -q -o Dir::Etc::sourcelist=- -o Dir::Etc::sourceparts="$PWD/parts" -o Dir::State::lists="$PWD/lists" "$@"
}
if ! { apt update && apt source "$lua" "$jansson"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "sources: could not get the sources of $lua and $jansson (no network?)" >&2
    exit 1
fi
rm -rf lua jansson
mv lua5.4-*/ lua
mv jansson-*/ jansson
rm -rf lists parts "$log"
# Output of their own builds: where the modules of Debian are, and the computer's features.
echo '#define DEB_HOST_MULTIARCH "wasm32-wasi"' >lua/src/lua5.4-deb-multiarch.h
printf '#define HAVE_STDINT_H 1\n#define HAVE_ENDIAN_H 1\n' >jansson/src/jansson_private_config.h
