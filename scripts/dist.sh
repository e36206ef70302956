#!/bin/sh
# Does `make dist`: packages for others, in $BUILD/dist, with SHA256SUMS.
#
#   scripts/dist.sh [source] [page] [deb] [wheel]       all of them
#
# heddle-VERSION.tar.gz has the files of the source tree, heddle-VERSION.html is the page of `make web`, the .deb has the
# files of `make install PREFIX=/usr`, and the wheel the Python package with the command, which needs only cffi and numpy:
# it contains the libraries except libc, whose oldest suitable version is in its name. Times are those of the last commit.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
dist=${DIST:-$build/dist}
version=$(sed -n 's/.*HEDDLE_VERSION "\(.*\)".*/\1/p' sim/api/heddle.h)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s -r CHANGELOG.md)}
export SOURCE_DATE_EPOCH LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$dist"
installed() { # installed FOLDER PREFIX
    make --no-print-directory SETUP=no BUILD="$build" DESTDIR="$1" PREFIX="$2" install >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

source_archive() {
    { git ls-files -c 2>/dev/null || find . -name .git -prune -o -name build -prune -o -name node_modules -prune -o -type f -print | sed 's|^\./||'; } |
        while read -r file; do [ ! -e "$file" ] || echo "$file"; done | sort >"$work/files"
    tar --create --no-recursion --files-from="$work/files" --transform="s|^|heddle-$version/|" --mtime="@$SOURCE_DATE_EPOCH" \
        --owner=0 --group=0 --numeric-owner | gzip -9n >"$dist/heddle-$version.tar.gz"
}

page() { cp "$build/web/heddle.html" "$dist/heddle-$version.html"; }

deb() {
    arch=$(dpkg --print-architecture)
    root=$work/deb doc=$work/deb/usr/share/doc/heddle
    installed "$root" /usr
    chmod -R u=rwX,go=rX "$root"
    chmod 644 "$root"/usr/lib/libheddle*.so.*
    rm "$doc/LICENSE" "$doc/CHANGELOG.md" "$root/usr/share/heddle/files"
    gzip -9n "$root/usr/share/man/man1/heddle.1"
    gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
    { printf 'heddle is under the Expat licence, and so is all of it:\n\n' && cat LICENSE; } >"$doc/copyright"
    {
        echo "heddle ($version-1) unstable; urgency=medium"
        printf '\n  * What is new is in changelog.gz.\n\n'
        echo " -- heddle maintainers <maintainers@users.noreply.example>  $(date -uR -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9nc >"$doc/changelog.Debian.gz"
    # One package has the command, the library and its header.
    mkdir -p "$root/usr/share/lintian/overrides" "$root/DEBIAN" "$work/debian"
    cat >"$root/usr/share/lintian/overrides/heddle" <<'END'
# The command, the library and its header are in one package.
heddle: package-name-doesnt-match-sonames
heddle: non-dev-pkg-with-shlib-symlink
# Its library is in /usr/lib, for programs of this computer.
heddle: pkg-config-unavailable-for-cross-compilation
# It is not made for Debian's archive, which requires a report.
heddle: initial-upload-closes-no-bugs
END
    printf 'Source: heddle\n\nPackage: heddle\nArchitecture: any\n' >"$work/debian/control"
    depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info -ldeb/usr/lib -xheddle deb/usr/bin/heddle deb/usr/lib/libheddle*.so."$version" deb/usr/lib/lua/5.4/heddle.so 2>log |
        sed -n 's/^shlibs:Depends=//p')
    [ -n "$depends" ] || { cat "$work/log"; exit 1; }
    cat >"$root/DEBIAN/control" <<END
Package: heddle
Version: $version-1
Architecture: $arch
Maintainer: heddle maintainers <maintainers@users.noreply.example>
Installed-Size: $(du -k -s --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends, sensible-utils
Recommends: python3, python3-cffi, python3-numpy
Suggests: z3
Section: science
Priority: optional
Description: cycle-approximate GPU simulator with its own SIMT instruction set
 heddle runs kernels in its own assembly language, which reads like PTX, and
 says what every cycle, byte and joule was spent on. It proves that kernels
 are equal, finds races, steps through runs forward and back, and sweeps over
 boards.
 .
 The package has the command, a library for C with its header, a module for
 Lua and a package for Python.
END
    for library in libheddle libheddle_cases; do echo "$library ${version%%.*} heddle (>= $version)"; done >"$root/DEBIAN/shlibs"
    echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
    printf '#!/bin/sh\nset -e\nif [ "$1" = configure ] && command -v py3compile >/dev/null; then py3compile -p heddle; fi\n' >"$root/DEBIAN/postinst"
    printf '#!/bin/sh\nset -e\nif command -v py3clean >/dev/null; then py3clean -p heddle; fi\n' >"$root/DEBIAN/prerm"
    chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"
    (cd "$root" && find usr -type f | sort | xargs md5sum) >"$root/DEBIAN/md5sums"
    dpkg-deb --root-owner-group --build "$root" "$dist/heddle_${version}-1_$arch.deb" >/dev/null
}

wheel() {
    root=$work/wheel name=heddle-$version
    data=$root/$name.data about=$root/$name.dist-info
    beside=$(ldd "$build/static/libheddle_cases.so" | sed -n 's/.*=> \(.*lib\(lua\|jansson\).*\) (.*/\1/p')
    libc=$(readelf --wide --version-info "$build"/static/heddle "$build"/static/*.so $beside | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -n 1)
    [ -n "$libc" ] || { echo "dist: the wheel is for glibc alone" >&2; exit 1; }
    tag=py3-none-manylinux_2_${libc#GLIBC_2.}_$(uname -m)
    installed "$work/all" /usr
    mkdir -p "$about/licenses" "$root/heddle/lib" "$data/data" "$data/scripts"
    cp "$work"/all/usr/lib/python3/dist-packages/heddle/* "$root/heddle/"
    cp -r "$work/all/usr/share" "$data/data/"
    rm "$data/data/share/heddle/files"
    cp -L "$build"/static/*.so $beside "$root/heddle/lib/" # where no other program looks
    cp "$build/static/heddle" "$data/scripts/"
    cp LICENSE "$about/licenses/"
    for package in yaml lua5.4 edit bsd md jansson sqlite3 ncurses; do # what is linked with it
        cp "/usr/share/doc/lib$package-dev/copyright" "$about/licenses/$package"
    done
    cat >"$about/METADATA" <<END
Metadata-Version: 2.1
Name: heddle
Version: $version
Summary: Cycle-approximate GPU simulator with its own SIMT instruction set
License: MIT
Requires-Python: >=3.9
Requires-Dist: cffi
Requires-Dist: numpy
Description-Content-Type: text/markdown

$(cat docs/python.md)
END
    printf 'Wheel-Version: 1.0\nGenerator: heddle\nRoot-Is-Purelib: false\nTag: %s\n' "$tag" >"$about/WHEEL"
    python3 - "$root" "$dist/$name-$tag.whl" "$name.dist-info/RECORD" <<'END'
import base64, hashlib, os, pathlib, sys, time, zipfile
root, wheel, record = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
when = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
rows = []
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as out:
    def put(name, data):
        info = zipfile.ZipInfo(name, when)
        mode = 0o100755 if ".data/scripts/" in name else 0o100644
        info.external_attr, info.compress_type = mode << 16, zipfile.ZIP_DEFLATED
        out.writestr(info, data)
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        name, data = path.relative_to(root).as_posix(), path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
        put(name, data)
    put(record, "".join(rows) + f"{record},,\n")
END
}

[ $# -gt 0 ] || set -- source page deb wheel
for part; do
    case $part in source) source_archive ;; page | deb | wheel) $part ;; *) echo "dist: no '$part'" >&2 && exit 2 ;; esac
done
(cd "$dist" && ls | grep -v SHA256SUMS | xargs sha256sum >SHA256SUMS)
ls -l "$dist" | awk 'NR > 1 { printf "  %9d  %s\n", $5, $9 }'
