"""A context: named buffers, a board, and the launches on them."""

from __future__ import annotations

import inspect
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import board as boards
from . import proof
from ._native import Reader, ffi, lib, names, near, nearest, shipped, text
from .arrays import Buffers, numpy_of, type_of
from .board import BoardPart, Transferred
from .call import Call, Explain, Size
from .case import Pressed, Session, Which
from .errors import Error, Fault, InputError, OutOfMemory, refusal
from .program import Program
from .proof import Proof
from .record import read
from .result import FaultInfo, Replayed, Result


def _near_kernel(name: str) -> str:
    """The end of a message: the kernel that ships with nearly that name, in its folder."""
    whole = names("kernels", "**/*.hd")
    if "/" in name:
        return near(name, whole)
    found = nearest(name, [kernel.rsplit("/", 1)[-1] for kernel in whole])
    return next((f"; did you mean '{kernel}'?" for kernel in whole if kernel.rsplit("/", 1)[-1] == found), "")


class Context:
    """A simulated GPU: its board, buffers and launches. Not for several threads at a time; several contexts are.

    Without a board nothing is timed. `set` changes values of the board; `max_memory` ("2G") bounds what buffers and
    launches take of this computer.

    >>> import numpy as np
    >>> gpu = Context("teach8")
    >>> x = gpu.array("x", np.arange(64, dtype=np.float32))
    >>> y = gpu.array("y", np.ones(64, dtype=np.float32))
    >>> result = gpu.launch("classic/saxpy", grid=2, block=32, x=x, y=y, a=2.5, n=64)
    >>> y[:4]
    array([1. , 3.5, 6. , 8.5], dtype=float32)
    >>> result.cycles > 0 and result.metrics["dram.read_bytes"]
    512
    """

    def __init__(self, board: Optional[str] = None, *, set: Mapping[str, Any] = {},
                 max_memory: Union[None, int, str] = None):
        pointer = lib.heddle_new()
        if pointer == ffi.NULL:
            raise OutOfMemory("out of memory")
        self._h = ffi.gc(pointer, lib.heddle_free)
        self._buffers = Buffers(self)
        self._board: tuple[Optional[str], bool] = (None, False)  # its name, and whether values of it were changed
        self._own_set: Optional[Mapping[str, Any]] = None  # what a case's own board is changed by; None: it has none
        self._more_options: tuple[str, ...] = ()  # of a function that launches, besides those of `launch`
        self.board = boards.Board(self)
        if max_memory is not None:
            size = ffi.new("uint64_t *")
            if not lib.heddle_size(str(max_memory).encode(), size):
                raise InputError(f"max_memory: {max_memory!r} is no size: 1000, '512M', '2G'")
            lib.heddle_max_memory(self._h, size[0])
        if board is not None or set:
            self.load_board(board, set)

    def _error(self) -> Error:
        return refusal(text(lib.heddle_error(self._h)) or "")

    def load_board(self, name: Optional[str] = None, set: Mapping[str, Any] = {}) -> None:
        """Changes the board, by the name of a shipped one or of a file; None changes values of the present one."""
        boards.load(self._h, name, set)
        self._board = (name or self._board[0], bool(set) or name is None and self._board[1])

    def _sms(self) -> int:
        """The SMs of the board that was named, as it ships; 0 without one."""
        return int(Context(self._board[0]).board["sms"]) if self._board[0] else 0

    def _is_board(self, name: Optional[str]) -> bool:
        """True if this is the board of that name as shipped."""
        return self._board == (name, False)

    @cached_property
    def _session(self) -> Session:
        return Session()

    # ---- programs ----

    def load(self, file: str, source: Union[None, str, bytes] = None) -> Program:
        """Assembles a file, or one that ships ("classic/saxpy"), or `source` under that name.

        >>> Context().load("k.hd", ".kernel k\\n        exitt\\n")
        Traceback (most recent call last):
        heddle.errors.InputError: k.hd:2:9: error: unknown instruction 'exitt'; did you mean 'exit'?
             2 |         exitt
               |         ^~~~~
        """
        name = file
        if source is None:
            path = Path(file) if Path(file).is_file() else shipped("kernels", file, ".hd")
            if path is None:
                raise InputError(f"{file}: no such file, and no kernel that ships has the name{_near_kernel(file)}")
            name, source = str(path), path.read_bytes()
        # Included files are named relative to the including one, with its folder: from here.
        reader = Reader(Path())
        data = source.encode() if isinstance(source, str) else source
        given = reader.file(name, data)
        pointer = lib.heddle_load_file(self._h, given)
        if pointer == ffi.NULL:
            raise self._error()
        return Program(self, pointer, reader, given)

    # ---- buffers ----

    def array(self, name: str, values: Any, dtype: Any = None) -> Any:
        """Makes the buffer `name` with a copy of these values, and returns it as an array of the same memory."""
        given = np.asarray(values, numpy_of(dtype))
        buffer = self._buffers.make(name, dtype or given.dtype, given.shape)
        buffer[...] = given
        return buffer

    def zeros(self, name: str, shape: Size, dtype: Any = "f32") -> Any:
        """Makes the buffer `name` of zeros, as an array of its memory."""
        return self._buffers.make(name, dtype, (shape,) if isinstance(shape, int) else tuple(shape))

    def csv(self, name: str, table: Union[str, bytes, Path], dtype: Any = "f32", *, shape: Optional[tuple[int, ...]] = None,
            empty: str = "error") -> Any:
        """Makes the buffer `name` from a table as text, or the file of one, by the rules of docs/running.md ("Tables").

        Text is of more than a line. A line of names is no data, which is a warning. With empty="nan" empty fields are NaN.

        >>> Context().csv("x", "1,2\\n3,NaN\\n")
        array([[ 1.,  2.],
               [ 3., nan]], dtype=float32)
        """
        if empty not in ("error", "nan"):
            raise InputError(f"empty: '{empty}' is neither error nor nan")
        file, data = "(text)", table.encode() if isinstance(table, str) else table
        if isinstance(data, Path) or b"\n" not in data:
            path = Path(data if isinstance(data, Path) else data.decode())
            if not path.is_file():
                raise InputError(f"{path}: no such file")
            file, data = str(path), path.read_bytes()
        self._buffers.make_table(name, data, type_of(dtype), shape, file, empty == "nan")
        return self._buffers.get(name)

    def __getitem__(self, name: str) -> Any:
        """The buffer `name` as an array of its memory."""
        return self._buffers.get(name)

    def drop(self, name: str) -> None:
        """Takes a buffer away, once no array sees it."""
        self._buffers.drop(name)

    @property
    def buffers(self) -> list[str]:
        """The names of the buffers."""
        return self._buffers.names()

    def variables(self, program: Union[Program, str]) -> tuple[Any, ...]:
        """
        What a launch finds by name outside of kernels: constants, which arguments write, and variables in global memory,
        whose buffers are made, with their initial values, where the context has none of that name.
        """
        program = self.load(program) if isinstance(program, str) else program
        if not lib.heddle_module_make(self._h, program._p):
            raise self._error()
        return program.variables

    # ---- launches ----

    def launch(self, program: Union[Program, str], *, case: Which = None, entry: Optional[str] = None,
               grid: Optional[Size] = None, block: Optional[Size] = None, warp: int = 0, args: Mapping[str, Any] = {},
               explain: Optional[Explain] = None, progress: Optional[Callable[[float], Any]] = None,
               functional: bool = False, schedule: Optional[str] = None, check: Optional[str] = None,
               suppressions: Optional[str] = None, baseline: Optional[str] = None,
               caches: str = "cold", engine: Optional[str] = None, threads: int = 0, max_instructions: int = 0,
               max_cycles: int = 0, shared_bytes: int = 0, rules: Optional[str] = None, cooperative: bool = False,
               dram_banks: bool = False, sample: Union[bool, str] = False, **more: Any) -> Result:
        """Runs a kernel to its end.

        `args` (or keywords) name the kernel's parameters: numbers, and buffers as their names ("x+16": from byte 16 on; None: null), as arrays (of numpy, or of any
        maker that has DLPack: a torch tensor on the CPU) or, where the kernel only reads, as lists. An array of the context
        is used as it is; any other becomes the buffer of that name, and what the kernel wrote is copied back: where it may
        write (Param.written), an array that is read-only, or that overlaps itself or another one, is refused. `explain` is
        a source line, or (line, block, warp, execution), or (file, line, ...), or "worst". `progress` is called with the
        share of finished blocks; when it returns False the launch ends with a Fault. Other options are those of
        `heddle run`. A fault of the kernel raises Fault.

        `case` is one of the file's own cases, as a number or a name: it completes what is not given, its buffers are those
        of the context, and the result has `case`, `inputs` and `outputs`. True is the case that `heddle run` takes, if
        neither sizes nor arguments are given.
        """
        if isinstance(program, str):
            program = self.load(program)
        launch, result = ffi.new("struct heddle_launch *"), ffi.new("struct heddle_result *")
        with Call(self, launch) as call:
            call.entry(entry)
            for name, size in (("grid", grid), ("block", block)):
                if size is not None:
                    call.size(name, size)
            if caches not in ("cold", "warm"):
                raise InputError(f"caches: 'cold' or 'warm' expected, not {caches!r}")
            launch.warm = caches == "warm"
            if not isinstance(sample, (bool, str)):
                raise InputError(f"sample: True, False or 'error:5%' expected, not {sample!r}")
            call.words(schedule=schedule, check=check, suppressions=suppressions, baseline=baseline,
                       engine=engine, rules=rules, sample="error:5%" if sample is True else sample or None)
            call.numbers(warp=warp, functional=functional, threads=threads, max_instructions=max_instructions,
                         max_cycles=max_cycles, shared_bytes=shared_bytes, cooperative=cooperative,
                         dram_banks=dram_banks)
            options = [*inspect.signature(Context.launch).parameters][2:]
            pressed = self._find_case(program, case, entry, bool(args or more or grid or block))
            kernel = program.kernel(pressed.entry if pressed else entry)
            call.arguments({**args, **more}, kernel, [*options, *self._more_options])
            if pressed:
                pressed.fill(call, program)
            call.explain(explain)
            call.progress(progress)
            status = lib.heddle_launch(self._h, program._p, launch, result)
            call.stopped()
            self._raise(status, result.fault, partial(pressed.expects, result) if pressed else None,
                        not pressed and program._has(b";! run "))
            call.copy_back()
            done = read(Result, result)
            return pressed.tell(done, result) if pressed else done

    def launch_all(self, launches: Sequence[Mapping[str, Any]], *, threads: int = 0, max_cycles: int = 0,
                   progress: Optional[Callable[[float], Any]] = None) -> tuple[list[Result], Result]:
        """Runs launches at one time on the board, as kernels in streams do (docs/streams.md).

        Each is a mapping with `program`, `priority` (0), `alone` (True: it is measured alone as well), and what `launch`
        takes of entry, grid, block, warp, args, shared_bytes, max_instructions, engine and rules; other keys are
        parameters, and their arrays those of the context. Returns a result for each, and what the board counted.

        >>> gpu = Context("teach8")
        >>> one, two = (gpu.array(name, np.ones(256, dtype=np.float32)) for name in ("one", "two"))
        >>> saxpy = {"program": "classic/saxpy", "grid": 8, "block": 32, "x": one, "a": 2, "n": 256}
        >>> results, shared = gpu.launch_all([{**saxpy, "y": two}, {**saxpy, "y": gpu.array("y", one), "priority": 1}])
        >>> [r.first_block == 0 for r in results], results[0].slowdown > 1, shared.cycles >= results[0].cycles
        ([False, True], True, True)
        """
        asked, shared = ffi.new("struct heddle_beside[]", len(launches)), ffi.new("struct heddle_result *")
        results = ffi.new("struct heddle_result[]", max(len(launches), 1))
        with ExitStack() as stack:
            calls = [stack.enter_context(self._beside(*each)) for each in zip(asked, launches)]
            for call in calls[:1]:
                call.numbers(threads=threads, max_cycles=max_cycles)
                call.progress(progress)
            status = lib.heddle_launch_all(self._h, asked, len(launches), results, shared)
            for call in calls[:1]:
                call.stopped()
            self._raise(status, next((r.fault for r in results if r.fault != ffi.NULL), ffi.NULL))
            found, board = [read(Result, results + i) for i in range(len(launches))], read(Result, shared)
        return found, board

    def share(self, launch: Mapping[str, Any], boards: int, *, by: Optional[str] = None, along: str = "x") -> list[BoardPart]:
        """Shares a launch, as `launch_all` takes it, out to boards by the rows that the parameter `by` counts, with their blocks
        along x, y or z of the grid ("all": every board has the whole grid); docs/links.md.

        >>> gpu = Context("teach8")
        >>> x, y = (gpu.array(name, np.ones(256, dtype=np.float32)) for name in ("x", "y"))
        >>> saxpy = {"program": "classic/saxpy", "grid": 8, "block": 32, "x": x, "y": y, "a": 2, "n": 256}
        >>> [(part.first, part.rows, part.grid) for part in gpu.share(saxpy, 3)]
        [(0, 64, (2, 1, 1)), (64, 96, (3, 1, 1)), (160, 96, (3, 1, 1))]
        """
        kept = [ffi.new("char[]", word.encode()) for word in (by or "", along)]
        asked = ffi.new("struct heddle_share *", {"by": kept[0] if by else ffi.NULL, "boards": boards, "along": kept[1]})
        parts, beside = ffi.new("struct heddle_board_part[]", max(boards, 1)), ffi.new("struct heddle_beside *")
        with self._beside(beside, launch):
            if lib.heddle_share(self._h, beside.program, beside.launch, asked, parts) == ffi.NULL:
                raise self._error()
        return [read(BoardPart, parts + i) for i in range(boards)]

    def _beside(self, asked: Any, given: Mapping[str, Any]) -> Call:
        """One of the launches for launch_all."""
        rest = dict(given)
        program, entry = rest.pop("program"), rest.pop("entry", None)
        if isinstance(program, str):
            program = self.load(program)
        launch = ffi.new("struct heddle_launch *")
        call = Call(self, launch)
        call.keep += [program, launch]
        call.shared = True
        call.entry(entry)
        for name in ("grid", "block"):
            if name in rest:
                call.size(name, rest.pop(name))
        call.words(**{name: rest.pop(name) for name in ("engine", "rules") if name in rest})
        call.numbers(**{name: rest.pop(name) for name in ("warp", "max_instructions", "shared_bytes") if name in rest})
        asked.priority, asked.alone = rest.pop("priority", 0), rest.pop("alone", True)
        call.arguments({**rest.pop("args", {}), **rest}, program.kernel(entry), ["grid", "block", "warp", "priority", "alone"])
        asked.program, asked.launch = program._p, launch
        return call

    def _find_case(self, program: Program, case: Which, entry: Optional[str], given: bool) -> Optional[Pressed]:
        if case is None or case is False or case is True and (given or program._has(b"\0")):
            return None
        if case is not True and entry is not None:
            raise InputError("case: it names its kernel; leave out entry")
        pressed = Pressed(self, program, case, entry)
        if pressed.entry and pressed.board and self._own_set is not None:
            self.load_board(pressed.board, self._own_set)
        return pressed if pressed.entry else None

    def _raise(self, status: int, fault: Any, expected: Optional[Callable[[], bool]] = None,
               has_case: bool = False) -> None:
        """Raises the error of a status that is not OK."""
        message = text(lib.heddle_error(self._h)) or ""
        if "' is not given" in message and has_case:
            message += "  case=1 takes all that is not given from the file's first case"
        if status == lib.HEDDLE_FAULT:
            info = read(FaultInfo, fault)
            raise Fault(message, info, bool(info and expected and expected()))
        if status != lib.HEDDLE_OK:
            raise OutOfMemory(message) if status == lib.HEDDLE_MEMORY else InputError(message)

    # ---- proofs ----

    def trace_memory(self, on: bool = True) -> None:
        """Keeps what DRAM does in timed launches from now on, or no more, for `memory_trace`; results stay the same."""
        lib.heddle_trace_memory(self._h, on)

    def memory_trace(self, form: str = "commands") -> str:
        """What DRAM did in the last launch: its commands as CSV, or its requests as "dramsim3", "ramulator", "ramulator-rw"."""
        size = ffi.new("size_t *")
        found = lib.heddle_memory_trace(self._h, form.encode(), size)
        if found == ffi.NULL:
            raise self._error()
        try:
            return bytes(ffi.buffer(found, size[0])).decode()
        finally:
            lib.heddle_release(found)

    def transfer(self, link: str, size: int, *, kind: str = "copy", way: str = "ring", boards: int = 1) -> Transferred:
        """What a copy over a link takes, or an exchange between boards: all_gather, reduce_scatter or all_reduce of that many
        bytes, by ring or direct.

        >>> Context().transfer("nvlink3", 1 << 30, kind="all_reduce", boards=8).steps
        14
        """
        kept = [ffi.new("char[]", word.encode()) for word in (link, kind, way)]
        asked = ffi.new("struct heddle_transfer *", {"link": kept[0], "kind": kept[1], "way": kept[2], "boards": boards,
                                                     "bytes": size})
        result = ffi.new("struct heddle_transferred *")
        if not lib.heddle_transfer(self._h, asked, result):
            raise self._error()
        return read(Transferred, result)

    def replay_trace(self, trace: Union[str, bytes], *, name: str = "trace", format: Optional[str] = None,
                     channels: int = 0, open: bool = False, commands: bool = False) -> Replayed:
        """Puts a trace of memory requests through the DRAM of the board alone; its formats are those of Ramulator and DRAMsim3.

        >>> gpu = Context("v100")
        >>> gpu.replay_trace("LD 0x0\\nLD 0x20\\nST 0x40\\n").writes
        1
        """
        data = trace.encode() if isinstance(trace, str) else trace
        kept = [ffi.new("char[]", word.encode()) for word in (name, format or "")]
        asked = ffi.new("struct heddle_replay *", {"name": kept[0], "format": kept[1] if format else ffi.NULL,
                                                   "channels": channels, "open": open, "commands": commands})
        result = ffi.new("struct heddle_replayed *")
        if not lib.heddle_replay_text(self._h, asked, data, len(data), result):
            raise self._error()
        return read(Replayed, result)

    def prove(self, a: Union[Program, str], b: Union[Program, str], buffers: Mapping[str, Any],
              **options: Any) -> Proof:
        """Proves whether two kernels leave the same in their buffers for any initial contents: see heddle.prove."""
        return proof.prove(self, a, b, buffers, **options)
