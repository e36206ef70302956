"""Finds libheddle.so and what its header declares, and opens it.

In a source tree the library is in `build/`, once installed in `lib/` above this package, from a wheel in `lib/` below it;
HEDDLE_LIBRARY names another.
The declarations are those of sim/api/heddle.h, which the build writes without comments beside the library: no structure
is described a second time here.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterable, Iterator, Optional

import cffi

from .errors import InputError

_HERE = Path(__file__).resolve().parent
_DECLARATIONS = "heddle.cdef"
_LIBRARY = "libheddle.so"


def _libraries() -> Iterator[Path]:
    given = os.environ.get("HEDDLE_LIBRARY")
    if given:
        yield Path(given)
        return
    for folder in (_HERE, *_HERE.parents):
        for place in ("build", "lib"):
            yield folder / place / _LIBRARY


def _find() -> tuple[Path, Path]:
    """The library, and the declarations that belong to it."""
    for library in _libraries():
        for declarations in (library.parent / _DECLARATIONS, _HERE / _DECLARATIONS):
            if library.exists() and declarations.exists():
                return library, declarations
    named = os.environ.get("HEDDLE_LIBRARY")
    raise ImportError(
        f"there is no {named}, or no {_DECLARATIONS} beside it (HEDDLE_LIBRARY)" if named else
        f"no {_LIBRARY} is found above {_HERE}: run `make`, or `make install`, or set HEDDLE_LIBRARY")


def _home() -> Optional[Path]:
    """The folder that holds the shipped kernels and boards."""
    given = os.environ.get("HEDDLE_HOME")
    if given:
        return Path(given)
    for folder in _HERE.parents:
        for place in (folder / "share" / "heddle", folder):
            if (place / "kernels").is_dir() and (place / "configs").is_dir():
                return place
    return None


ffi: Any = cffi.FFI()
_path, _declared = _find()
ffi.cdef(_declared.read_text())
lib: Any = ffi.dlopen(str(_path))
home = _home()


@lru_cache(maxsize=None)
def cases() -> Any:
    """The library beside it that evaluates the cases of kernel files, opened when it is needed: it is linked with Lua."""
    try:
        opened = ffi.dlopen(str(_path.with_name("libheddle_cases.so")))
        ffi.cdef(_declared.with_name("heddle_cases.cdef").read_text())
    except OSError as why:
        raise InputError(f"a case cannot be evaluated: {why}") from None
    return opened


def encoded(value: str) -> bytes:
    """A text for C, where it would end at a NUL."""
    if "\0" in value:
        raise InputError(f"{value!r}: a text without NUL expected")
    return value.encode()


def text(pointer: Any) -> Optional[str]:
    """The text at a `char *`; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def owned(pointer: Any, length: Optional[int] = None) -> bytes:
    """The bytes of a block that the caller has to release, which happens."""
    try:
        return bytes(ffi.string(pointer) if length is None else ffi.buffer(pointer, length))
    finally:
        lib.heddle_release(pointer)


def nearest(word: str, known: Iterable[str]) -> Optional[str]:
    """Finds the known name that was most likely meant.

    >>> nearest("a10", ["a100", "teach8"]), nearest("a10", ["teach8"])
    ('a100', None)
    """
    list_ = [ffi.new("char[]", name.encode()) for name in known]
    return text(lib.heddle_nearest(word.encode(), ffi.new("char *[]", list_), len(list_)))


def near(word: str, known: Iterable[str]) -> str:
    """The end of a message about a name that is unknown: "; did you mean 'a100'?", or ""."""
    found = nearest(word, known)
    return f"; did you mean '{found}'?" if found else ""


def shipped(folder: str, name: str, ending: str) -> Optional[Path]:
    """A file that ships with heddle: "classic/saxpy", "saxpy" when one folder has it, "a100"."""
    if home is None or not name or os.path.isabs(name):
        return None
    for whole in (name, name + ending):
        if (home / folder / whole).is_file():
            return home / folder / whole
    found = [] if "/" in name else sorted({p for e in ("", ending) for p in (home / folder).glob(f"*/{name}{e}")})
    if len(found) > 1:
        names = ", ".join(str(p.relative_to(home / folder)) for p in found)
        raise InputError(f"{name}: no such file, and several that ship have the name: {names}")
    return found[0] if found else None


def names(folder: str, pattern: str) -> list[str]:
    """The names, without their endings, of what ships in a folder."""
    if home is None:
        return []
    root = home / folder
    return sorted(str(p.relative_to(root).with_suffix("")) for p in root.glob(pattern))


class Reader:
    """A heddle_read_fn for the files that another one names: a kernel those that it includes, a board its base.

    `folder` is where relative names start; `keep` holds the texts until the call into the library has returned.
    """

    def __init__(self, folder: Path):
        self._keep: list[Any] = []

        def read(_ctx: Any, name: Any, length: Any) -> Any:
            path = folder / os.fsdecode(ffi.string(name))
            try:
                if not path.is_file():  # a pipe or a device may have no end
                    return ffi.NULL
                data = path.read_bytes()
            except (OSError, ValueError):
                return ffi.NULL
            block = ffi.new("char[]", data)
            self._keep.append(block)
            length[0] = len(data)
            return block

        self._function = ffi.callback("heddle_read_fn", read, error=ffi.NULL)

    def file(self, name: str, data: bytes) -> Any:
        """A struct heddle_file that lives as long as this reader."""
        label, block = ffi.new("char[]", os.fsencode(name)), ffi.new("char[]", data)
        self._keep += [label, block]
        return ffi.new("struct heddle_file *",
                       {"name": label, "text": block, "len": len(data), "read": self._function})
