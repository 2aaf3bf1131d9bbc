"""Matches between players, with Elo and SPRT."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Callable

from mousetrap._mousetrap import Rules, Tablebase, play_match
from mousetrap.rows import Rows


@dataclass(frozen=True)
class Match:
    """The result of a match.

    >>> import mousetrap
    >>> result = mousetrap.match("greedy", "random", games=4, nodes=100)
    >>> len(result.games), result.summary["games"]
    (4, 4)
    >>> sorted(result.figures)[:3]
    ['a', 'b', 'draw_ratio']
    """

    games: Rows
    """A record for each game: `game`, `white`, `black`, `result`, `points` of the first player, `end`,
    `detail`, `plies`, `opening`, `moves`."""
    summary: dict[str, Any]
    """What `mousetrap match --json` prints; a number that is infinite or unknown is `None`."""
    pgn: str
    """The games as PGN."""

    @property
    def figures(self) -> dict[str, Any]:
        """Wins, draws, losses, Elo and so on of the first player."""
        figures: dict[str, Any] = self.summary["pairings"][0]
        return figures

    def frame(self) -> Any:
        """The games as a data frame of pandas if it is there, else of Polars.

        >>> import mousetrap
        >>> mousetrap.match("random", "random", games=2, nodes=1).frame().shape
        (2, 10)
        """
        return self.games.frame()


def match(
    a: str,
    b: str,
    *,
    games: int | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    time: float | None = None,
    tc: str | None = None,
    rules: Rules | str | None = None,
    seed: int = 1,
    openings: str | None = None,
    move_limit: int | None = None,
    concurrency: int = 1,
    sprt: str | None = None,
    tables: Tablebase | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[dict[str, Any]], object] | None = None,
) -> Match:
    """Plays a match between two players, two games from each opening with colours exchanged.

    Players are named as on the command line (`player_kinds()` lists them): `champion`, `random`,
    `sparring:depth=4`, `uci:/usr/games/engine`. One limit holds for every move: `nodes` (10,000 if nothing is
    said), `depth`, seconds (`time`) or a clock (`tc`, as in `"10+0.1"`). `openings` is `start`, `burnett` or a
    file of FENs, else they are generated from the seed. With `sprt` (as in `"0,10"`) a sequential test ends the
    match, with `tables` games that they know the outcome of are ended. `out` names a folder for the record;
    with `resume` a match that is there goes on. `progress` is called with the record of every finished game.
    Where nodes or depth are the limit, the same seed gives the same games.

    >>> import mousetrap
    >>> mousetrap.match("greedy", "random", games=3)
    Traceback (most recent call last):
        ...
    mousetrap.errors.InputError: the number of games must be even, as games come in pairs with colours exchanged: 3 is odd, 4 will do
    """
    return Match(
        *play_match(
            a,
            b,
            games=games,
            nodes=nodes,
            depth=depth,
            time=time,
            tc=tc,
            rules=rules,
            seed=seed,
            openings=openings,
            move_limit=move_limit,
            concurrency=concurrency,
            sprt=sprt,
            tables=tables,
            out=None if out is None else os.fspath(out),
            resume=resume,
            progress=progress,
        )
    )
