"""BLAKE3 in plain Python, after the specification of its authors (J. O'Connor, J.-P. Aumasson, S. Neves,
Z. Wilcox-O'Hearn, 2020): no keys, 32 bytes of output. About a megabyte a second and a half."""

from __future__ import annotations

import struct

MASK = 0xFFFFFFFF
START = (
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
    0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
)  # fmt: skip
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
#: Which four words of the state a quarter round mixes: columns, then diagonals.
QUARTERS = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip
CHUNK, BLOCK = 1024, 64
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8


def digest(data: bytes) -> bytes:
    """The hash of the data."""
    return struct.pack("<8I", *_subtree(data, 0, ROOT))


def _subtree(data: bytes, number: int, root: int) -> tuple[int, ...]:
    """The chaining value of chunks, of which the first has this number."""
    if len(data) <= CHUNK:
        return _chunk(data, number, root)
    chunks = (len(data) + CHUNK - 1) // CHUNK
    left = 1 << (chunks - 1).bit_length() - 1
    below = _subtree(data[: left * CHUNK], number, 0)
    below += _subtree(data[left * CHUNK :], number + left, 0)
    return _compress(START, below, 0, BLOCK, PARENT | root)


def _chunk(data: bytes, number: int, root: int) -> tuple[int, ...]:
    value: tuple[int, ...] = START
    last = max(0, (len(data) - 1) // BLOCK)
    for i in range(last + 1):
        block = data[i * BLOCK : (i + 1) * BLOCK]
        flags = (CHUNK_START if i == 0 else 0) | (CHUNK_END | root if i == last else 0)
        words = struct.unpack("<16I", block.ljust(BLOCK, b"\0"))
        value = _compress(value, words, number, len(block), flags)
    return value


def _compress(
    value: tuple[int, ...], words: tuple[int, ...], number: int, length: int, flags: int
) -> tuple[int, ...]:
    v = [*value, *START[:4], number & MASK, number >> 32, length, flags]
    m = list(words)
    for turn in range(7):
        for i, (a, b, c, d) in enumerate(QUARTERS):
            va, vb, vc, vd = v[a], v[b], v[c], v[d]
            va = (va + vb + m[2 * i]) & MASK
            vd ^= va
            vd = (vd >> 16 | vd << 16) & MASK
            vc = (vc + vd) & MASK
            vb ^= vc
            vb = (vb >> 12 | vb << 20) & MASK
            va = (va + vb + m[2 * i + 1]) & MASK
            vd ^= va
            vd = (vd >> 8 | vd << 24) & MASK
            vc = (vc + vd) & MASK
            vb ^= vc
            v[a], v[b], v[c], v[d] = va, (vb >> 7 | vb << 25) & MASK, vc, vd
        if turn < 6:
            m = [m[i] for i in PERMUTATION]
    return tuple(v[i] ^ v[i + 8] for i in range(8))
