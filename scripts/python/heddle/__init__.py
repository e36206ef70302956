"""heddle in Python: a GPU simulator with its own assembly language, boards with sources, and proofs.

>>> import heddle, numpy as np
>>> gpu = heddle.Context("a100", set={"sms": 4})
>>> x, y = np.arange(1024, dtype=np.float32), np.zeros(1024, dtype=np.float32)
>>> result = gpu.launch("classic/saxpy", grid=4, block=256, x=x, y=y, a=2.0, n=1024)
>>> y[:3], result.metrics["dram.read_bytes"]
(array([0., 2., 4.], dtype=float32), 8192)

Arrays of the context are the simulated memory itself, without copies: `x = gpu.array("x", values)`.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

from . import sweep
from ._native import ffi as _ffi
from ._native import lib as _lib
from ._native import text as _text
from .board import Board, BoardPart, Link, Peak, Transferred, Value, boards, devices, links
from .case import Case, Which
from .context import Context
from .errors import Error, Fault, InputError, OutOfMemory
from .isa import Instruction, isa, manual
from .program import Kernel, Param, Program, Variable, kernels
from .proof import Proof
from .result import (Advice, Bank, Channel, Energy, Explained, FaultInfo, Finding, Line, Orders, Part, Replayed, Result,
                     Traffic)

__version__ = _text(_lib.heddle_version()) or ""

__all__ = ["Advice", "Bank", "Board", "BoardPart", "Case", "Channel", "Context", "Energy", "Error", "Explained", "Fault",
           "FaultInfo", "Finding", "InputError", "Instruction", "Kernel", "Line", "Link", "Orders", "OutOfMemory",
           "Param", "Part", "Peak", "Program", "Proof", "Replayed", "Result", "Traffic", "Transferred", "Value",
           "Variable", "boards", "devices", "isa", "kernels", "links", "manual", "prove", "run", "sweep"]


def run(kernel: str, *, board: Optional[str] = None, set: Mapping[str, Any] = {}, case: Which = True,
        **options: Any) -> Result:
    """Runs a kernel once, in a context of its own: options and arguments are those of Context.launch.

    A case that names a board runs on that, if no other is given.

    >>> import heddle, numpy as np
    >>> out = np.zeros(32, dtype=np.uint32)
    >>> heddle.run("bench/start", block=32, out=out).warp_instructions > 0
    True
    >>> heddle.run("classic/saxpy").outputs["y"][:3]
    array([1., 3., 5.], dtype=float32)
    """
    context = Context(board, set=set)
    context._more_options = ("board", "set")
    context._own_set = set if board is None else None
    return context.launch(kernel, case=case, **options)


def prove(a: Union[str, Program], b: Union[str, Program], buffers: Mapping[str, Any], *, board: Optional[str] = None,
          set: Mapping[str, Any] = {}, **options: Any) -> Proof:
    """Proves whether two kernels leave the same in their buffers, for any initial contents.

    `buffers` are given to both: "in:u32[640]", "u32[640]" or ("u32", shape, "in"); the role is "in", "inout" (the
    default), "out" (zeros at the start) or "scratch" (zeros, and not compared). Other options: args (or keywords),
    entry, grid, block, each of them also with _a or _b for one kernel, warp, bound, reassociation, solver
    ("auto", "none", a program), solver_time, max_time in seconds, max_instructions, shared_bytes, progress.

    >>> import heddle
    >>> answer = heddle.prove("reorder/shared_linear", "reorder/transit1", {"src": "in:u32[64]", "dst": "out:u32[64]"},
    ...                       block=32, warp=32, count=64)
    >>> bool(answer), answer.name
    (True, 'equal')
    """
    return Context(board, set=set).prove(a, b, buffers, **options)
