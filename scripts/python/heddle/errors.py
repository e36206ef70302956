"""Errors as exceptions: they hold the whole message and the place that it names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .result import FaultInfo

_PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?:(?P<column>\d+):)? (?:error|fault|warning): (?P<what>.*)$", re.M)


class Error(Exception):
    """An error of heddle. `str()` is its message, with carets below the source; `file`, `line` and `column` are the
    place of the first error, None if it has none."""

    def __init__(self, message: str):
        super().__init__(message.rstrip("\n"))
        place = _PLACE.search(message)
        self.file: Optional[str] = place["file"] if place else None
        self.line: Optional[int] = int(place["line"]) if place else None
        self.column: Optional[int] = int(place["column"]) if place and place["column"] else None


class InputError(Error, ValueError):
    """Wrong input: a text, a name, a size, a value of a board."""


class OutOfMemory(Error, MemoryError):
    """This computer, or the bound that was given as max_memory, has no memory left."""


def refusal(message: str) -> Error:
    """The exception for the text of a call that failed without a status."""
    return OutOfMemory(message) if "error: out of memory" in message else InputError(message)


class Fault(Error, RuntimeError):
    """The simulated program did what it must not. `kind` is that of docs/reference/isa.md ("out_of_bounds")."""

    def __init__(self, message: str, info: FaultInfo, expected: bool = False):
        super().__init__(message)
        self.info = info
        self.expected = expected  # by the kernel's own case
        self.kind, self.kernel, self.line = info.kind, info.kernel, info.line
        self.file = info.file or self.file
        self.block, self.warp, self.lane, self.address = info.block, info.warp, info.lane, info.address
