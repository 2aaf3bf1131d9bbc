"""How fast positions are looked up, one by one and in batches, and whether memory stays flat.

    python -m mousetrap.bench [--dir DIR] [--rules RULES] [--probes N] [CLASS ...]

Everything is measured in one run on the same positions: random ones of each class, either side to move. A
Python loop over `probe` and a Rust loop over single probes (what `mousetrap tb bench` measures, one thread) take
a part of them; `probe_class` and `probe_boards` take all. The ratios are of processor time, which a busy machine
does not change.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Callable

import numpy as np

import mousetrap

SINGLE = 10_000
# So often, so that making them into positions does not count.
ROUNDS = 10
WET = [7 * rank + file for rank in (3, 4, 5) for file in (1, 2, 4, 5)]
DENS = [3, 59]


def resident() -> float | None:
    """The memory of this process in MiB, where the system tells."""
    try:
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def random_squares(rng: np.random.Generator, name: str, count: int) -> np.ndarray[Any, Any]:
    """Random positions of a class in which the game goes on."""
    letters = name.replace("-", "")
    land = np.array([at for at in range(63) if at not in DENS and at not in WET], dtype=np.uint8)
    all_squares = np.array([at for at in range(63) if at not in DENS], dtype=np.uint8)
    kept = np.empty((0, len(letters)), dtype=np.uint8)
    while len(kept) < count:
        squares = np.column_stack(
            [rng.choice(all_squares if letter == "R" else land, count + 1000) for letter in letters]
        )
        ordered = np.sort(squares, axis=1)
        kept = np.concatenate([kept, squares[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]])
    return kept[:count]


def boards_of(name: str, squares: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same positions as whole boards."""
    white, _, black = name.partition("-")
    boards = np.zeros((len(squares), 63), dtype=np.int8)
    numbers = [1 + "RCWDPTLE".index(letter) for letter in white]
    numbers += [-1 - "RCWDPTLE".index(letter) for letter in black]
    for column, number in zip(squares.T, numbers):
        boards[np.arange(len(squares)), column] = number
    return boards


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Time on the clock, and time of all processors together."""
    clock, processors = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processors


def speeds(tables: mousetrap.Tablebase, name: str, probes: int) -> None:
    """Prints what one class comes to."""
    rng = np.random.default_rng(1)
    squares = random_squares(rng, name, probes)
    turns = rng.integers(0, 2, probes)
    boards = boards_of(name, squares)
    few = [
        mousetrap.Position.from_board(board, "black" if turn else "white", tables.rules)
        for board, turn in zip(boards[:SINGLE], turns)
    ]
    # Warm, so that checksums and the disk are not measured.
    tables._probe_one_by_one(name, squares[:SINGLE], turns[:SINGLE])
    works: list[tuple[str, int, Callable[[], object]]] = [
        (
            "probe, a loop in Python",
            SINGLE * ROUNDS,
            lambda: [tables.probe(position) for _ in range(ROUNDS) for position in few],
        ),
        (
            "probe, a loop in Rust, one thread",
            SINGLE * ROUNDS,
            lambda: tables._probe_one_by_one(name, squares[:SINGLE], turns[:SINGLE], ROUNDS),
        ),
        ("probe_class, the class decoded first", probes, lambda: tables.probe_class(name, squares, turns)),
        ("probe_class, decoded already", probes, lambda: tables.probe_class(name, squares, turns)),
        ("probe_boards, decoded already", probes, lambda: tables.probe_boards(boards, turns)),
    ]
    print(f"{name}, {probes} random positions, either side to move")
    print(f"  {'':<38}{'M/s':>9}{'M/CPU s':>10}{'x Python':>10}{'x Rust':>10}")
    measured: list[tuple[float, float]] = []
    for what, count, work in works:
        clock, processors = seconds(work)
        measured.append((clock / count, processors / count))
        speed = "".join(f"{1e-6 / max(cost, 1e-12):>{width}.3f}" for cost, width in zip(measured[-1], (9, 10)))
        times = "".join(
            f"{before[1] / max(measured[-1][1], 1e-12):>10.1f}" for before in measured[:2]
        )
        print(f"  {what:<38}{speed}{times}")


def memory(tables: mousetrap.Tablebase, pieces: int, probes: int) -> None:
    """Prints the memory on the way through many batches over many classes."""
    rng = np.random.default_rng(2)
    names = tables.classes(pieces)
    size = 100_000
    done = 0
    print(f"\nmemory, batches of {size} positions of a random class of {pieces} pieces")
    marks = [0] + [probes // 10 * at for at in range(1, 11)]
    while True:
        while marks and done >= marks[0]:
            marks.pop(0)
            used = resident()
            shown = "unknown" if used is None else f"{used:.0f} MiB"
            print(f"  after {done:>10} probes: {shown}")
        if done >= probes:
            break
        name = names[int(rng.integers(len(names)))]
        tables.probe_class(name, random_squares(rng, name, size), rng.integers(0, 2, size))
        done += size


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m mousetrap.bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("classes", nargs="*", default=["LC-T"], metavar="CLASS")
    parser.add_argument("--dir", help="the folder of tables")
    parser.add_argument("--rules", default="leiden")
    parser.add_argument("--probes", type=int, default=1_000_000, help="positions for each class")
    parser.add_argument("--memory", type=int, default=10_000_000, help="positions for the memory")
    args = parser.parse_args()
    tables = mousetrap.Tablebase.open(args.dir, args.rules)
    for name in args.classes:
        speeds(tables, name, args.probes)
    memory(tables, 3, args.memory)


if __name__ == "__main__":
    main()
