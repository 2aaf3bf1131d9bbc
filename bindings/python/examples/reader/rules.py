"""The rules of Dou Shou Qi as far as tables depend on them: pieces, squares, captures, moves.

A piece is its animal, 0 (rat) to 7 (elephant); a square is 0 (a1) to 62 (g9).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Iterator, NamedTuple, Optional

LETTERS = "RCWDPTLE"
RAT, CAT, WOLF, DOG, PANTHER, TIGER, LION, ELEPHANT = range(8)
SQUARES = 63
#: A square that is not on the board.
NOWHERE = 63
WATER = frozenset(7 * rank + file for rank in (3, 4, 5) for file in (1, 2, 4, 5))
#: Of White, of Black.
DENS = (3, 59)
TRAPS = (frozenset((2, 4, 10)), frozenset((58, 60, 52)))


class Rules(NamedTuple):
    """What the presets differ in. Where the dog is the weaker, names are exchanged (`renamed`)."""

    name: str
    dog_is_weaker: bool
    elephant_takes_rat: bool
    rats_take_across_the_shore: bool
    no_move_loses: bool


RULES = {
    rules.name: rules
    for rules in (
        Rules("standard", True, False, False, True),
        Rules("leiden", False, True, True, False),
        Rules("tufts", False, False, False, False),
    )
}


class Piece(NamedTuple):
    white: bool
    animal: int
    square: int

    def turned(self) -> Piece:
        """The same piece of the other side, seen from the other side of the board."""
        return Piece(not self.white, self.animal, 62 - self.square)


class Position(NamedTuple):
    pieces: tuple[Piece, ...]
    white: bool

    @staticmethod
    def parse(fen: str) -> Position:
        board, side = fen.split()[:2]
        pieces = []
        for down, line in enumerate(board.split("/")):
            file = 0
            for letter in line:
                if letter.isdigit():
                    file += int(letter)
                    continue
                animal = LETTERS.index(letter.upper().replace("J", "P"))
                pieces.append(Piece(letter.isupper(), animal, 7 * (8 - down) + file))
                file += 1
        return Position(tuple(pieces), side in "wr")

    def renamed(self) -> Position:
        """Wolf and dog exchanged."""
        other = {WOLF: DOG, DOG: WOLF}
        pieces = (p._replace(animal=other.get(p.animal, p.animal)) for p in self.pieces)
        return Position(tuple(pieces), self.white)


def step(square: int, right: int, up: int) -> int:
    """The next square in a direction, if there is one."""
    file, rank = square % 7 + right, square // 7 + up
    return 7 * rank + file if 0 <= file < 7 and 0 <= rank < 9 else NOWHERE


DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
NEIGHBOURS = [
    [n for right, up in DIRECTIONS if (n := step(s, right, up)) != NOWHERE] for s in range(SQUARES)
]


def swims(animal: int) -> bool:
    return animal == RAT


def jumps(animal: int) -> bool:
    return animal in (TIGER, LION)


def takes_on_land(rules: Rules, taker: int, taken: int) -> bool:
    if taker == RAT and taken == ELEPHANT:
        return True
    if taker == ELEPHANT and taken == RAT:
        return rules.elephant_takes_rat
    return taker >= taken


def takes_from_water(rules: Rules, taker: int, taken: int) -> bool:
    """Whether it takes something on land while it swims."""
    return taker == RAT and taken == RAT and rules.rats_take_across_the_shore


def takes_there(rules: Rules, taker: Piece, taken: Piece) -> bool:
    """Whether a piece takes an enemy that it reaches in one move."""
    if taken.square in TRAPS[0 if taker.white else 1]:
        return True
    wet, water = taker.square in WATER, taken.square in WATER
    if wet and water:
        return True
    if wet or water:
        return takes_from_water(rules, taker.animal, taken.animal)
    return takes_on_land(rules, taker.animal, taken.animal)


@lru_cache(maxsize=None)
def reached(animal: int, square: int) -> list[tuple[int, tuple[int, ...]]]:
    """Where a piece gets in one move, and over which squares."""
    found = []
    for right, up in DIRECTIONS:
        over = []
        to = step(square, right, up)
        while to in WATER and jumps(animal):
            over.append(to)
            to = step(to, right, up)
        if to != NOWHERE and (to not in WATER or swims(animal)):
            found.append((to, tuple(over)))
    return found


class Move(NamedTuple):
    piece: int
    to: int
    taken: Optional[int]


def moves(rules: Rules, position: Position) -> Iterator[Move]:
    """The moves of the side to move; pieces by their place in the position."""
    there = {piece.square: i for i, piece in enumerate(position.pieces)}
    for i, piece in enumerate(position.pieces):
        if piece.white != position.white:
            continue
        for to, over in reached(piece.animal, piece.square):
            if to == DENS[0 if piece.white else 1]:
                continue
            if any(s in there and position.pieces[there[s]].animal == RAT for s in over):
                continue
            taken = there.get(to)
            if taken is not None:
                other = position.pieces[taken]
                if other.white == piece.white or not takes_there(rules, piece, other):
                    continue
            yield Move(i, to, taken)
