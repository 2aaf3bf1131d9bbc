"""Published results and measurements, by name."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Callable

from mousetrap._mousetrap import run_study
from mousetrap.rows import Rows


@dataclass(frozen=True)
class Study:
    """What a study came to.

    >>> import mousetrap
    >>> table1 = mousetrap.study("table1", plies=3)
    >>> table1.rows.column("leaves"), table1.tables["table1"].column("equal")
    ([24, 576, 12240], ['yes', 'yes', 'yes'])
    >>> table1.charts["seconds"][:4]
    '<svg'
    """

    results: Any
    """What came out, as in `record.json`."""
    rows: Rows
    """What `mousetrap repro NAME --json` prints, a record for each line."""
    tables: dict[str, Rows]
    """The tables by name; `frame()` of each is a data frame."""
    charts: dict[str, str]
    """The charts by name, as SVG."""
    text: str
    """Ours beside theirs, in words."""

    def frame(self) -> Any:
        """The rows as a data frame of pandas if it is there, else of Polars.

        >>> import mousetrap
        >>> mousetrap.study("table1", plies=2).frame().shape[0]
        2
        """
        return self.rows.frame()

    def _repr_html_(self) -> str:
        return self.rows._repr_html_() + "".join(self.charts.values())


def study(
    name: str,
    *,
    tables: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[str], object] | None = None,
    **parameters: Any,
) -> Study | None:
    """Runs a study by name, with its own parameters (`studies()` lists both).

    `tables` is the folder of endgame tables, the user's if left out. `out` names a folder for the record, and
    for what is done so far of a study that takes long. `progress` is called with notes on the way. Where only a
    part of the work is asked for (`shard`), and there is more to do, nothing comes out.

    >>> import mousetrap
    >>> mousetrap.study("table1", plies=2).tables["table1"].column("leaves")
    [24, 576]
    >>> mousetrap.study("table1", depth=2)
    Traceback (most recent call last):
        ...
    mousetrap.errors.InputError: there is no parameter 'depth'; there are plies
    """
    found = run_study(
        name,
        json.dumps(parameters, default=os.fspath),
        tables=None if tables is None else os.fspath(tables),
        out=None if out is None else os.fspath(out),
        progress=progress,
    )
    return None if found is None else Study(**found)
