"""Looks positions up in endgame tables of Mousetrap, without Mousetrap.

    python probe.py FOLDER FEN
    python probe.py FOLDER --stdin

FOLDER is that of one set of rules, as in tables/leiden. With --stdin, one FEN a line; the answers are lines
of outcome (win, draw, loss) and plies. This is a second reading of docs/tablebase-format.md, in plain Python
with nothing else.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from itertools import combinations, permutations
from pathlib import Path
from typing import NamedTuple, Optional

from rules import DENS, LETTERS, RULES, Position, Rules
from rules import jumps, moves, swims, takes_from_water, takes_on_land
from table import DRAWN, LOST, WON, Table, Value

Animals = tuple[int, ...]


class Canonical(NamedTuple):
    """A class as its table sees it: the signature, whether Black comes first, and which animals of the first
    and the second side fill the slots."""

    signature: bytes
    swapped: bool
    first: Animals
    second: Animals


def signature(rules: Rules, first: Animals, second: Animals) -> bytes:
    def takes(a: int, b: int) -> int:
        return takes_on_land(rules, a, b) + 2 * takes_from_water(rules, a, b)

    out = [len(first)]
    out += [3 * jumps(a) + 4 * swims(a) for a in first + second]
    out += [takes(a, b) + 4 * takes(b, a) for a in first for b in second]
    return bytes(out)


@lru_cache(maxsize=None)
def canonical(rules: Rules, white: Animals, black: Animals) -> Canonical:
    """Of animals in ascending order."""
    ways = (
        Canonical(signature(rules, first, second), swapped, first, second)
        for swapped, a, b in ((False, white, black), (True, black, white))
        for first in permutations(a)
        for second in permutations(b)
    )
    return min(ways, key=lambda way: way.signature)


@lru_cache(maxsize=None)
def names(rules: Rules, white: int, black: int) -> dict[bytes, tuple[str, Animals, Animals]]:
    """For each signature with these numbers of pieces the name of the file and the slots' animals."""
    found: dict[bytes, tuple[str, Animals, Animals]] = {}

    def subsets(n: int) -> list[Animals]:
        return sorted(combinations(range(8), n), key=lambda animals: sum(1 << a for a in animals))

    def word(animals: Animals) -> str:
        return "".join(LETTERS[a] for a in sorted(animals, reverse=True))

    pairs = [(a, b) for a in subsets(white) for b in subsets(black)]
    if white != black:
        pairs += [(b, a) for a, b in pairs]
    for a, b in sorted(pairs, key=lambda p: [sum(1 << x for x in side) for side in p]):
        way = canonical(rules, a, b)
        name = f"{word(way.first)}-{word(way.second)}"
        found.setdefault(way.signature, (name, way.first, way.second))
    return found


class Tables:
    """A folder of tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rules = RULES[folder.name]
        self.open: dict[str, Table] = {}

    def table(self, name: str, first: Animals, second: Animals) -> Table:
        if name not in self.open:
            slots = [(True, animal) for animal in first] + [(False, animal) for animal in second]
            self.open[name] = Table(self.folder / f"{name}.mtb", self.rules, slots)
        return self.open[name]

    def probe(self, position: Position) -> Value:
        """The truth about a position that is not over, for the side to move."""
        return self.look_up(position.renamed() if self.rules.dog_is_weaker else position)

    def look_up(self, position: Position) -> Value:
        pieces = position.pieces
        sides = [tuple(sorted(p.animal for p in pieces if p.white == white)) for white in (True, False)]
        way = canonical(self.rules, sides[0], sides[1])
        name, first, second = names(self.rules, len(sides[0]), len(sides[1]))[way.signature]
        table = self.table(name, first, second)
        white = position.white
        if way.swapped:
            pieces, white = tuple(piece.turned() for piece in pieces), not white
        if not table.stores(white):
            return self.one_ply(position)
        square = {(p.white, p.animal): p.square for p in pieces}
        squares = [square[True, a] for a in way.first] + [square[False, a] for a in way.second]
        return table.value(squares, white)

    def one_ply(self, position: Position) -> Value:
        best: Optional[Value] = None
        for move in moves(self.rules, position):
            value = self.after(position, move.piece, move.to, move.taken)
            if best is None or merit(value) > merit(best):
                best = value
        if best is None:
            return Value(LOST, 0) if self.rules.no_move_loses else Value(DRAWN, None)
        return best

    def after(self, position: Position, mover: int, to: int, taken: Optional[int]) -> Value:
        """What a move is worth for who makes it."""
        left = [p for i, p in enumerate(position.pieces) if i != taken]
        if to in DENS or not any(p.white != position.white for p in left):
            return Value(WON, 1)
        moved = position.pieces[mover]
        pieces = tuple(p._replace(square=to) if p is moved else p for p in left)
        value = self.look_up(Position(pieces, not position.white))
        plies = None if value.plies is None else value.plies + 1
        return Value({WON: LOST, DRAWN: DRAWN, LOST: WON}[value.outcome], plies)


def merit(value: Value) -> tuple[int, int]:
    """Orders values from bad to good: sooner wins and later losses are better."""
    plies = value.plies or 0
    return (-value.outcome, plies if value.outcome == LOST else -plies)


def text(value: Value) -> str:
    word = {WON: "win", DRAWN: "draw", LOST: "loss"}[value.outcome]
    return word if value.plies is None else f"{word} {value.plies}"


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tables = Tables(Path(sys.argv[1]))
    if sys.argv[2] != "--stdin":
        print(text(tables.probe(Position.parse(" ".join(sys.argv[2:])))))
        return
    for line in sys.stdin:
        print(text(tables.probe(Position.parse(line))))


if __name__ == "__main__":
    main()
