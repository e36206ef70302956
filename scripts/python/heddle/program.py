"""Programs: assembled files, and what they hold."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Optional

from ._native import Reader, ffi, lib, names, owned, text
from .errors import InputError
from .record import Record, read


@dataclass(frozen=True)
class Param(Record):
    name: str
    type: str  # of the scalar, or of the buffer's elements: "f32"
    buffer: bool
    extent: str  # of a buffer: least number of elements as written, "" = any
    written: bool = False  # of a buffer: the kernel may write to it; certain where it is false


@dataclass(frozen=True)
class Variable(Record):
    """Declared shared or local memory."""

    name: str
    type: str
    space: str  # "shared" or "local"
    offset: int
    shape: tuple[int, ...]

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {"shape": tuple(source.shape[0:source.ndim])}


@dataclass(frozen=True)
class Kernel(Record):
    """A kernel that can be launched."""

    name: str
    regs: int  # registers of a thread
    shared: int  # bytes of shared memory of a block
    local: int  # bytes of local memory of a thread
    instructions: int
    widths: tuple[int, ...]  # widths of warps with which it runs
    params: tuple[Param, ...] = ()
    variables: tuple[Variable, ...] = ()

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        widths = tuple(8 << i for i in range(4) if source.widths[i])
        return {"widths": widths, "shared": source.shared_bytes, "local": source.local_bytes}


def kernels() -> list[str]:
    """The kernel files that ship with heddle, by the names that Context.load takes.

    >>> "classic/saxpy" in kernels()
    True
    """
    return names("kernels", "**/*.hd")


class Program:
    """An assembled or loaded file, made by Context.load."""

    def __init__(self, context: Any, pointer: Any, reader: Reader, file: Any):
        self._context = context
        self._reader, self._file = reader, file  # as it was given
        self._p = ffi.gc(pointer, lib.heddle_program_free)

    def _has(self, word: bytes) -> bool:
        """True if its file has the word."""
        return word in ffi.buffer(self._file.text, self._file.len)[:]

    def kernel(self, entry: Optional[str] = None) -> Optional[Kernel]:
        """The kernel of that name, or the only one; None where there is none such."""
        return self.kernels.get(entry) if entry else next(iter(self.kernels.values())) if len(self.kernels) == 1 else None

    @cached_property
    def kernels(self) -> dict[str, Kernel]:
        """The kernels by name, with their parameters and variables."""
        found: dict[str, Kernel] = {}
        info = ffi.new("struct heddle_kernel_info *")
        for i in range(lib.heddle_kernel_count(self._p)):
            lib.heddle_kernel_info(self._p, i, info)
            params = self._rows(Param, "struct heddle_param_info *", lib.heddle_param_info, i)
            variables = self._rows(Variable, "struct heddle_variable_info *", lib.heddle_variable_info, i)
            kernel = dataclasses.replace(read(Kernel, info), params=params, variables=variables)
            found[kernel.name] = kernel
        return found

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """Constants and variables of the module: what a launch finds by name outside of kernels."""
        return self._rows(Variable, "struct heddle_variable_info *", lambda p, _kernel, i, at: lib.heddle_module_info(p, i, at), 0)

    def _rows(self, cls: Any, ctype: str, row: Any, kernel: int) -> tuple[Any, ...]:
        found: list[Any] = []
        at = ffi.new(ctype)
        while row(self._p, kernel, len(found), at):
            found.append(read(cls, at))
        return tuple(found)

    def _bytes(self, function: Any) -> bytes:
        length = ffi.new("size_t *")
        block = function(self._context._h, self._p, length)
        if block == ffi.NULL:
            raise InputError(text(lib.heddle_error(self._context._h)) or "")
        return owned(block, length[0])

    @property
    def text(self) -> str:
        """The program as assembly."""
        return self._bytes(lib.heddle_program_text).decode()

    @property
    def object(self) -> bytes:
        """The object file, which Context.load takes as `source`."""
        return self._bytes(lib.heddle_program_object)

    @property
    def lint(self) -> str:
        """Warnings with carets; "" when there are none."""
        return owned(lib.heddle_program_lint(self._context._h, self._p, ffi.NULL)).decode()

    def __repr__(self) -> str:
        return f"<Program {', '.join(self.kernels)}>"
