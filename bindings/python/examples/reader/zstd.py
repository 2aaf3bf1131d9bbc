"""Decompressing zstd in plain Python, after RFC 8878. No dictionaries; the frame's own checksum is not looked
at, since tables have better ones."""

from __future__ import annotations

from typing import NamedTuple, Optional

MAGIC = 0xFD2FB528

LITERALS_DEFAULT = [4, 3] + [2] * 11 + [1] * 3 + [2] * 9 + [3, 2] + [1] * 5 + [-1] * 4
MATCHES_DEFAULT = [1, 4, 3] + [2] * 6 + [1] * 37 + [-1] * 7
OFFSETS_DEFAULT = [1] * 6 + [2] * 3 + [1] * 15 + [-1] * 5

LITERAL_BITS = [0] * 16 + [1] * 4 + [2] * 2 + [3] * 2 + [4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
MATCH_BITS = [0] * 32 + [1] * 4 + [2] * 2 + [3] * 2 + [4] * 2 + [5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]


def _bases(bits: list[int], first: int) -> list[int]:
    bases = [first]
    for n in bits[:-1]:
        bases.append(bases[-1] + (1 << n))
    return bases


LITERAL_BASES = _bases(LITERAL_BITS, 0)
MATCH_BASES = _bases(MATCH_BITS, 3)


class Damaged(ValueError):
    """What was to be decompressed is not zstd."""


class Backwards:
    """A stream of bits that is read from its end."""

    def __init__(self, data: bytes) -> None:
        self.bits = int.from_bytes(data, "little")
        self.left = self.bits.bit_length() - 1
        if self.left < 0 or not data[-1]:
            raise Damaged("a stream of bits has no end")

    def peek(self, n: int) -> int:
        at = self.left - n
        value = self.bits >> at if at >= 0 else self.bits << -at
        return value & (1 << n) - 1

    def read(self, n: int) -> int:
        value = self.peek(n)
        self.left -= n
        return value


class Fse(NamedTuple):
    """A decoding table of finite state entropy coding: for each state the symbol, the bits to read, and what
    they are added to."""

    log: int
    symbols: list[int]
    bits: list[int]
    bases: list[int]

    def next(self, state: int, stream: Backwards) -> int:
        return self.bases[state] + stream.read(self.bits[state])


def _fse(frequencies: list[int], log: int) -> Fse:
    size = 1 << log
    symbols = [0] * size
    high = size
    for symbol, frequency in enumerate(frequencies):
        if frequency == -1:
            high -= 1
            symbols[high] = symbol
    at, step = 0, (size >> 1) + (size >> 3) + 3
    for symbol, frequency in enumerate(frequencies):
        for _ in range(frequency):
            symbols[at] = symbol
            at = (at + step) & size - 1
            while at >= high:
                at = (at + step) & size - 1
    follows = [abs(frequency) for frequency in frequencies]
    bits, bases = [], []
    for symbol in symbols:
        state = follows[symbol]
        follows[symbol] += 1
        bits.append(log - state.bit_length() + 1)
        bases.append((state << bits[-1]) - size)
    return Fse(log, symbols, bits, bases)


def _one(symbol: int) -> Fse:
    return Fse(0, [symbol], [0], [0])


def _read_fse(data: bytes, at: int) -> tuple[Fse, int]:
    """A description of a table, and where it ends."""
    stream = int.from_bytes(data[at : at + 512], "little")
    log, used = (stream & 15) + 5, 4
    left = 1 << log
    frequencies: list[int] = []
    while left > 0:
        n = (left + 1).bit_length()
        value = stream >> used & (1 << n) - 1
        half, spare = (1 << n - 1) - 1, (1 << n) - 2 - left
        if value & half < spare:
            value &= half
            used += n - 1
        else:
            value -= spare if value > half else 0
            used += n
        frequencies.append(value - 1)
        left -= abs(value - 1)
        more = 3 if value == 1 else 0
        while more == 3:
            more = stream >> used & 3
            used += 2
            frequencies += [0] * more
    return _fse(frequencies, log), at + (used + 7) // 8


class Huffman(NamedTuple):
    """A decoding table of Huffman coding: for each string of `log` bits the symbol and how many of them it
    takes."""

    log: int
    symbols: list[int]
    bits: list[int]

    def read(self, data: bytes, count: int) -> bytearray:
        stream, out = Backwards(data), bytearray()
        for _ in range(count):
            word = stream.peek(self.log)
            out.append(self.symbols[word])
            stream.left -= self.bits[word]
        if stream.left != 0:
            raise Damaged("literals do not end where they should")
        return out


def _read_huffman(data: bytes, at: int) -> tuple[Huffman, int]:
    head = data[at]
    at += 1
    if head >= 128:
        count = head - 127
        end = at + (count + 1) // 2
        weights = [w for byte in data[at:end] for w in (byte >> 4, byte & 15)][:count]
    else:
        end = at + head
        table, at = _read_fse(data[:end], at)
        weights = _weights(table, Backwards(data[at:end]))
    total = sum(1 << w - 1 for w in weights if w)
    log = total.bit_length()
    weights.append(((1 << log) - total).bit_length())
    symbols: list[int] = []
    bits: list[int] = []
    for weight in range(1, log + 1):
        for symbol, w in enumerate(weights):
            if w == weight:
                symbols += [symbol] * (1 << w - 1)
                bits += [log + 1 - w] * (1 << w - 1)
    return Huffman(log, symbols, bits), end


def _weights(table: Fse, stream: Backwards) -> list[int]:
    """Weights are coded by two states in turn; the one that is left when bits run out has one more."""
    states = [stream.read(table.log), stream.read(table.log)]
    weights = []
    while True:
        weights.append(table.symbols[states[0]])
        states[0] = table.next(states[0], stream)
        if stream.left < 0:
            return [*weights, table.symbols[states[1]]]
        states.reverse()


class Frame:
    """What blocks of a frame hand on to the next."""

    def __init__(self) -> None:
        self.out = bytearray()
        self.huffman: Optional[Huffman] = None
        self.tables: list[Optional[Fse]] = [None, None, None]
        self.offsets = [1, 4, 8]

    def block(self, data: bytes) -> None:
        literals, at = self.literals(data)
        count = data[at]
        at += 1
        if count == 0:
            self.out += literals
            return
        if count == 255:
            count = data[at] + (data[at + 1] << 8) + 0x7F00
            at += 2
        elif count >= 128:
            count = (count - 128 << 8) + data[at]
            at += 1
        modes = data[at]
        at += 1
        defaults = ((LITERALS_DEFAULT, 6), (OFFSETS_DEFAULT, 5), (MATCHES_DEFAULT, 6))
        for i, (frequencies, log) in enumerate(defaults):
            mode = modes >> 6 - 2 * i & 3
            if mode == 0:
                self.tables[i] = _fse(frequencies, log)
            elif mode == 1:
                self.tables[i] = _one(data[at])
                at += 1
            elif mode == 2:
                self.tables[i], at = _read_fse(data, at)
        self.sequences(literals, count, Backwards(data[at:]))

    def literals(self, data: bytes) -> tuple[bytes, int]:
        """The literals of a block, and where they end."""
        kind, form = data[0] & 3, data[0] >> 2 & 3
        if kind < 2:
            length, shift = ((1, 3), (2, 4), (1, 3), (3, 4))[form]
            size = int.from_bytes(data[:length], "little") >> shift
            if kind == 0:
                return data[length : length + size], length + size
            return data[length : length + 1] * size, length + 1
        length, width = ((3, 10), (3, 10), (4, 14), (5, 18))[form]
        head = int.from_bytes(data[:length], "little") >> 4
        size, packed = head & (1 << width) - 1, head >> width
        at, end = length, length + packed
        if kind == 2:
            self.huffman, at = _read_huffman(data, at)
        if self.huffman is None:
            raise Damaged("literals without a table")
        if form == 0:
            return bytes(self.huffman.read(data[at:end], size)), end
        ends = [at + 6]
        for i in range(3):
            ends.append(ends[-1] + int.from_bytes(data[at + 2 * i : at + 2 * i + 2], "little"))
        ends.append(end)
        each = (size + 3) // 4
        out = bytearray()
        for i in range(4):
            count = each if i < 3 else size - 3 * each
            out += self.huffman.read(data[ends[i] : ends[i + 1]], count)
        return bytes(out), end

    def sequences(self, literals: bytes, count: int, stream: Backwards) -> None:
        tables = [table for table in self.tables if table is not None]
        if len(tables) < 3:
            raise Damaged("sequences without a table")
        states = [stream.read(table.log) for table in tables]
        used = 0
        for i in range(count):
            run, offset, match = (table.symbols[s] for table, s in zip(tables, states))
            offset = (1 << offset) + stream.read(offset)
            match = MATCH_BASES[match] + stream.read(MATCH_BITS[match])
            run = LITERAL_BASES[run] + stream.read(LITERAL_BITS[run])
            self.out += literals[used : used + run]
            used += run
            self.copy(self.distance(offset, run), match)
            if i + 1 < count:
                for j in (0, 2, 1):
                    states[j] = tables[j].next(states[j], stream)
        self.out += literals[used:]

    def distance(self, offset: int, run: int) -> int:
        """How far back a match lies; small numbers mean one of the last three distances."""
        recent = self.offsets
        if offset > 3:
            distance = offset - 3
            self.offsets = [distance, recent[0], recent[1]]
            return distance
        which = offset - 1 + (run == 0)
        if which == 0:
            return recent[0]
        distance = recent[0] - 1 if which == 3 else recent[which]
        self.offsets = [distance, recent[0], recent[2] if which == 1 else recent[1]]
        return distance

    def copy(self, distance: int, length: int) -> None:
        start = len(self.out) - distance
        if distance <= 0 or start < 0:
            raise Damaged("a match before the beginning")
        while length > 0:
            piece = self.out[start : start + length]
            self.out += piece
            length -= len(piece)


def decompress(data: bytes) -> bytes:
    """The contents of one frame."""
    if int.from_bytes(data[:4], "little") != MAGIC:
        raise Damaged("not a frame of zstd")
    descriptor = data[4]
    single, dictionary = descriptor >> 5 & 1, descriptor & 3
    size = (1 if single else 0, 2, 4, 8)[descriptor >> 6]
    at = 5 + (not single) + (0, 1, 2, 4)[dictionary] + size
    frame, last = Frame(), False
    while not last:
        head = int.from_bytes(data[at : at + 3], "little")
        last, kind, size = bool(head & 1), head >> 1 & 3, head >> 3
        at += 3
        if kind == 0:
            frame.out += data[at : at + size]
        elif kind == 1:
            frame.out += data[at : at + 1] * size
            size = 1
        elif kind == 2:
            frame.block(data[at : at + size])
        else:
            raise Damaged("a reserved kind of block")
        at += size
        if at > len(data):
            raise Damaged("it ends too soon")
    return bytes(frame.out)
