"""Structures of heddle.h as frozen dataclasses: a field has the name that it has in the header.

An array that the header declares as `const struct heddle_line_count *lines` beside `uint32_t nlines` is a tuple here.
"""

from __future__ import annotations

import dataclasses
import typing
from functools import lru_cache
from typing import Any, Hashable, Optional, Type, TypeVar

from ._native import ffi, text

T = TypeVar("T", bound="Record")
_classes: dict[str, Any] = {}  # by name: fields may name a class of another module
_UNKNOWN = 2**64 - 1  # of a number that may be None


@dataclasses.dataclass(frozen=True)
class Record:
    """Base of all structures.

    A class with the member `_absent` is read as None where that member of the structure is NULL or 0. `_maps` are lists by
    name: the member of an element that is its key, and that which is its value; "": all of it.
    """

    _maps: typing.ClassVar[dict[str, tuple[str, str]]] = {}

    def __init_subclass__(cls) -> None:
        _classes[cls.__name__] = cls

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain dicts, lists and numbers, ready for json.dumps."""
        return {f.name.rstrip("_"): plain(getattr(self, f.name)) for f in dataclasses.fields(self)}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    return value.hex() if isinstance(value, bytes) else value


@lru_cache(maxsize=None)
def _fields(cls: Hashable) -> tuple[tuple[str, Any], ...]:
    """Names and types of the fields; a type is that of the element where there are several."""
    hints = typing.get_type_hints(cls, localns=_classes)
    found = []
    for field in dataclasses.fields(cls):
        kind = hints[field.name]
        found.append((field.name, _record(kind) or kind))
    return tuple(found)


def _record(kind: Any) -> Any:
    """The record in a type, also one in tuples or an option; None if the type has no record."""
    if isinstance(kind, type) and issubclass(kind, Record):
        return kind
    return next((found for found in map(_record, typing.get_args(kind)) if found), None)


def _one(kind: Any, source: Any) -> Any:
    """A structure inside another one; None if its member `_absent` is NULL or 0."""
    absent = getattr(kind, "_absent", None)
    return None if absent and not getattr(source, absent) else read(kind, source)


def _count(source: Any, name: str) -> int:
    return int(getattr(source, "count" if name == "list" else "n" + name))


def _element(kind: Any, source: Any, member: str) -> Any:
    """An element of a map: a structure, bytes, or a number, which may be known to be whole."""
    value = getattr(source, member, None)
    if value is None:
        return read(kind, source)
    if isinstance(value, ffi.CData):
        return ffi.buffer(value, source.size)[:]
    return int(value) if getattr(source, "whole", False) else value


def _map(kind: Any, source: Any, name: str, key: str, member: str) -> dict[str, Any]:
    count = _count(source, name)
    elements = getattr(source, name)[0:count] if count else ()
    return {text(getattr(e, key)) or "": _element(kind, e, member) for e in elements if not getattr(e, "absent", False)}


def _plain_text(value: Any) -> Any:
    """A text, or a number as it is."""
    return text(value) if isinstance(value, ffi.CData) else value


def _value(source: Any, name: str, kind: Any) -> Any:
    value = getattr(source, name if hasattr(source, name) else name.rstrip("_"))
    if not isinstance(value, ffi.CData):
        return None if value == _UNKNOWN and kind == Optional[int] else value
    ctype = ffi.typeof(value)
    record = isinstance(kind, type) and issubclass(kind, Record)
    if ctype.kind == "struct":
        return _one(kind, value)
    if ctype.kind == "array":
        most = getattr(source, f"n{name}s", ctype.length)
        return tuple(_one(kind, value[i]) if record else _plain_text(value[i]) for i in range(most))
    if ctype.item.cname in ("char", "char const"):
        return text(value)
    if value == ffi.NULL and not hasattr(source, "n" + name):
        return None
    if not hasattr(source, "n" + name) and name != "list":
        return read(kind, value[0])
    return tuple(read(kind, value[i]) if record else _plain_text(value[i]) for i in range(_count(source, name)))


def read(cls: Type[T], source: Any) -> T:
    """The structure at `source` as an object that outlives it."""
    special = getattr(cls, "_read", None)
    given = special(source) if special else {}
    for name, kind in _fields(typing.cast(Hashable, cls)):
        if name in cls._maps:
            given[name] = _map(kind, source, name, *cls._maps[name])
        elif name not in given and (hasattr(source, name) or hasattr(source, name.rstrip("_"))):
            given[name] = _value(source, name, kind)
    return cls(**given)
