"""A file of a table, after docs/tablebase-format.md: header, models, index, groups, blocks, rows."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from struct import unpack_from
from typing import NamedTuple, Optional

from blake3 import digest
from rules import DENS, NEIGHBOURS, NOWHERE, SQUARES, WATER, Piece, Rules
from rules import jumps, reached, step, swims, takes_there
from zstd import decompress

MAGIC = b"\x89MTB\r\n\x1a\n"
VERSION = 3
CHUNK = 16 << 10
GROUP = 32
WON, DRAWN, LOST, OUTSIDE = range(4)
OUTCOME_SYMBOLS, OUTCOME_COARSE = 3, 528
DISTANCE_SYMBOLS, DISTANCE_COARSE = 16, 32

LAND = [s for s in range(SQUARES) if s not in WATER and s not in DENS]
LAND_AND_WATER = [s for s in range(SQUARES) if s not in DENS]
LEFT = [step(s, -1, 0) for s in range(SQUARES)]
BELOW = [step(s, 0, -1) for s in range(SQUARES)]
LOWER_LEFT = [step(s, -1, -1) for s in range(SQUARES)]
LOWER_RIGHT = [step(s, 1, -1) for s in range(SQUARES)]


class Damaged(ValueError):
    """A file that cannot be read as a table."""


class Value(NamedTuple):
    """The truth for the side to move; the plies of a win or a loss, if they are stored."""

    outcome: int
    plies: Optional[int]


class Row:
    """The values of a row by the runner's square, with one more for `NOWHERE`. Half-distances mean something
    only where the outcome is a win or a loss."""

    def __init__(self, outcomes: list[int], halves: list[int]) -> None:
        self.outcomes = outcomes
        self.halves = halves


class Stream:
    """A range coder's bytes, read symbol by symbol."""

    def __init__(self, data: bytes) -> None:
        length = len(data)
        if length < 4:
            first = length
        elif length % 4:
            first = 4 + length % 4
        else:
            first = 4 if data[0] >= 128 else min(8, length)
        self.data, self.at = data, first
        self.state = int.from_bytes(data[:first], "big")

    def symbol(self, starts: tuple[int, ...]) -> int:
        """Reads a symbol; `starts` are where the ranges of the symbols start, and 4096."""
        slot = self.state & 4095
        symbol = bisect_right(starts, slot) - 1
        start = starts[symbol]
        self.state = (starts[symbol + 1] - start) * (self.state >> 12) + slot - start
        self.refill()
        return symbol

    def byte(self) -> int:
        byte = self.state & 255
        self.state >>= 8
        self.refill()
        return byte

    def refill(self) -> None:
        if self.state < 1 << 31 and self.at < len(self.data):
            self.state = self.state << 32 | int.from_bytes(self.data[self.at : self.at + 4], "big")
            self.at += 4


class Model:
    """Frequencies by context. A fine context without any of its own has those of its coarse one."""

    def __init__(self, data: bytes, symbols: int, coarse: int) -> None:
        self.data, self.at, self.symbols = data, 0, symbols
        self.coarse: list[tuple[int, ...]] = []
        self.fine: dict[int, tuple[int, ...]] = {}
        if not data:
            return
        self.coarse = [self.starts() for _ in range(coarse)]
        context = 0
        while self.at < len(data):
            context += self.number()
            self.fine[context] = self.starts()
            context += 1

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def starts(self) -> tuple[int, ...]:
        starts = [0]
        for _ in range(self.symbols - 1):
            starts.append(starts[-1] + self.number() + 1)
        return (*starts, 4096)

    def read(self, stream: Stream, fine: int, coarse: int) -> int:
        return stream.symbol(self.fine.get(fine) or self.coarse[coarse])


class Block(NamedTuple):
    """A block of a plane: its rows as the squares of the last fixed piece, stem and left arm first; and what
    each could lean on, in this order."""

    arms: tuple[list[int], list[int]]
    leans: dict[int, list[int]]


