"""The arguments of a launch or a proof as C has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from ._native import ffi
from .errors import InputError

if TYPE_CHECKING:
    from .context import Context

Size = Union[int, Sequence[int]]
Explain = Union[int, str, tuple[Any, ...]]


class Call:
    """The arguments of a call as C has them, kept until that has returned. `launch` is the structure that they go to; `owner` keeps those of a part."""

    def __init__(self, context: Context, launch: Any, owner: Optional[Call] = None):
        self.context, self.launch = context, launch
        self.keep: list[Any] = owner.keep if owner else []
        self._back: list[tuple[Any, Any]] = []
        self._raised: list[BaseException] = []

    def __enter__(self) -> Call:
        return self

    def __exit__(self, *_: Any) -> None:
        """Lets go of everything now: callbacks are part of cycles, and an array that is kept keeps its buffer."""
        self.keep.clear()
        self._back.clear()

    def text(self, value: str) -> Any:
        self.keep.append(ffi.new("char[]", value.encode()))
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

    def arguments(self, given: Mapping[str, Any]) -> None:
        list_ = ffi.new("struct heddle_arg[]", len(given))
        self.keep.append(list_)
        for at, (name, value) in zip(list_, given.items()):
            at.name = self.text(name)
            if isinstance(value, str):
                at.buffer = self.text(value)
            elif isinstance(value, np.ndarray) and value.ndim > 0:
                at.buffer = self.text(self._bind(name, value))
            else:
                at.text = self.text(_scalar(name, value))
        self.launch.args, self.launch.nargs = list_, len(given)

    def _bind(self, name: str, array: Any) -> str:
        own = self.context._buffers.name_of(array)
        if own is not None:
            return own
        buffer = self.context.array(name, array)
        if array.flags.writeable:
            self._back.append((array, buffer))
        return name

    def copy_back(self) -> None:
        for array, buffer in self._back:
            array[...] = buffer

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


def _scalar(name: str, value: Any) -> str:
    """A number as text, which is exact for 64-bit integers."""
    value = value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return repr(value)
    raise InputError(f"{name}: a number, an array or the name of a buffer expected, not {type(value).__name__}")
