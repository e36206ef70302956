"""Proofs that two kernels compute the same, for all inputs (docs/prove.md)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Union

from ._native import ffi, lib, text
from .arrays import type_of
from .call import Call, Size
from .errors import InputError
from .program import Program
from .record import read
from .structs import Depends, Difference, ElementFields, Findings, ProofFields, Side, Solver

if TYPE_CHECKING:
    from .context import Context

__all__ = ["Depends", "Difference", "Element", "Findings", "Proof", "Side", "Solver", "prove"]

_ROLES = {"inout": "HEDDLE_ROLE_ANY", "in": "HEDDLE_ROLE_IN", "out": "HEDDLE_ROLE_OUT",
          "scratch": "HEDDLE_ROLE_SCRATCH"}
_SPEC = re.compile(r"^(?:(?P<role>\w+):)?(?P<type>\w+)\[(?P<shape>[\d, ]*)\]$")


@dataclass(frozen=True)
class Element(ElementFields):
    """Origin of an element that the first kernel leaves."""

    @property
    def source(self) -> Optional[str]:
        """`from_`, by its name before 0.2; until the release after it."""
        return self.from_


@dataclass(frozen=True)
class Proof(ProofFields):
    """The answer: true if the kernels are equal for all inputs; `str()` gives it in words."""

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {"verdict": text(source.name)}

    def __bool__(self) -> bool:
        return self.verdict == "equal"

    @property
    def name(self) -> str:
        """`verdict`, by its name before 0.2; until the release after it."""
        return self.verdict

    def __str__(self) -> str:
        return self.text.rstrip("\n")


def _solver(choice: str, keep: list[Any]) -> Any:
    """A struct heddle_solver for a program that reads SMT-LIB 2."""
    found = [(name, shutil.which(name)) for name in (("z3", "bitwuzla") if choice == "auto" else (choice,))]
    name, path = next(((n, p) for n, p in found if p), (None, None))
    if choice == "none" or (path is None and choice == "auto"):
        return {"name": ffi.NULL}
    if path is None:
        raise InputError(f"solver: 'auto', 'none' or a program that is installed expected, not {choice!r}")
    command = [path, "-smt2", "-in"] if os.path.basename(path).startswith("z3") else [path]

    def ask(_ctx: Any, script: Any, seconds: Any) -> Any:
        begun = time.monotonic()
        try:
            answer = subprocess.run(command, input=ffi.string(script), capture_output=True, timeout=seconds[0]).stdout
        except subprocess.TimeoutExpired as late:
            answer = late.stdout or b""
        seconds[0] = max(0.0, seconds[0] - (time.monotonic() - begun))
        block = _libc.malloc(len(answer) + 1)
        if block != ffi.NULL:
            ffi.memmove(block, answer + b"\0", len(answer) + 1)
        return block

    function = ffi.callback("char *(void *, const char *, double *)", ask, error=ffi.NULL)
    label = ffi.new("char[]", os.path.basename(path).encode())
    keep += [function, label]
    return {"name": label, "ask": function}


ffi.cdef("char *malloc(size_t);")
_libc: Any = ffi.dlopen(None)


def _declare(context: Context, name: str, given: Any) -> str:
    """Makes the buffer that `given` describes, "in:u32[640]" or (type, shape, role); returns its role."""
    if isinstance(given, str):
        match = _SPEC.match(given)
        if not match:
            raise InputError(f"{name}: [ROLE:]TYPE[SHAPE] expected, such as 'in:u32[640]', not {given!r}")
        shape = tuple(int(n) for n in match["shape"].split(",") if n.strip())
        kind, role = match["type"], match["role"] or "inout"
    else:
        kind, size, role = (*given, "inout")[:3]
        shape = (size,) if isinstance(size, int) else tuple(size)
    if role not in _ROLES:
        raise InputError(f"{name}: the role is one of {', '.join(_ROLES)}, not {role!r}")
    context.zeros(name, shape, type_of(kind))
    return role


def _counts(given: Any) -> str:
    return given if isinstance(given, str) else ",".join(map(str, given if isinstance(given, (list, tuple)) else [given]))


def _shape(shape: Any, name: str, given: Any, call: Call) -> str:
    """Fills a struct heddle_prove_shape from "in:f32[n]" or (type, shape, role); returns the role. The proof replaces
    the buffer, which no array may see."""
    if not isinstance(given, str):
        kind, size, *role = given
        given = f"{(role or ['inout'])[0]}:{type_of(kind)}[{_counts(size)}]"
    role, _, text_ = given.rpartition(":")
    if (role or "inout") not in _ROLES:
        raise InputError(f"{name}: the role is one of {', '.join(_ROLES)}, not {role!r}")
    call.context.zeros(name, 1, text_.partition("[")[0])
    shape.buffer, shape.shape = call.text(name), call.text(text_)
    return role or "inout"


def prove(context: Context, a: Union[Program, str], b: Union[Program, str], buffers: Mapping[str, Any], *,
          args: Mapping[str, Any] = {}, entry: Optional[str] = None, grid: Size = 1, block: Optional[Size] = None,
          entry_a: Optional[str] = None, entry_b: Optional[str] = None, grid_a: Optional[Size] = None,
          grid_b: Optional[Size] = None, block_a: Optional[Size] = None, block_b: Optional[Size] = None,
          warp: int = 0, bound: Optional[int] = None, reassociation: bool = False, solver: str = "auto", solver_time: float = 0,
          max_time: float = 0, sizes: Optional[str] = None, max_instructions: int = 0, shared_bytes: int = 0,
          progress: Optional[Callable[[float], Any]] = None, **more: Any) -> Proof:
    """
    Runs heddle.prove on a context, whose buffers of those names are replaced. With a range of `sizes`, "n=1..", shapes and
    grids may depend on it: "f32[n]", "ceil(n/256)".
    """
    asked, found = ffi.new("struct heddle_prove *"), ffi.new("struct heddle_proof *")
    with Call(context, asked) as call:
        programs = [context.load(p) if isinstance(p, str) else p for p in (a, b)]
        sides = ((entry_a, grid_a, block_a), (entry_b, grid_b, block_b))
        for kernel, program, (own_entry, own_grid, own_block) in zip(asked.kernel, programs, sides):
            kernel.program = program._p
            own = Call(context, kernel, call)
            own.entry(own_entry or entry)
            if sizes is None:
                own.size("grid", own_grid or grid)
            if own_block or block:
                own.size("block", own_block or block or 1)
        if sizes is not None:
            asked.sizes.range = call.text(sizes)
            for i, (_, own_grid, _) in enumerate(sides):
                asked.sizes.grid[i] = call.text(_counts(own_grid or grid))
            shapes = ffi.new("struct heddle_prove_shape[]", len(buffers))
            roles = {name: _shape(shapes[i], name, given, call) for i, (name, given) in enumerate(buffers.items())}
            asked.sizes.shapes, asked.sizes.nshapes = shapes, len(buffers)
        else:
            roles = {name: _declare(context, name, given) for name, given in buffers.items()}
        list_ = ffi.new("struct heddle_prove_buffer[]", len(roles))
        for at, (name, role) in zip(list_, roles.items()):
            at.name, at.role = call.text(name), getattr(lib, _ROLES[role])
        asked.buffers, asked.nbuffers = list_, len(roles)
        call.arguments({**{name: name for name in roles}, **args, **more})
        call.numbers(warp=warp, bound=0 if bound is None else bound or -1, solver_seconds=solver_time, max_seconds=max_time,
                     max_instructions=max_instructions, shared_bytes=shared_bytes,
                     assume=lib.HEDDLE_ASSUME_REASSOCIATION if reassociation else 0)
        asked.solver = _solver(solver, call.keep)
        clock = ffi.callback("double(void)", time.monotonic)
        asked.clock = clock
        call.progress(progress)
        status = lib.heddle_prove(context._h, asked, found)
        call.stopped()
        context._raise(status, found.fault)
        return read(Proof, found)
