"""Buffers of a context as numpy arrays, without copies.

An array that Context.array and its kin return *is* the memory of the simulated GPU's buffer. Memory that is still seen
by an array must not go away: the array keeps the context alive, and a buffer is not replaced or dropped before its arrays
are.
"""

from __future__ import annotations

import warnings
import weakref
from typing import Any, Optional

import numpy as np

from ._native import ffi, lib, text
from .errors import InputError

# bf16 has no type in numpy: its bits are u16. b8 to b64 are any type of that size.
_DTYPES = {"bool": "?", "i8": "i1", "u8": "u1", "i16": "<i2", "u16": "<u2", "f16": "<f2", "bf16": "<u2", "i32": "<i4",
           "u32": "<u4", "f32": "<f4", "i64": "<i8", "u64": "<u8", "f64": "<f8", "c64": "<c8"}
_TYPES = {np.dtype(dtype): name for name, dtype in _DTYPES.items() if name != "bf16"}


class _Memory:
    """Keeps a buffer's memory alive for numpy, as long as some array sees it."""

    def __init__(self, context: Any, name: str, tensor: Any):
        self.context, self.name = context, name
        self.data = int(ffi.cast("uintptr_t", tensor.data))
        self.bytes = tensor.bytes
        shape = tuple(tensor.shape[0:tensor.ndim])
        dtype = _DTYPES[text(tensor.type) or ""]
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": np.dtype(dtype).str,
                                    "data": (self.data, False)}


def type_of(dtype: Any) -> str:
    """heddle's name of a numpy type: "f32" of float32. Names of heddle are taken as they are.

    >>> type_of(np.float16), type_of("bf16")
    ('f16', 'bf16')
    """
    if isinstance(dtype, str) and dtype in _DTYPES:
        return dtype
    try:
        found = _TYPES.get(np.dtype(dtype).newbyteorder("<"))
    except TypeError:
        found = None
    if found is None:
        raise InputError(f"{dtype}: heddle has no such element type; its types: {', '.join(_DTYPES)}")
    return found


def numpy_of(dtype: Any) -> Any:
    """numpy's type of an element type of heddle: "<u4" of "u32"; None of bf16, and what is none as it is."""
    return None if dtype == "bf16" else _DTYPES.get(dtype, dtype) if isinstance(dtype, str) else dtype


class Buffers:
    """The named buffers of a context."""

    def __init__(self, context: Any):
        self._context = context
        self._seen: dict[str, weakref.ref[_Memory]] = {}

    def _live(self, name: str) -> Optional[_Memory]:
        seen = self._seen.get(name)
        return seen() if seen else None

    def check_free(self, name: str) -> None:
        """Raises when an array sees the memory of that buffer."""
        if self._live(name):
            raise BufferError(f"buffer '{name}' is still seen by an array: write to that, or delete it first")

    def make(self, name: str, dtype: Any, shape: tuple[int, ...]) -> Any:
        """Creates, or replaces, a buffer of zeros."""
        self.check_free(name)
        if len(shape) > lib.HEDDLE_DIMS_MAX or any(n < 0 for n in shape):
            raise InputError(f"{shape} is no shape: up to {lib.HEDDLE_DIMS_MAX} sizes of 0 or more")
        if not lib.heddle_buffer(self._context._h, name.encode(), type_of(dtype).encode(), len(shape), shape):
            raise self._context._error()
        return self.get(name)

    def make_list(self, name: str, type_: str, shape: tuple[int, ...], values: str) -> None:
        """Creates, or replaces, a buffer of numbers that are given as text, row by row."""
        self.make_table(name, values.encode(), type_, shape, name, False)

    def make_table(self, name: str, table: bytes, type_: str, shape: Optional[tuple[int, ...]], file: str,
                   empty_nan: bool) -> None:
        """Creates, or replaces, a buffer from a table as text."""
        self.check_free(name)
        kept = [ffi.new("char[]", word.encode()) for word in (file, type_)] + [ffi.new("uint64_t[]", shape or (0,))]
        csv = ffi.new("struct heddle_csv *", {"file": kept[0], "type": kept[1], "ndim": len(shape or ()), "shape":
                                              ffi.NULL if shape is None else kept[2], "empty_nan": empty_nan})
        if not lib.heddle_csv_read(self._context._h, name.encode(), csv, table, len(table)):
            raise self._context._error()
        notes = text(lib.heddle_notes(self._context._h))
        if notes:
            warnings.warn(notes.strip(), stacklevel=4)

    def get(self, name: str) -> Any:
        """The buffer as an array."""
        memory = self._live(name)
        if memory is None:
            tensor = ffi.new("struct heddle_tensor *")
            if not lib.heddle_buffer_get(self._context._h, name.encode(), tensor):
                raise KeyError(f"there is no buffer '{name}'; there are: {', '.join(self.names()) or 'none'}")
            if tensor.count == 0:
                return np.zeros(tuple(tensor.shape[0:tensor.ndim]), _DTYPES[text(tensor.type) or ""])
            memory = _Memory(self._context, name, tensor)
            self._seen[name] = weakref.ref(memory)
        return np.asarray(memory)

    def drop(self, name: str) -> None:
        if self._live(name):
            raise BufferError(f"buffer '{name}' is still seen by an array: delete that first")
        if not lib.heddle_buffer_drop(self._context._h, name.encode()):
            raise KeyError(f"there is no buffer '{name}'")

    def names(self) -> list[str]:
        h = self._context._h
        return [text(lib.heddle_buffer_name(h, i)) or "" for i in range(lib.heddle_buffer_count(h))]

    def name_of(self, array: Any) -> Optional[str]:
        """Finds the buffer with exactly this array's memory, in its shape or another; None if there is none."""
        if array.size == 0 or not array.flags.c_contiguous:
            return None
        address = array.__array_interface__["data"][0]
        for name, seen in self._seen.items():
            memory = seen()
            if memory is not None and memory.data == address and memory.bytes == array.nbytes:
                return name
        return None
