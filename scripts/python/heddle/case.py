"""Cases: launches that a kernel file describes in its lines `;!` (docs/running.md, "A kernel's own cases")."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._native import cases, encoded, ffi, home, text
from .call import Call
from .errors import InputError
from .program import Program
from .record import Record

if TYPE_CHECKING:
    from .context import Context
    from .result import Result

Which = Union[None, bool, int, str]


@dataclass(frozen=True)
class Case(Record):
    """The case of a launch, and the verdict on its expectations."""

    number: int  # from 1
    count: int  # of those of the file
    text: str  # "run saxpy grid=4 block=64"
    board: Optional[str]  # that it names
    total: int  # expectations; 0 also where they were not checked, since the launch is not the case's own
    met: int
    failed: str  # those not met, as lines

    def __str__(self) -> str:
        told = f"; expectations: {self.met} of {self.total} met" if self.total else ""
        return f"case {self.number} of {self.count}: {self.text}{told}"


class Session:
    """Evaluates the expressions of cases; each context has one, and in it the case that was found last."""

    def __init__(self) -> None:
        self._lib = cases()
        pointer = self._lib.heddle_session_new(ffi.NULL if home is None else str(home).encode(), 0)
        self._s = ffi.gc(pointer, self._lib.heddle_session_free)

    def call(self, name: str, *args: Any) -> None:
        if not getattr(self._lib, name)(self._s, *args):
            raise InputError(text(self._lib.heddle_session_error(self._s)) or "")


class Pressed:
    """A case that takes the place of what is not given to a launch."""

    def __init__(self, context: Context, program: Program, which: Which, entry: Optional[str]):
        self._context, self._program, self._session = context, program, context._session
        self._found = ffi.new("struct heddle_case *")
        self._own = ffi.new("struct heddle_launch *")
        self._changed = False
        kept = [ffi.NULL if word is None else ffi.new("char[]", encoded(word))
                for word in (None if which is True else str(which), entry)]
        asked = ffi.new("struct heddle_case_asked *", {"which": kept[0], "entry": kept[1],
                                                       "sms": context._sms() if which is True else 0})
        self._session.call("heddle_case_find", context._h, program._file, asked, self._found)
        self.entry = text(self._found.entry)
        self.board = text(self._found.board)

    def fill(self, call: Call, program: Program) -> None:
        """Makes the buffers that are not given, and sets what the launch lacks."""
        launch, own, buffers = call.launch, self._own, self._context._buffers
        given = {text(at.name): at.buffer != ffi.NULL for at in launch.args[0:launch.nargs]}
        for name in (text(self._found.buffers) or "").split():
            if not given.get(name):
                buffers.check_free(name)
        self._changed = bool(given or launch.grid[0] or launch.block[0])
        self._session.call("heddle_case_fill", program._p, ffi.new("struct heddle_case_given *", {
            "warp": launch.warp, "board_warp": int(self._context.board["warp_width"]), "args": launch.args,
            "nargs": launch.nargs}), own)
        launch.entry, launch.warp = own.entry, own.warp
        launch.max_instructions = launch.max_instructions or own.max_instructions
        launch.cooperative = launch.cooperative or own.cooperative
        launch.rules = launch.rules or own.rules
        launch.shared_bytes = launch.shared_bytes or own.shared_bytes
        for sizes in ("grid", "block"):
            if not getattr(launch, sizes)[0]:
                setattr(launch, sizes, list(getattr(own, sizes)))
        call.add([at for at in own.args[0:own.nargs] if text(at.name) not in given])

    def _check(self, result: Any) -> Any:
        verdict = ffi.new("struct heddle_case_verdict *")
        if not self._changed:
            metrics = result.timed and text(result.caches) == "cold" and self._context._is_board(self.board)
            self._session.call("heddle_case_check", result, metrics, verdict)
        return verdict

    def expects(self, result: Any) -> bool:
        """True if the case expects the fault."""
        verdict = self._check(result)
        return bool(0 < verdict.total == verdict.met)

    def tell(self, done: Result, result: Any) -> Result:
        """The result with the case and copies of its buffers; a warning of expectations that are not met."""
        found, verdict, kernel = self._found, self._check(result), self._program.kernel(self.entry)
        failed = text(verdict.text) or ""
        if failed:
            warnings.warn(f"expectations: {verdict.met} of {verdict.total} met\n{failed}".rstrip(), stacklevel=4)
        case = Case(found.number, found.count, text(found.text) or "", self.board, verdict.total, verdict.met, failed)
        written = {param.name: param.written for param in kernel.params} if kernel else {}
        arrays = {text(at.name) or "": np.array(self._context[text(at.buffer) or ""])
                  for at in self._own.args[0:self._own.nargs] if at.buffer != ffi.NULL}
        return replace(done, case=case, inputs={name: a for name, a in arrays.items() if not written.get(name)},
                       outputs={name: a for name, a in arrays.items() if written.get(name)})
