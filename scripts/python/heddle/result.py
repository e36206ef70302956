"""What a launch did. Names and meaning are those of heddle.h; docs/reference/counters.md has the counters."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Optional

from ._native import ffi, lib, text
from .case import Case
from .record import Record, read

Dims = tuple[int, int, int]


@dataclass(frozen=True)
class FaultInfo(Record):
    """Where the simulated program did what it must not."""

    kind: str
    kernel: Optional[str]
    file: Optional[str]  # of the line; None: the one that was loaded
    line: int  # 0: unknown
    block: Dims
    warp: int
    lane: int
    address: int

    @staticmethod
    def _absent(source: Any) -> bool:
        return bool(source.kind == ffi.NULL)


@dataclass(frozen=True)
class Place(Record):
    """One end of a finding: an instruction as one lane executed it."""

    file: Optional[str]
    line: int
    text: str  # as it is written, with the arguments of macros
    disassembly: str
    source: Optional[str]  # the text; None where it is not known as it was written
    how: Optional[str]  # "read", "write", "atomic", "strong read", "strong write"
    block: Dims
    warp: int
    lane: int
    cycle: Optional[int]  # with a clock

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {} if source.cycle != 2**64 - 1 else {"cycle": None}


@dataclass(frozen=True)
class Finding(Record):
    """What a checker found: the first of its class at a pair of instructions, and how many there were."""

    kind: str  # "race", "init", "sync", "mem", "value"
    class_: str  # "write-write"
    doc: str
    text: str
    places: tuple[Place, ...]  # the one that completed it, then the earlier one
    space: Optional[str]
    buffer: Optional[str]
    variable: Optional[str]
    address: int
    bytes: int
    where: Optional[str]  # "y[3,32]"
    count: int


@dataclass(frozen=True)
class Use(Record):
    """A use of a macro."""

    file: Optional[str]
    line: int

    @staticmethod
    def _absent(source: Any) -> bool:
        return bool(source.line == 0)


@dataclass(frozen=True)
class Line(Record):
    """An instruction of the kernel, and what it cost."""

    file: Optional[str]
    line: int
    pc: int  # number of the instruction in the program
    first: int  # that of the first round of the `.repeat` around it; its own outside of one
    used: Optional[Use]  # of the macro that it was made for, the outermost
    text: str  # as it is written, with the arguments of macros; of an object, its disassembly
    rounds: str  # the texts of all rounds in one: "shl.b32 v, w, 0..4"
    disassembly: str
    warp_instructions: int
    lanes: int  # that executed it, summed
    stall: dict[str, int] = field(default_factory=dict)  # cycles of warps by reason, with a clock
    columns: dict[str, int] = field(default_factory=dict)  # sectors, conflicts, ..., with a clock

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        if source.stall == ffi.NULL:
            return {"stall": {}, "columns": {}}
        stalls = {name: source.stall[i] for i, name in enumerate(stall_names()) if source.stall[i]}
        return {"stall": stalls, "columns": _columns(lib.heddle_line_column, source.value)}


@dataclass(frozen=True)
class Traffic(Record):
    """What one buffer cost; "(local)" is the local memory of all threads."""

    name: str
    columns: dict[str, int]
    energy: float  # joules

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {"columns": _columns(lib.heddle_traffic_column, source.value)}


@dataclass(frozen=True)
class Column(Record):
    """A column of an explanation: the value of each lane that has one."""

    name: str  # "new r4"
    title: str  # the same with registers by their names: "new sum"
    values: dict[int, Any]

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {"values": {lane: _cell(source, lane) for lane in range(64) if source.lanes >> lane & 1}}


@dataclass(frozen=True)
class Bin(Record):
    value: int
    executions: int


@dataclass(frozen=True)
class Spread(Record):
    """A number that each execution has, and its distribution over all executions of the launch."""

    name: str
    min: int
    max: int
    mean: float
    histogram: tuple[Bin, ...]


@dataclass(frozen=True)
class Explained(Record):
    """An instruction of the line that was to be explained, lane by lane."""

    file: Optional[str]
    line: int
    pc: int
    first: int  # as in Line
    text: str
    disassembly: str
    executions: int
    shown: bool
    block: Dims
    warp: int
    active: int  # lanes, a bit each
    ran: int
    columns: tuple[Column, ...]
    words: tuple[str, ...]
    totals: tuple[Spread, ...]


@dataclass(frozen=True)
class Step(Record):
    """One access in the story of an order of warps."""

    file: Optional[str]
    line: int
    text: str
    disassembly: str
    how: str
    what: str
    block: Dims
    warp: int
    lane: int


@dataclass(frozen=True)
class Order(Record):
    """One of two orders of warps that end differently."""

    value: Optional[str]
    fault: Optional[FaultInfo]
    message: Optional[str]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Orders(Record):
    """What the orders of warps that can matter leave (schedule="all")."""

    executed: int
    bound: int
    all: bool
    same: bool
    faults: bool
    text: str
    buffer: Optional[str]
    element: int
    order: tuple[Order, ...]


@dataclass(frozen=True)
class Advice(Record):
    """What a rule of advice says of a launch: the gain is a bound."""

    rule: str
    gain: float
    text: str
    file: Optional[str]
    line: int


@dataclass(frozen=True)
class Result(Record):
    """What a launch did and, on a board, how long that took and why."""

    kernel: str
    engine: str
    schedule: Optional[str]
    orders: Optional[Orders]
    grid: Dims
    block: Dims
    warp: int
    blocks: int
    warps: int
    warp_instructions: int
    thread_instructions: int
    lanes_per_instruction: float
    simt_efficiency: float  # the same as a share of the warp's lanes
    classes: dict[str, int]  # warp-instructions of each class
    lines: tuple[Line, ...]
    explain: tuple[Explained, ...]
    checked: Optional[str]
    findings: tuple[Finding, ...]
    check_memory: int
    check_forgotten: int
    timed: bool
    cycles: int
    overhead_cycles: int
    seconds: float
    board: Optional[str]
    caches: Optional[str]
    limiter: Optional[str]
    hint: Optional[str]
    advice: tuple[Advice, ...]  # by descending gain
    inconsistency: Optional[str]
    occupancy_limit: Optional[str]
    metrics: dict[str, float]  # whole numbers are ints; one without a value is not there
    traffic: dict[str, Traffic]
    case: Optional[Case] = None  # of the file, that the launch was
    inputs: dict[str, Any] = field(default_factory=dict, compare=False)  # of a case: arrays that the kernel only reads
    outputs: dict[str, Any] = field(default_factory=dict, compare=False)  # of a case: arrays that it may write to

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {
            "classes": {text(c.name): c.warp_instructions for c in source.classes[0:source.nclasses]},
            "case": None, "inputs": {}, "outputs": {},
            "metrics": {text(m.name): int(m.value) if m.whole else m.value
                        for m in source.metrics[0:source.nmetrics] if not m.absent} if source.nmetrics else {},
            "traffic": {text(t.name): read(Traffic, t)
                        for t in source.traffic[0:source.ntraffic]} if source.ntraffic else {},
        }

    @property
    def line_sums(self) -> tuple[Line, ...]:
        """The lines with the rounds of a repeated one added up; their text is that of all rounds."""
        sums: dict[int, Line] = {}
        for line in self.lines:
            before = sums.get(line.first)
            sums[line.first] = replace(line, text=line.rounds) if before is None else replace(
                before, warp_instructions=before.warp_instructions + line.warp_instructions,
                lanes=before.lanes + line.lanes, stall=dict(Counter(before.stall) + Counter(line.stall)),
                columns={name: n + line.columns[name] for name, n in before.columns.items()})
        return tuple(sums.values())

    def __str__(self) -> str:
        size = "x".join(str(n) for n in self.grid if n != 1) or "1"
        threads = "x".join(str(n) for n in self.block if n != 1) or "1"
        head = f"{self.kernel}: grid {size}, block {threads}, warp {self.warp}"
        if not self.timed:
            return f"{head}: {self.warp_instructions:,} warp-instructions"
        return f"{head} on {self.board}: {self.cycles:,} cycles, {self.seconds * 1e6:,.2f} us. {self.limiter}"

    def _repr_html_(self) -> str:
        """A table for notebooks: the answer, the memory traffic, the lines that took longest."""
        parts = [f"<p><b>{html.escape(str(self))}</b></p>"]
        if self.traffic:
            heads = ["requested_bytes", "useful_bytes", "dram_read_bytes", "dram_write_bytes"]
            rows = [[t.name] + [f"{t.columns[h]:,}" for h in heads] for t in self.traffic.values()]
            parts.append(_table(["buffer"] + heads, rows))
        busy = sorted(self.line_sums, key=lambda line: -(sum(line.stall.values()) or line.warp_instructions))[:8]
        count = Counter(line.first for line in self.lines)
        rows = [[str(line.line) + (f" x{count[line.first]}" if count[line.first] > 1 else ""), line.text,
                 f"{line.warp_instructions:,}", f"{sum(line.stall.values()):,}",
                 max(line.stall, key=lambda s: line.stall[s], default="")] for line in busy]
        parts.append(_table(["line", "instruction", "issued", "stalled cycles", "mostly"], rows))
        return "".join(parts)


def _table(heads: list[str], rows: list[list[str]]) -> str:
    def row(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    return "<table>" + row(heads, "th") + "".join(row(r, "td") for r in rows) + "</table>"


def stall_names() -> list[str]:
    """Lists the reasons why a warp does not issue, in table order."""
    found: list[str] = []
    while (name := text(lib.heddle_stall_name(len(found), ffi.NULL))) is not None:
        found.append(name)
    return found


def _columns(row: Any, values: Any) -> dict[str, int]:
    info, found, i = ffi.new("struct heddle_column_info *"), {}, 0
    while row(i, info):
        found[str(text(info.name))] = values[i]
        i += 1
    return found


def _cell(column: Any, lane: int) -> Any:
    value = column.value[lane]
    if column.kind == lib.HEDDLE_CELL_TEXT:
        return text(column.text[lane])
    if column.kind == lib.HEDDLE_CELL_SIGNED:
        return value - (1 << 64) if value >> 63 else value
    if column.kind == lib.HEDDLE_CELL_FLOAT:
        return ffi.cast("double *", ffi.new("uint64_t *", value))[0]
    return value
