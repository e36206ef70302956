"""Sweeps: `heddle sweep` run from Python, and its stores as rows.

>>> import heddle, os, tempfile
>>> db = os.path.join(tempfile.mkdtemp(), "saxpy.db")
>>> done = heddle.sweep.run({"run": "classic/saxpy", "case": 1, "board": "v100",
...                          "over": {"dram.channels": [8, 16], "sms": "2..4/x2"}}, db)
>>> done
True
>>> for row in heddle.sweep.rows(db, where='"board.sms" = 2'):
...     print(row["board.dram.channels"], row["state"], row["cycles"] > 0)
8 done True
16 done True
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

from ._native import _find
from .errors import InputError

__all__ = ["rows", "run"]


def _program() -> Union[str, Path]:
    beside = _find()[0].parent / "heddle"
    return beside if os.access(beside, os.X_OK) and beside.is_file() else "heddle"


def run(description: Mapping[str, Any], store: Union[str, Path], *, jobs: Optional[int] = None,
        program: Union[str, Path, None] = None) -> bool:
    """Runs the points that the store lacks; returns whether every point has its result.

    The description has the members of a YAML file for `heddle sweep`: axes change in the order in which they stand, the last
    one fastest. `program` is heddle: that of the source tree, or the one in PATH, if it is not given. Messages go to standard
    error.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(description, file)
        file.flush()
        words = [os.fspath(program or _program()), "sweep", file.name, "--trust", "--output", os.fspath(store)]
        status = subprocess.run(words + (["--jobs", str(jobs)] if jobs else []), stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, check=False).returncode
    if status not in (0, 1):
        raise InputError("the sweep did not run")
    return status == 0


def rows(store: Union[str, Path], sql: Optional[str] = None, parameters: Sequence[Any] = (), *,
         where: Optional[str] = None) -> list[dict[str, Any]]:
    """The points of a store, or the rows of an SQL query: a dict for each row, by the names of columns.

    Names with a point are in double quotes in `sql` and `where`. While sweeps work on the store, it has the points
    finished so far.
    """
    path = Path(store).resolve()
    if not path.is_file():
        raise InputError(f"{store}: No such file")
    question = sql or "SELECT * FROM point WHERE state <> 'running'" + (f" AND ({where})" if where else "")
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        if db.execute("PRAGMA application_id").fetchone()[0] != 0x68646C65:
            raise InputError(f"{store}: this is a database, but not of a sweep")
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(question, parameters)]
    except sqlite3.Error as why:
        raise InputError(f"{store}: {why}") from None
    finally:
        db.close()
