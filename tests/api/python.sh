#!/bin/sh
# Is the Python package the same simulator: its own tests, the examples in its texts and in docs/python.md, its types?
set -u
root=$PWD
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import numpy, cffi' 2>/dev/null && break
done
if [ -n "${SAN:-}" ] || [ "$python" = none ]; then
    echo "skipped: python3-numpy or python3-cffi is missing, or this is a build with sanitizers"
    echo "0 passed, 0 failed"
    exit 0
fi
HEDDLE=$(realpath "$HEDDLE")
export HEDDLE HEDDLE_LIBRARY="$root/$BUILD/libheddle.so" PYTHONPATH="$root/scripts/python" PYTHONDONTWRITEBYTECODE=1
exec "$python" -W error tests/python/run.py
