"""Records and arrays as plain data, with a way into data frames."""

from __future__ import annotations

import html
import importlib
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Answers(NamedTuple):
    """The results of a batch of probes, for the player to move of each position.

    >>> import mousetrap
    >>> answers = mousetrap.Tablebase.open(rules="leiden").probe_class("E-E", [[17, 45]])
    >>> answers.outcome.tolist(), answers.plies.tolist()
    ([-1], [12])
    """

    outcome: npt.NDArray[np.int8]
    """1 for a win, 0 for a draw, -1 for a loss."""
    plies: npt.NDArray[np.int16]
    """How many plies it takes; -1 for a draw, and where distances were not asked for."""


class Rows(List[Dict[str, Any]]):
    """A list of records, each a dictionary, that knows how to become a data frame.

    >>> import mousetrap
    >>> rows = mousetrap.Rows([{"class": "E-R", "wins": 3}, {"class": "C-C", "wins": 4}])
    >>> rows[1]["wins"], rows.column("class")
    (4, ['E-R', 'C-C'])
    >>> int(rows.frame()["wins"].sum())
    7
    """

    def frame(self) -> Any:
        """A data frame of pandas if it is there, else of Polars.

        >>> import mousetrap
        >>> mousetrap.Rows([{"a": 1}]).frame().shape
        (1, 1)
        """
        for make in (self.pandas, self.polars):
            try:
                return make()
            except ImportError:
                continue
        raise ImportError("a data frame needs pandas or polars: pip install pandas")

    def pandas(self) -> Any:
        """A data frame of pandas.

        >>> import mousetrap
        >>> list(mousetrap.Rows([{"a": 1}]).pandas().columns)
        ['a']
        """
        pandas: Any = importlib.import_module("pandas")
        return pandas.DataFrame.from_records(list(self))

    def polars(self) -> Any:
        """A data frame of Polars."""
        polars: Any = importlib.import_module("polars")
        return polars.DataFrame(list(self))

    def column(self, name: str) -> list[Any]:
        """One entry of each record.

        >>> import mousetrap
        >>> mousetrap.Rows([{"a": 1}, {"a": 2}]).column("a")
        [1, 2]
        """
        return [row[name] for row in self]

    def _repr_html_(self) -> str:
        names = list(self[0]) if self else []
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(row.get(name)))}</td>" for name in names) + "</tr>"
            for row in self
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
