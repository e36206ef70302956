#!/bin/sh
# Do the source archive, the .deb and the wheel of `make dist` have what they should, and does the wheel work by itself?
set -u
root=$PWD
. "$(dirname "$0")/../lib/cli.sh"
if [ -n "${SAN:-}" ] || ! command -v dpkg-shlibdeps >/dev/null || ! command -v scdoc >/dev/null; then
    echo "skipped: no packages are made of a build with sanitizers, nor without dpkg-dev and scdoc (scripts/setup.sh dist)"
    echo "0 passed, 0 failed"
    exit 0
fi
holds "they are made" "cd '$root' && make --no-print-directory SETUP=no BUILD=$BUILD $BUILD/static/libheddle.so $BUILD/static/libheddle_cases.so $BUILD/static/heddle $BUILD/heddle.1 &&
    DIST=$work/dist scripts/dist.sh source deb wheel"
version=$(heddle --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
holds "the sums" "cd dist && sha256sum -c --quiet SHA256SUMS && [ \$(wc -l <SHA256SUMS) = 3 ]"

tar -xzf dist/heddle-$version.tar.gz 2>got
holds "the archive has the tree" "cmp heddle-$version/Makefile '$root/Makefile' && [ -x heddle-$version/scripts/setup.sh ] && [ ! -e heddle-$version/build ]"

dpkg-deb -c dist/heddle_*.deb >files 2>got
for file in ./usr/bin/heddle ./usr/include/heddle.h ./usr/include/heddle_cases.h ./usr/lib/libheddle.so.$version ./usr/lib/libheddle_cases.so.$version ./usr/share/heddle/kernels/classic/saxpy.hd \
    ./usr/lib/python3/dist-packages/heddle/heddle.cdef ./usr/share/doc/heddle/copyright ./usr/share/doc/heddle/changelog.Debian.gz \
    ./usr/share/man/man1/heddle.1.gz; do
    holds "the .deb has $file" "grep -qF ' $file' files"
done
holds "all in it are root's, and nobody else's to write" "! grep -v ' root/root ' files && ! grep -E '^[^l]....w|^[^l].......w' files"
for package in libc6 libyaml-0-2 liblua5.4-0 libjansson4; do
    holds "it depends on $package" "dpkg-deb -f dist/heddle_*.deb Depends | grep -q $package"
done
if command -v lintian >/dev/null; then
    holds "lintian" "lintian --allow-root --fail-on error,warning dist/heddle_*.deb"
else
    echo "skipped: lintian is missing (make test ONLY=dist gets it)"
fi

# As pip puts it: the package into site-packages, data below the prefix, the command into bin.
packages=prefix/lib/python3/site-packages
mkdir -p $packages prefix/bin
python3 -m zipfile -e dist/heddle-*.whl $packages >got 2>&1
cp -r $packages/heddle-*.data/data/. prefix/
install -m 755 $packages/heddle-*.data/scripts/heddle prefix/bin/
lib=$packages/heddle/lib
for file in $lib/libheddle.so prefix/bin/heddle; do
    holds "$file of the wheel needs no other library" "! readelf -d $file | grep NEEDED | grep -vE 'libc\.so|libm\.so|libpthread|ld-linux'"
done
holds "what its cases need is beside them" "env -u LD_LIBRARY_PATH ldd $lib/libheddle_cases.so | grep -E 'lua|jansson|libheddle' >got; [ \$(grep -c '/$lib/' got) = 3 ]"
libc=$(readelf --wide -V $lib/*.so* prefix/bin/heddle | grep -oE 'GLIBC_2\.[0-9]+' | sort -Vu | tail -n 1)
holds "its name says which libc is needed" "[ -e dist/heddle-$version-py3-none-manylinux_2_${libc#GLIBC_2.}_$(uname -m).whl ] &&
    grep -x \"Tag: py3-none-manylinux_2_${libc#GLIBC_2.}_$(uname -m)\" $packages/heddle-*.dist-info/WHEEL"
holds "licences of all libraries in it" "cd $packages/heddle-*.dist-info/licenses && for library in LICENSE yaml lua5.4 edit bsd md jansson sqlite3 ncurses; do
    grep -qi copyright \$library || exit 1; done"
holds "no other program finds its libraries" "[ \$(ls $packages/heddle-*.data/data) = share ]"
holds "its command is whole" "prefix/bin/heddle run classic/saxpy --board a100 && prefix/bin/heddle doc threadIdx && prefix/bin/heddle study --options mask"
holds "RECORD has every file" "[ \$(python3 -m zipfile -l dist/heddle-*.whl | tail -n +2 | wc -l) = \$(cat $packages/heddle-*.dist-info/RECORD | wc -l) ]"
for python in python3 /usr/bin/python3 none; do "$python" -c 'import numpy, cffi' 2>/dev/null && break; done
if [ "$python" != none ]; then
    says 0 "env -u HEDDLE_LIBRARY PYTHONPATH=$packages $python -c 'import heddle, numpy as np
y = np.ones(4, np.float32)
heddle.run(\"classic/saxpy\", board=\"a100\", grid=1, block=32, x=y * 3, y=y, a=2, n=4)
print(y, heddle.run(\"classic/saxpy\", case=\"big\").case.met)'" "[7. 7. 7. 7.] 1"
else
    echo "skipped: python3-numpy or python3-cffi is missing, which the wheel needs"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
