"""Boards: the machines that kernels run on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from ._native import Reader, ffi, lib, names, near, shipped, text
from .errors import InputError
from .record import Record, read
from .structs import Dims


@dataclass(frozen=True)
class Value(Record):
    """A number of a board, and its origin."""

    key: str  # "l2.slices"
    unit: str
    doc: str
    origin: str  # "a100.yaml:12", "--set", "default"
    choice: Optional[str]  # the word, of a key that is a choice
    scaled: Optional[str]  # of a peak that was set: what it has changed
    basis: Optional[str]  # "measured", "derived", "fitted" or "assumed"; None if it has none
    number: float
    asked: float  # of a peak that was set: what it was set to
    device: float  # what the board's memory device has, in the board's clocks
    low: float  # range of the value, by what is published or argued; without one the value itself
    high: float
    ranged: bool  # a range is given
    real: bool
    devised: bool  # the memory device has something for this key

    @property
    def value(self) -> Union[str, int, float]:
        """The word or the number that stands in the file."""
        return self.choice if self.choice is not None else self.number if self.real else int(self.number)


@dataclass(frozen=True)
class Peak(Record):
    """A figure that follows from the values of a board: a bandwidth, a rate, a latency, a limit."""

    name: str  # "dram_gbs"
    unit: str
    doc: str
    value: float


def boards() -> list[str]:
    """The names of the boards that ship with heddle.

    >>> {"a100", "v100", "teach8"} <= set(boards())
    True
    """
    return names("configs", "*.yaml")


def devices() -> list[str]:
    """The names of the memory devices that ship with heddle.

    >>> {"hbm3-6.4", "gddr7-28.0", "ddr5-4.8"} <= set(devices())
    True
    """
    found: list[str] = []
    while name := text(lib.heddle_device_name(len(found))):
        found.append(name)
    return found


@dataclass(frozen=True)
class Link(Record):
    """A link between a board and its host, or other boards; each number with its basis."""

    name: str  # "pcie4"
    doc: str
    source: str  # where its numbers are from
    gbs: float  # GB/s of one direction, with headers
    data_gbs: float  # what headers leave of it
    latency_us: float  # from the start of a transfer to its first byte
    pj_bit: float  # energy of a bit at both ends
    gbs_basis: str
    latency_basis: str
    pj_basis: str


@dataclass(frozen=True)
class Transferred(Record):
    """What goes over a link takes."""

    steps: int  # one after the other
    step_bytes: float  # that a board sends in each
    us: float  # microseconds of all steps
    joules: float  # of all boards together


@dataclass(frozen=True)
class BoardPart(Record):
    """What one board gets of a launch."""

    first: int  # its first row
    rows: int  # its number of rows: its value of the parameter that counts them
    grid: Dims  # its blocks


def links() -> list[Link]:
    """The links between boards and hosts.

    >>> [link.gbs for link in links() if link.name == "nvlink4"]
    [450.0]
    """
    found: list[Link] = []
    at = ffi.new("struct heddle_link_info *")
    while lib.heddle_link_info(len(found), at):
        found.append(read(Link, at))
    return found


def load(h: Any, name: Optional[str], changes: Mapping[str, Any]) -> None:
    """Loads a shipped board, a file, or with None changes the present one."""
    path = None
    if name is not None:
        path = Path(name) if Path(name).is_file() else shipped("configs", name, ".yaml")
        if path is None:
            raise InputError(f"{name}: no such board or file{near(name, boards())}; boards that ship: {', '.join(boards())}")
    reader = Reader(path.parent if path else Path())
    given = reader.file(str(path), path.read_bytes()) if path else ffi.NULL
    sets = [ffi.new("char[]", f"{key}={value}".encode()) for key, value in changes.items()]
    if not lib.heddle_board_load(h, given, sets or ffi.NULL, len(sets)):
        raise InputError(text(lib.heddle_error(h)) or "")


class Board:
    """The machine of a context, as a mapping from keys to values.

    >>> import heddle
    >>> board = heddle.Context("a100", set={"sms": 4}).board
    >>> board.name, board["sms"], board.value("sms").origin
    ('a100', 4, '--set')
    >>> round(board.peaks["dram_gbs"].value)
    1555
    """

    def __init__(self, context: Any):
        self._context = context

    @property
    def name(self) -> str:
        return text(lib.heddle_board_name(self._context._h)) or ""

    @property
    def device(self) -> Optional[str]:
        """The memory device that the board names, "hbm3-6.4".

        >>> import heddle
        >>> board = heddle.Context("a100", set={"dram.device": "hbm3-6.4", "dram.stacks": 5, "dram.channels": 80}).board
        >>> board.device, board["dram.rcd"], board["dram.capacity_gib"]
        ('hbm3-6.4', 31, 80.0)
        """
        return text(lib.heddle_board_device(self._context._h))

    def value(self, key: str) -> Value:
        """A value with its unit, meaning and origin."""
        found = ffi.new("struct heddle_board_value *")
        if not lib.heddle_board_value(self._context._h, key.encode(), found):
            raise KeyError(text(lib.heddle_error(self._context._h)))
        return read(Value, found)

    def __getitem__(self, key: str) -> Union[str, int, float]:
        return self.value(key).value

    def _rows(self, row: Any) -> dict[str, Value]:
        found: dict[str, Value] = {}
        at = ffi.new("struct heddle_board_value *")
        while row(self._context._h, len(found), at):
            value = read(Value, at)
            found[value.key] = value
        return found

    @property
    def values(self) -> dict[str, Value]:
        """All values by key, in the order of the manual."""
        return self._rows(lib.heddle_board_value_at)

    @property
    def derived(self) -> dict[str, Value]:
        """Keys that are a peak: where one is set, it scales what the peak follows from.

        >>> import heddle
        >>> heddle.Context("v100", set={"dram.gbs": "1.2TB/s"}).board.derived["dram.gbs"].scaled
        'dram.gbs=1200: dram.clock_mhz 877 -> 1172, 1200.13 GB/s'
        """
        return self._rows(lib.heddle_board_derived)

    @property
    def peaks(self) -> dict[str, Peak]:
        """Bandwidths, rates and limits that follow from the values."""
        found: dict[str, Peak] = {}
        at = ffi.new("struct heddle_board_peak *")
        while lib.heddle_board_peak(self._context._h, len(found), at):
            peak = read(Peak, at)
            found[peak.name] = peak
        return found

    def to_dict(self) -> dict[str, Any]:
        return {key: value.value for key, value in self.values.items()}

    def __repr__(self) -> str:
        return f"<Board {self.name}>"