def _blocks(squares: list[int]) -> list[Block]:
    ranks = [[s for s in squares if s // 7 == i] for i in range(9)]
    parts: list[list[int]] = []
    for before, rank in zip([[], *ranks], ranks):
        if len(before) == len(rank) == 3:
            parts[-1] = parts[-1] + rank
        else:
            parts.append(rank)
    return [_block(part) for part in parts]


def _block(squares: list[int]) -> Block:
    stem_file = 3 if any(s % 7 == 3 for s in squares) else 2
    stem = [s for s in squares if s % 7 == stem_file]
    left = [s for s in squares if s % 7 < stem_file]
    right = [s for s in squares if s % 7 > stem_file]
    for arm in (left, right):
        arm.sort(key=lambda s: (abs(s % 7 - stem_file), s))
    leans = {}
    for arm in (left, right):
        line = stem + arm
        for i, square in enumerate(line):
            if square in leans:
                continue
            before = line[:i]

            def order(s: int) -> tuple[int, int]:
                if s == square - 7:
                    return (0, 0)
                if s // 7 == square // 7:
                    return (1, abs(s - square))
                return (2, -before.index(s))

            leans[square] = sorted(before, key=order)
    return Block((stem + left, right), leans)


class Table:
    """A table that is open. `slots` are the colour (of White?) and animal of each slot."""

    def __init__(self, path: Path, rules: Rules, slots: list[tuple[bool, int]]) -> None:
        self.rules = rules
        self.file = path.read_bytes()
        self._header(path)
        self._order(slots)
        self.verified: set[int] = set()
        self._parts()
        self.rows: OrderedDict[tuple[int, int], dict[int, Row]] = OrderedDict()

    # The header and the parts of the file

    def _header(self, path: Path) -> None:
        file = self.file
        if file[:8] != MAGIC:
            raise Damaged(f"{path}: not a table")
        (length,) = unpack_from("<I", file, 8)
        end = 12 + length
        if digest(file[:end])[:8] != file[end : end + 8]:
            raise Damaged(f"{path}: the header is damaged")
        (version,) = unpack_from("<H", file, 12)
        if version != VERSION:
            raise Damaged(f"{path}: version {version}, not {VERSION}")
        at, words = 14, []
        for _ in range(2):
            (size,) = unpack_from("<H", file, at)
            words.append(file[at + 2 : at + 2 + size].decode())
            at += 2 + size
        self.rules_text, self.name = words
        #: Wins, losses, draws, without a move, longest: for White to move, for Black to move.
        self.counts = (unpack_from("<5Q", file, at), unpack_from("<5Q", file, at + 40))
        flags, size = unpack_from("<BQ", file, at + 80)
        self.has_distances, self.has_both = bool(flags & 1), bool(flags & 2)
        self.checksums = file[at + 89 : end]
        self.payload = file[end + 8 :]
        if len(self.payload) != size:
            raise Damaged(f"{path}: {len(self.payload)} bytes of payload, not {size}")

    def bytes(self, start: int, length: int) -> bytes:
        """Bytes of the payload, verified."""
        for chunk in range(start // CHUNK, (start + length + CHUNK - 1) // CHUNK):
            if chunk not in self.verified:
                data = self.payload[chunk * CHUNK : (chunk + 1) * CHUNK]
                if digest(data)[:8] != self.checksums[8 * chunk : 8 * chunk + 8]:
                    raise Damaged(f"{self.name}: chunk {chunk} is damaged")
                self.verified.add(chunk)
        return self.payload[start : start + length]

    def _parts(self) -> None:
        models, index, _groups, _outcomes = unpack_from("<4Q", self.bytes(0, 32))
        packed = decompress(self.bytes(32, models))
        (first,) = unpack_from("<I", packed)
        self.outcome_model = Model(packed[4 : 4 + first], OUTCOME_SYMBOLS, OUTCOME_COARSE)
        self.distance_model = Model(packed[4 + first :], DISTANCE_SYMBOLS, DISTANCE_COARSE)
        self.index = 32 + models
        self.groups = self.index + index

    # Numbering

    def _order(self, slots: list[tuple[bool, int]]) -> None:
        """Sorts the slots into the table's order: `order[i]` is the slot of the i-th piece."""
        white = sum(1 for is_white, _ in slots if is_white)
        black = len(slots) - white
        first = white >= black

        def key(slot: int) -> tuple[int, int, int]:
            is_white, animal = slots[slot]
            kind = 0 if jumps(animal) else 2 if swims(animal) else 1
            return (int(is_white != first), kind, slot)

        self.order = sorted(range(len(slots)), key=key)
        self.pieces = [slots[slot] for slot in self.order]
        self.has_both = self.has_both or min(white, black) > 2
        self.stored_white = not self.pieces[-1][0]
        self.squares = [self._squares(animal) for _, animal in self.pieces[:-1]]
        self.squares[0] = [s for s in self.squares[0] if s % 7 <= 3]
        self.runner_squares = self._squares(self.pieces[-1][1])
        self.blocks = _blocks(self.squares[-1])
        self.block_of = {s: i for i, b in enumerate(self.blocks) for arm in b.arms for s in arm}
        self.planes = 1
        for squares in self.squares[:-1]:
            self.planes *= len(squares)

    @staticmethod
    def _squares(animal: int) -> list[int]:
        return LAND_AND_WATER if swims(animal) else LAND

    def stores(self, white: bool) -> bool:
        return self.has_both or white == self.stored_white

    def value(self, squares: list[int], white: bool) -> Value:
        """The value of a position with a stored side to move, the squares in the order of the slots."""
        squares = [squares[slot] for slot in self.order]
        if squares[0] % 7 > 3:
            squares = [s + 6 - 2 * (s % 7) for s in squares]
        plane = 0
        for digits, square in zip(self.squares[:-1], squares):
            plane = plane * len(digits) + digits.index(square)
        number = plane * len(self.blocks) + self.block_of[squares[-2]]
        if self.has_both and not white:
            number += self.planes * len(self.blocks)
        row = self.decoded(number, squares[:-2], self.block_of[squares[-2]], white)[squares[-2]]
        outcome, half = row.outcomes[squares[-1]], row.halves[squares[-1]]
        if outcome == OUTSIDE:
            raise Damaged(f"{self.name}: nothing is stored for {squares}")
        if outcome == DRAWN or not self.has_distances:
            return Value(outcome, None)
        return Value(outcome, 2 * half - 1 if outcome == WON else 2 * half)

    # Groups and blocks

    def streams(self, number: int) -> tuple[list[bytes], list[bytes]]:
        """The two streams of outcomes of a block, and the two of distances."""
        word = unpack_from("<Q", self.bytes(self.index + number // GROUP * 8, 8))[0]
        start = self.groups + (word & (1 << 56) - 1)
        widths = (word >> 56 & 15, word >> 60)
        words = unpack_from(f"<{sum(widths)}Q", self.bytes(start, 8 * sum(widths)))
        start += 8 * sum(widths)
        found = []
        for planes in (words[: widths[0]], words[widths[0] :]):
            lengths = [sum((w >> i & 1) << j for j, w in enumerate(planes)) for i in range(2 * GROUP)]
            at = 2 * (number % GROUP)
            begin = start + sum(lengths[:at])
            middle = begin + lengths[at]
            found.append([self.bytes(begin, lengths[at]), self.bytes(middle, lengths[at + 1])])
            start += sum(lengths)
        return found[0], found[1]

    def decoded(self, number: int, fixed: list[int], block: int, white: bool) -> dict[int, Row]:
        """The rows of a block by the square of the last fixed piece."""
        key = (number, white)
        rows = self.rows.get(key)
        if rows is None:
            rows = self.decode(number, fixed, self.blocks[block], white)
            self.rows[key] = rows
            if len(self.rows) > 4096:
                self.rows.popitem(last=False)
        return rows

    def decode(self, number: int, fixed: list[int], block: Block, white: bool) -> dict[int, Row]:
        rows: dict[int, Row] = {}
        geometries: dict[int, Geometry] = {}
        if len(set(fixed)) < len(fixed):
            return rows
        beside_den = NEIGHBOURS[DENS[1 if white else 0]]
        won = any(p[0] == white and s in beside_den for p, s in zip(self.pieces, fixed))
        streams = ([b"", b""], [b"", b""]) if won else self.streams(number)
        for arm in (0, 1):
            outcomes, distances = Stream(streams[0][arm]), Stream(streams[1][arm])
            for last in block.arms[arm]:
                if last in fixed:
                    continue
                here = self.geometry([*fixed, last])
                geometries[last] = here
                if won or (self.pieces[-2][0] == white and last in beside_den):
                    rows[last] = Row([WON if s else OUTSIDE for s in here.open], [1] * 64)
                    continue
                leans = [s for s in block.leans[last] if s in rows][:2]
                first = rows[leans[0]] if leans else None
                second = rows[leans[1]] if len(leans) > 1 else None
                then = geometries[leans[0]].last_attacked if leans else False
                row = self.outcomes(outcomes, here, first, second, then)
                rows[last] = row
                if self.has_distances:
                    changed = bool(leans) and then != here.last_attacked
                    self.distances(distances, here, row, first, second, changed)
        return rows

    # Rows

    def geometry(self, fixed: list[int]) -> Geometry:
        pieces = [Piece(white, animal, s) for (white, animal), s in zip(self.pieces, fixed)]
        return Geometry(self.rules, pieces, self.pieces[-1], self.runner_squares)

    def outcomes(
        self, stream: Stream, here: Geometry, first: Optional[Row], second: Optional[Row], then: bool
    ) -> Row:
        """Reads the outcomes of a row. `then` is `last_attacked` in the first row it leans on."""
        change = 2 * here.last_attacked + then
        if first is None:
            return Row(self.outcomes_alone(stream, here, change), [0] * 64)
        other = second.outcomes if second is not None else [OUTSIDE] * 64
        guess = predict(here, first.outcomes, other)
        edges, doubtful, risky = [0] * 64, [False] * 64, [False] * 64
        for s in here.squares:
            edges[s] = sum(1 for n in NEIGHBOURS[s] if here.open[n] and guess[n] != guess[s])
            differs = other[s] != OUTSIDE and other[s] != guess[s]
            doubtful[s] = differs or (edges[s] > 0 and here.contact(s))
            risky[s] = doubtful[s] or edges[s] > 0
        row = list(guess)
        fine = change * 2 + (second is not None)
        fine = fine * 6 + min(5, (sum(risky) + 7) // 8)
        fine = fine * 5 + min(4, (sum(doubtful) + 2) // 3)
        model = self.outcome_model
        if model.read(stream, fine, change) == 0:
            return Row(row, [0] * 64)
        kind = 1 if second is None else 2
        before = 0
        for rank in here.ranks:
            risks = sum(risky[s] for s in rank)
            doubts = min(3, sum(doubtful[s] for s in rank))
            fine = 240 + ((kind * 8 + risks) * 4 + doubts) * 4 + before
            flag = model.read(stream, fine, 4 + kind * 4 + before)
            before = 2 * (before & 1) + (flag > 0)
            read = [] if flag == 0 else [s for s in rank if flag == 2 or risky[s]]
            failed = False
            for s in read:
                due = 2 if failed else int(s != read[-1])
                c = ((guess[s] * 4 + due) * 4 + around(row, LEFT[s])) * 4 + around(row, BELOW[s])
                fine = (change * 4 + other[s]) * 4 + min(3, edges[s])
                fine = 8816 + (fine * 2 + here.contact(s)) * 256 + c
                symbol = model.read(stream, fine, 272 + c)
                row[s] = (guess[s] + symbol) % 3
                failed = failed or symbol > 0
        return Row(row, [0] * 64)

    def outcomes_alone(self, stream: Stream, here: Geometry, change: int) -> list[int]:
        """A row that leans on no other."""
        row = [OUTSIDE] * 64
        before = 0
        for rank in here.ranks:
            guess = [self.below_on_file(row, s) for s in rank]
            contacts = sum(here.contact(s) for s in rank)
            fine = 240 + (contacts * 4 + min(3, len(set(guess)))) * 4 + before
            flag = self.outcome_model.read(stream, fine, 4 + before)
            before = 2 * (before & 1) + flag
            failed = False
            for s, predicted in zip(rank, guess):
                if flag == 0:
                    row[s] = predicted
                    continue
                due = 2 if failed else int(s != rank[-1])
                c = ((predicted * 4 + due) * 4 + around(row, LEFT[s])) * 4 + around(row, BELOW[s])
                fine = around(row, LOWER_LEFT[s]) * 4 + around(row, LOWER_RIGHT[s])
                fine = 624 + (fine * 2 + here.contact(s)) * 256 + c
                symbol = self.outcome_model.read(stream, fine, 16 + c)
                row[s] = (predicted + symbol) % 3
                failed = failed or symbol > 0
        return row

    @staticmethod
    def below_on_file(row: list[int], square: int) -> int:
        for s in range(square - 7, -1, -7):
            if row[s] != OUTSIDE:
                return row[s]
        return WON

    def distances(
        self,
        stream: Stream,
        here: Geometry,
        row: Row,
        first: Optional[Row],
        second: Optional[Row],
        changed: bool,
    ) -> None:
        """Reads the half-distances of a row whose outcomes are known."""
        outcomes, halves = row.outcomes, row.halves
        for s in here.squares:
            outcome = outcomes[s]
            if outcome == DRAWN:
                continue

            def counts(other: Optional[Row], n: int) -> bool:
                return other is not None and other.outcomes[n] == outcome

            left, below = LEFT[s], BELOW[s]
            in_first, in_second = counts(first, s), counts(second, s)
            if first is not None and in_first:
                guess = first.halves[s]
            elif second is not None and in_second:
                guess = second.halves[s]
            elif outcomes[left] == outcome:
                guess = halves[left]
            elif outcomes[below] == outcome:
                guess = halves[below]
            else:
                guess = 3 if outcome == WON else 2

            def trend(n: int) -> int:
                if outcomes[n] != outcome:
                    return 7
                if first is not None and in_first and first.outcomes[n] == outcome:
                    return 3 + clamp(halves[n] - first.halves[n])
                return 11 + clamp(halves[n] - guess)

            coarse = 16 * (outcome == LOST) + trend(left)
            o = 3 + clamp(second.halves[s] - guess) if second is not None and in_second else 7
            contacts = 2 * here.attacked[s] + here.attacking[s]
            fine = (((coarse * 16 + trend(below)) * 8 + o) * 4 + contacts) * 2 + changed
            symbol = self.distance_model.read(stream, fine, coarse)
            if symbol == 15:
                halves[s] = stream.byte() + 256 * stream.byte()
            else:
                halves[s] = guess + (symbol // 2 if symbol % 2 == 0 else -(symbol + 1) // 2)


class Geometry:
    """What is known of a row beforehand: where the runner can stand, and who could take whom."""

    def __init__(
        self, rules: Rules, fixed: list[Piece], runner: tuple[bool, int], squares: list[int]
    ) -> None:
        white, animal = runner
        self.open = [False] * 64
        taken = {piece.square for piece in fixed}
        self.squares = [s for s in squares if s not in taken]
        for s in self.squares:
            self.open[s] = True
        self.ranks = [r for r in ([s for s in self.squares if s // 7 == i] for i in range(9)) if r]
        self.attacked, self.attacking = [False] * 64, [False] * 64
        for piece in fixed:
            if piece.white != white:
                for s in threatened(rules, piece, animal):
                    self.attacked[s] = True
                for s in threatening(rules, piece, animal):
                    self.attacking[s] = True
        last = fixed[-1]
        self.last_attacked = any(
            piece.white != last.white and last.square in threatened(rules, piece, last.animal)
            for piece in fixed[:-1]
        )

    def contact(self, square: int) -> bool:
        return self.attacked[square] or self.attacking[square]


@lru_cache(maxsize=None)
def threatened(rules: Rules, piece: Piece, animal: int) -> frozenset[int]:
    """Where a piece could take an enemy of this kind, rats in the way or not."""
    places = (to for to, _ in reached(piece.animal, piece.square))
    return frozenset(s for s in places if takes_there(rules, piece, Piece(not piece.white, animal, s)))


@lru_cache(maxsize=None)
def threatening(rules: Rules, piece: Piece, animal: int) -> frozenset[int]:
    """From where an enemy of this kind could take a piece."""
    enemies = (Piece(not piece.white, animal, s) for s in range(SQUARES))
    return frozenset(e.square for e in enemies if piece.square in threatened(rules, e, piece.animal))


def around(row: list[int], square: int) -> int:
    return row[square] if square != NOWHERE else OUTSIDE


def clamp(difference: int) -> int:
    return max(-3, min(3, difference))


def predict(here: Geometry, first: list[int], second: list[int]) -> list[int]:
    guess = [OUTSIDE] * 64
    for s in here.squares:
        guess[s] = first[s] if first[s] != OUTSIDE else second[s]
    for s in here.squares:
        if guess[s] == OUTSIDE:
            near = [guess[n] for n in NEIGHBOURS[s]]
            guess[s] = max((WON, DRAWN, LOST), key=lambda outcome: (near.count(outcome), -outcome))
    return guess
