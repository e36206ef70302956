"""Results of launches. Names and meaning are those of heddle.h; docs/reference/counters.md has the counters."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Optional

from ._native import ffi, lib, text
from .case import Case
from .record import read
from .structs import (Advice, BankFields, Bin, ChannelFields, ColumnFields, Dims, Energy, Explained, FaultInfo, Finding,
                      LineFields, Order, Orders, Part, Place, Replayed, ResultFields, Spread, Step, TrafficFields, Use)

__all__ = ["Advice", "Bank", "Bin", "Channel", "Column", "Dims", "Energy", "Explained", "FaultInfo", "Finding", "Line",
           "Order", "Orders", "Part", "Place", "Replayed", "Result", "Spread", "Step", "Traffic", "Use", "stall_names"]


@dataclass(frozen=True)
class Line(LineFields):
    """An instruction of the kernel, and what it cost."""

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        if source.stall == ffi.NULL:
            return {"stall": {}, "columns": {}}
        stalls = {name: source.stall[i] for i, name in enumerate(stall_names()) if source.stall[i]}
        return {"stall": stalls, "columns": _columns(lib.heddle_line_column, source.value)}


@dataclass(frozen=True)
class Bank(BankFields):
    """What a bank of a data bus of DRAM took of it, or made it wait for; `bus_cycles` is the sum of its parts."""

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {"columns": _columns(lib.heddle_channel_column, source.value)}


@dataclass(frozen=True)
class Channel(ChannelFields):
    """What a channel of DRAM, or a pseudo channel, counted; the parts of its time add up to `bus_cycles`."""

    _read = staticmethod(Bank._read)


@dataclass(frozen=True)
class Traffic(TrafficFields):
    """What one buffer cost; "(local)" is the local memory of all threads."""

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {"columns": _columns(lib.heddle_traffic_column, source.value)}


@dataclass(frozen=True)
class Column(ColumnFields):
    """A column of an explanation: the value of each lane that has one."""

    values: dict[int, Any]  # of each lane that has one

    @staticmethod
    def _read(source: Any) -> dict[str, Any]:
        return {"values": {lane: _cell(source, lane) for lane in range(64) if source.lanes >> lane & 1}}


@dataclass(frozen=True)
class Result(ResultFields):
    """What a launch did and, on a board, how long that took and why."""

    case: Optional[Case] = None  # of the file, that the launch was
    inputs: dict[str, Any] = field(default_factory=dict, compare=False)  # of a case: arrays that the kernel only reads
    outputs: dict[str, Any] = field(default_factory=dict, compare=False)  # of a case: arrays that it may write to

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
