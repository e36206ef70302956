"""The arguments of a launch or a proof as C has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from ._native import encoded, ffi, nearest
from .errors import InputError
from .given import check_output, is_number, list_text, list_type, number_text, overlap, view

if TYPE_CHECKING:
    from .context import Context
    from .program import Kernel, Param

Size = Union[int, Sequence[int]]
Explain = Union[int, str, tuple[Any, ...]]


@dataclass
class _Bound:
    """An array that is an argument."""

    name: str  # of the parameter
    buffer: Optional[str]
    array: Any
    written: bool  # the kernel may write to it
    copy: Any = None  # the buffer's memory, where that is not the array's


class Call:
    """The arguments of a call for C, kept until it has returned. `launch` is the structure that they fill; `owner`
    keeps those of a part."""

    def __init__(self, context: Context, launch: Any, owner: Optional[Call] = None):
        self.context, self.launch = context, launch
        self.keep: list[Any] = owner.keep if owner else []
        self._bound: list[_Bound] = []
        self._raised: list[BaseException] = []
        self.shared = False  # it is one of several launches

    def __enter__(self) -> Call:
        return self

    def __exit__(self, *_: Any) -> None:
        """Drops everything now: callbacks are part of cycles, and an array that is kept keeps its buffer."""
        self.keep.clear()
        self._bound.clear()

    def text(self, value: str) -> Any:
        self.keep.append(ffi.new("char[]", encoded(value)))
        return self.keep[-1]

    def entry(self, name: Optional[str]) -> None:
        if name is not None:
            self.launch.entry = self.text(name)

    def size(self, name: str, value: Size) -> None:
        sizes = tuple(value) if isinstance(value, (tuple, list)) else (value,)
        whole = all(isinstance(n, (int, np.integer)) and 0 < n < 1 << 32 for n in sizes)
        if not 1 <= len(sizes) <= 3 or not whole:
            raise InputError(f"{name}: up to three sizes from 1 on expected, not {value!r}")
        for i, n in enumerate(sizes + (1,) * (3 - len(sizes))):
            getattr(self.launch, name)[i] = n

    def words(self, **options: Optional[str]) -> None:
        for name, value in options.items():
            if value is not None:
                setattr(self.launch, name, self.text(value))

    def numbers(self, **options: float) -> None:
        for name, value in options.items():
            try:
                setattr(self.launch, name, value)
            except (OverflowError, TypeError) as error:
                raise InputError(f"{name}: {error}") from None

    def arguments(self, given: Mapping[str, Any], kernel: Optional[Kernel] = None, options: Sequence[str] = ()) -> None:
        """Numbers and buffers by the names of parameters. `options` are the caller's: one of them may be meant."""
        params = {param.name: param for param in kernel.params} if kernel else {}
        list_ = ffi.new("struct heddle_arg[]", len(given))
        self.keep.append(list_)
        for at, (name, value) in zip(list_, given.items()):
            meant = nearest(name, [*params, *options]) if kernel and name not in params else None
            if kernel and meant in options:
                raise InputError(f"{name}: there is no option, and kernel '{kernel.name}' has no parameter of that name; "
                                 f"did you mean '{meant}'?")
            at.name = self.text(name)
            buffer = self._buffer(name, value, params.get(name))
            if buffer is not None:
                at.buffer = self.text(buffer)
            else:
                at.text = self.text(number_text(name, value))
        self._check_overlaps()
        self.launch.args, self.launch.nargs = list_, len(given)

    def add(self, more: Sequence[Any]) -> None:
        """Further arguments as C has them."""
        list_ = ffi.new("struct heddle_arg[]", [*self.launch.args[0:self.launch.nargs], *more])
        self.keep.append(list_)
        self.launch.args, self.launch.nargs = list_, len(list_)

    def _buffer(self, name: str, value: Any, param: Optional[Param]) -> Optional[str]:
        """The name of the buffer that has the value, made where there is none; None: it is a number, or nothing known."""
        if value is None or isinstance(value, str):
            return value or "null"
        if is_number(value):
            return None
        if isinstance(value, (list, tuple)):
            if param is None or not param.buffer:
                return None
            if param.written:
                raise InputError(f"{name} is a {type(value).__name__}, and the kernel may write to it: give an array")
            shape, text = list_text(name, value)
            self.context._buffers.make_list(name, list_type(param.type, value), shape, text)
            return name
        array = view(name, value)
        return None if array is None else self._bind(name, array, param is None or param.written)

    def _bind(self, name: str, array: Any, written: bool) -> str:
        if written:
            check_output(name, array)
        bound = _Bound(name, self.context._buffers.name_of(array), array, written)
        for before in self._bound:
            if bound.buffer is None and before.array.__array_interface__ == array.__array_interface__:
                bound.buffer = before.buffer
        if bound.buffer is None and self.shared:
            raise InputError(f"{name}: an array of the context is needed among several launches, whose parameters may have "
                             "the same names; make it one with array(NAME, ...)")
        if bound.buffer is None:
            bound.buffer, bound.copy = name, self.context.array(name, array)
        self._bound.append(bound)
        return bound.buffer

    def _check_overlaps(self) -> None:
        """Arrays with a part of their memory in common are two buffers: what is written to one is not seen in the other."""
        for i, a in enumerate(self._bound):
            for b in self._bound[:i]:
                if a.buffer != b.buffer and (a.written or b.written) and overlap(a.array, b.array):
                    one, other = (a, b) if a.written else (b, a)
                    raise InputError(f"{one.name} overlaps {other.name} in memory, and the kernel may write to it: "
                                     "give a copy of it")

    def copy_back(self) -> None:
        for bound in self._bound:
            if bound.copy is not None and bound.array.flags.writeable:
                bound.array[...] = bound.copy
            elif bound.copy is not None and bound.copy.tobytes() != bound.array.tobytes():
                raise InputError(f"{bound.name} is read-only, and the kernel wrote to it, past an end of another buffer")

    def explain(self, what: Optional[Explain]) -> None:
        if what is None:
            return
        parts = list(what) if isinstance(what, tuple) else [what]
        request = ffi.new("struct heddle_explain *")
        self.keep.append(request)
        self.launch.explain = request
        if what == "worst":
            request.worst = 1
            return
        if isinstance(parts[0], str):
            request.file = self.text(parts.pop(0))
        if not parts or len(parts) > 4 or any(not isinstance(n, (int, np.integer)) or n < 0 for n in parts):
            raise InputError(f"explain: a line, (file, line, block, warp, execution) or 'worst' expected, not {what!r}")
        request.line, request.given = parts[0], len(parts) - 1
        for i, n in enumerate(parts[1:]):
            request.which[i] = n

    def progress(self, function: Optional[Callable[[float], Any]]) -> None:
        """Also without a function: Ctrl-C ends a launch only through a call into Python."""

        def failed(_kind: Any, value: BaseException, _trace: Any) -> bool:
            self._raised.append(value)
            return False

        def call(_ctx: Any, *step: Any) -> bool:
            return function is None or function(step[0]) is not False

        self.keep.append(ffi.callback(ffi.typeof(self.launch.progress), call, error=False, onerror=failed))
        self.launch.progress = self.keep[-1]

    def stopped(self) -> None:
        """Raises what `progress` raised."""
        if self._raised:
            raise self._raised[0]
