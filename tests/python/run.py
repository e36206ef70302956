"""Runs the tests, the examples and the check of types; the last line counts them."""

import doctest
import importlib
import pathlib
import pkgutil
import shutil
import subprocess
import sys
import unittest

import heddle

root = pathlib.Path(__file__).resolve().parents[2]
suite = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
ran = unittest.TextTestRunner(verbosity=0, stream=sys.stdout).run(suite)
failed = len(ran.failures) + len(ran.errors)
passed = ran.testsRun - failed - len(ran.skipped)
for _, why in ran.skipped:
    print(f"skipped: {why}")

examples = [doctest.testmod(importlib.import_module(f"heddle.{module.name}"))
            for module in pkgutil.iter_modules(heddle.__path__)]
examples += [doctest.testmod(heddle), doctest.testfile(str(root / "docs" / "python.md"), module_relative=False,
                                                          optionflags=doctest.ELLIPSIS)]
failed += sum(e.failed for e in examples)
passed += sum(e.attempted - e.failed for e in examples)

mypy = shutil.which("mypy")
if mypy:
    types = subprocess.run([mypy, "--strict", "--ignore-missing-imports", "--no-error-summary", "--cache-dir=/dev/null",
                            str(root / "scripts" / "python" / "heddle")], stdin=subprocess.DEVNULL)
    passed, failed = passed + (types.returncode == 0), failed + (types.returncode != 0)
else:
    print("skipped: types are not checked, mypy is missing (make test ONLY=python gets it)")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
