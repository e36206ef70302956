"""Arguments from Python: numbers, arrays of any maker, lists; and the requirements of outputs."""

from __future__ import annotations

import numbers
from typing import Any, Iterator, Optional

import numpy as np

from .dlpack import from_dlpack, speaks
from .errors import InputError

_TOO_HARD: Any = getattr(np, "exceptions", np).TooHardError


def is_number(value: Any) -> bool:
    """A number, or an array or tensor without dimensions, which is one."""
    return isinstance(value, (numbers.Number, np.generic)) or getattr(value, "ndim", None) == 0


def view(name: str, value: Any) -> Optional[Any]:
    """An array that sees the memory of the value, which it writes to where it can; None: the value is none."""
    if isinstance(value, np.ndarray):
        return value
    if speaks(value):
        return from_dlpack(value, name)
    try:
        return np.asarray(memoryview(value))
    except TypeError:
        pass
    if hasattr(value, "__array_interface__"):
        return np.asarray(value)
    if hasattr(value, "__array__"):
        array = np.array(value)
        array.flags.writeable = False  # what is written to a copy is lost
        return array
    return None


# ---- outputs ----


def _shares_elements(array: Any) -> bool:
    """True if two elements share memory, as those of a broadcast array do."""
    steps = sorted((abs(step), count) for step, count in zip(array.strides, array.shape) if count > 1)
    reach = array.itemsize
    for step, count in steps:
        if step < reach:
            break
        reach += step * (count - 1)
    else:
        return False
    places = np.zeros(1, np.int64)
    for step, count in steps:
        places = np.add.outer(places, step * np.arange(count)).ravel()
    places.sort()
    return bool((np.diff(places) < array.itemsize).any())


def check_output(name: str, array: Any) -> None:
    """Refuses an array in which the kernel's output would be lost."""
    if not array.flags.writeable:
        raise InputError(f"{name} is read-only, and the kernel may write to it")
    if array.size and _shares_elements(array):
        raise InputError(f"{name} has elements that share memory, and the kernel may write to it: give a copy of it")


def overlap(a: Any, b: Any) -> bool:
    """True if two arrays share memory, or may share it if an exact answer takes too long."""
    try:
        return bool(np.shares_memory(a, b, max_work=10**6))
    except _TOO_HARD:
        return bool(np.may_share_memory(a, b))


# ---- lists ----


def _shape(name: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        return ()
    shapes = {_shape(name, element) for element in value}
    if len(shapes) > 1:
        raise InputError(f"{name}: the lists in it have different lengths")
    return (len(value), *(shapes.pop() if shapes else ()))


def _rows(value: Any) -> Iterator[list[Any]]:
    """The innermost lists."""
    if any(isinstance(element, (list, tuple)) for element in value):
        for element in value:
            yield from _rows(element)
    else:
        yield list(value)


def number_text(name: str, value: Any) -> str:
    """A number as text, which is exact for 64-bit integers."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return repr(value)
    raise InputError(f"{name}: a number, an array, a list of numbers or the name of a buffer expected, "
                     f"not {type(value).__name__}")


def list_text(name: str, value: Any) -> tuple[tuple[int, ...], str]:
    """The shape of a list of numbers, or of lists of them, and its rows as lines of text."""
    shape = _shape(name, value)
    return shape, "\n".join(", ".join(number_text(name, n) for n in row) for row in _rows(value))


def list_type(type_: str, value: Any) -> str:
    """The type of the elements, where the kernel declares only their size: b32 takes f32, u32 and i32."""
    if not type_.startswith("b") or not type_[1:].isdigit():
        return type_
    elements = [n for row in _rows(value) for n in row]
    real = any(isinstance(n, (float, np.floating)) for n in elements)
    return ("f" if real else "i" if any(n < 0 for n in elements) else "u") + type_[1:]
