"""The instruction set, from its table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from ._native import ffi, lib, owned, text
from .errors import InputError
from .record import Record, read


@dataclass(frozen=True)
class Instruction(Record):
    name: str
    class_name: str
    operation: str  # of a lane, in C
    doc: str
    syntax: str  # "add.f32{.ftz}{.sat} rd, ra, rb"
    code: int

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {"class_name": text(source.class_), "syntax": ffi.string(source.syntax).decode()}


def isa() -> dict[str, Instruction]:
    """Every instruction by name.

    >>> isa()["fma.f32"].class_name
    'fp32'
    """
    row, found = ffi.new("struct heddle_isa_row *"), {}
    for i in range(lib.heddle_isa_count()):
        lib.heddle_isa_row(i, row)
        instruction = read(Instruction, row)
        found[instruction.name] = instruction
    return found


def manual(mnemonic: Optional[str] = None, markdown: bool = False) -> str:
    """The manual of one instruction, or of all, as text or as Markdown."""
    h = ffi.gc(lib.heddle_new(), lib.heddle_free)
    length = ffi.new("size_t *")
    name = ffi.NULL if mnemonic is None else mnemonic.encode()
    found = lib.heddle_isa_manual(h, name, markdown, length)
    if found == ffi.NULL:
        raise InputError(text(lib.heddle_error(h)) or "")
    return owned(found, length[0]).decode()
