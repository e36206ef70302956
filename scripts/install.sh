#!/bin/sh
# The work of `make install` and `make uninstall`; see the Makefile for the variables.
#
# Everything is under $PREFIX, and the command finds share/heddle relative to its own path, so an installed tree may be
# moved. The installed files are listed in share/heddle/files, which uninstall reads.
set -eu
PREFIX=${PREFIX:-/usr/local}
root=${DESTDIR:-}$PREFIX
share=$root/share/heddle

put() { # put MODE FILE TARGET
    install -D -m "$1" "$2" "$root/$3"
    echo "$3" >>"$list"
}
link() { # link NAME TARGET
    ln -sf "$1" "$root/$2"
    echo "$2" >>"$list"
}
# binary MODE FILE TARGET STRIP-OPTION: without symbols, unless STRIP=no
binary() {
    put "$1" "$2" "$3"
    [ "${STRIP:=strip}" = no ] || "$STRIP" "$4" "$root/$3"
}
tree() { # tree FOLDER PATTERN TARGET: files below FOLDER go to TARGET/FOLDER
    find "$1" -type f -name "$2" | LC_ALL=C sort | while read -r file; do put 644 "$file" "$3/$file"; done
}

case $1 in
install)
    list=$(mktemp)
    trap 'rm -f "$list" "$list".*' EXIT
    binary 755 "$BUILD/heddle" bin/heddle --strip-unneeded
    binary 644 "$BUILD/libheddle.a" lib/libheddle.a --strip-debug
    for library in libheddle.so libheddle_cases.so; do
        binary 755 "$BUILD/$library.$VERSION" "lib/$library.$VERSION" --strip-unneeded
        link "$library.$VERSION" "lib/$library.$MAJOR"
        link "$library.$MAJOR" "lib/$library"
    done
    scripts/header.sh >"$list.h"
    put 644 "$list.h" include/heddle.h
    sed 's|"sim/api/heddle.h"|"heddle.h"|' sim/lua/heddle_cases.h >"$list.h"
    put 644 "$list.h" include/heddle_cases.h
    binary 755 "$BUILD/heddle.so" lib/lua/5.4/heddle.so --strip-unneeded
    put 644 "$BUILD/heddle.1" share/man/man1/heddle.1
    for shell in bash zsh fish; do
        "$BUILD/heddle" completion "$shell" >"$list.$shell"
    done
    put 644 "$list.bash" share/bash-completion/completions/heddle
    put 644 "$list.zsh" share/zsh/site-functions/_heddle
    put 644 "$list.fish" share/fish/vendor_completions.d/heddle.fish
    for file in README.md LICENSE CHANGELOG.md; do
        put 644 "$file" "share/doc/heddle/$file"
    done
    tree docs '*.md' share/doc/heddle
    tree docs '*.svg' share/doc/heddle
    tree docs '*.png' share/doc/heddle
    tree kernels '*.hd' share/heddle
    tree configs '*.yaml' share/heddle
    tree scripts '*.lua' share/heddle
    tree scripts/sweeps '*.yaml' share/heddle
    for file in common.css page.css axes.js charts.js figures.js plot.min.js; do
        put 644 "scripts/report/$file" "share/heddle/scripts/report/$file"
    done
    # The page of `heddle play`, where `make web` has built it.
    if [ -e "$BUILD/web/heddle.html" ]; then put 644 "$BUILD/web/heddle.html" share/heddle/heddle.html; fi
    "$BUILD/heddle" schema | while read -r name about; do
        "$BUILD/heddle" schema "$name" >"$list.schema"
        put 644 "$list.schema" "share/heddle/schema/$name.json"
    done
    for name in vim vim-detect vscode vscode-language textmate; do
        "$BUILD/heddle" lua scripts/editors.lua "$name" >"$list.$name"
    done
    put 644 "$list.vim" share/vim/vimfiles/syntax/heddle.vim
    put 644 "$list.vim-detect" share/vim/vimfiles/ftdetect/heddle.vim
    put 644 "$list.vscode" share/heddle/vscode/package.json
    put 644 "$list.vscode-language" share/heddle/vscode/language-configuration.json
    put 644 "$list.textmate" share/heddle/vscode/syntaxes/heddle.tmLanguage.json
    # Debian's python3 looks below /usr/local in a folder of its version.
    python=lib/python3/dist-packages
    debian=/usr/bin/python3
    if [ "$PREFIX" = /usr/local ] && [ -x "$debian" ]; then
        python=lib/python$("$debian" -c 'import sys; print("%d.%d" % sys.version_info[:2])')/dist-packages
    fi
    for file in scripts/python/heddle/*.py scripts/python/heddle/py.typed "$BUILD"/*.cdef; do
        put 644 "$file" "$python/heddle/$(basename "$file")"
    done
    # Paths relative to the file itself, so that the tree may be moved and staged. What is private is for the archive:
    # pkg-config --static.
    cat >"$list.pc" <<EOF
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: heddle
Description: Cycle-approximate GPU simulator with its own SIMT instruction set
Version: $VERSION
Requires.private: yaml-0.1
Libs: -L\${libdir} -lheddle
Libs.private: -lm -pthread
Cflags: -I\${includedir}
EOF
    put 644 "$list.pc" lib/pkgconfig/heddle.pc
    echo share/heddle/files >>"$list"
    install -D -m 644 "$list" "$share/files"
    echo "installed $(wc -l <"$list") files under $root"
    ;;
uninstall)
    [ -f "$share/files" ] || { echo "nothing of heddle is installed under $root" >&2; exit 1; }
    n=$(wc -l <"$share/files")
    list=$(mktemp)
    cp "$share/files" "$list"
    while read -r file; do
        rm -f "$root/$file"
        case $file in *.py) # and what Python made of it
            made=$root/${file%/*}/__pycache__
            rm -f "$made/$(basename "$file" .py)".*.pyc
            rmdir "$made" 2>/dev/null || : ;;
        esac
    done <"$list"
    # Folders that are heddle's own or were left empty.
    while read -r file; do
        folder=$(dirname "$file")
        while [ "$folder" != . ]; do
            rmdir "$root/$folder" 2>/dev/null || break
            folder=$(dirname "$folder")
        done
    done <"$list"
    rm -f "$list"
    echo "removed $n files from $root"
    ;;
*)
    echo "usage: $0 install|uninstall" >&2
    exit 2
    ;;
esac
