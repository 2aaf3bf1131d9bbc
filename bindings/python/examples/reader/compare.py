"""Asks this reader and Mousetrap the same questions, and says where they differ.

    python compare.py FOLDER --pieces 4 --positions 1000000

Positions are random: pieces, squares, side to move. FOLDER is that of one set of rules, as in tables/leiden;
the program is asked through `tb probe --stdin`.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import time
from collections import Counter
from functools import lru_cache
from multiprocessing import Pool
from pathlib import Path

from probe import Tables, text
from rules import DENS, LETTERS, RAT, SQUARES, WATER, Position

#: How many positions are asked about at a time.
BATCH = 20_000


def random_fen(rng: random.Random, pieces: int) -> str:
    white = rng.randint(max(1, pieces - 8), min(8, pieces - 1))
    animals = [(True, a) for a in rng.sample(range(8), white)]
    animals += [(False, a) for a in rng.sample(range(8), pieces - white)]
    board: dict[int, str] = {}
    for is_white, animal in animals:
        barred = set(DENS) | set(board) | (set() if animal == RAT else WATER)
        square = rng.choice([s for s in range(SQUARES) if s not in barred])
        board[square] = LETTERS[animal] if is_white else LETTERS[animal].lower()
    ranks = ("".join(board.get(7 * rank + file, "1") for file in range(7)) for rank in range(8, -1, -1))
    return f"{'/'.join(ranks)} {rng.choice('wb')}"


def mousetrap_says(program: str, folder: Path, fens: list[str]) -> list[str]:
    """What the program answers, in the words of `probe.text`."""
    command = [program, "tb", "probe", "--stdin", "--rules", folder.name, "--dir", str(folder.parent)]
    asked = "\n".join(fens) + "\n"
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    answers = []
    for line in done.stdout.splitlines():
        said = line.split(": ", 1)[1]
        plies = re.search(r" in (\d+) pl", said)
        words = "draw" if "draw" in said else "win" if " wins" in said else "loss"
        answers.append(f"{words} {plies[1]}" if plies else "loss 0" if words == "loss" else words)
    return answers


@lru_cache(maxsize=None)
def tables_of(folder: Path) -> Tables:
    """Open tables keep what they have decoded, for the next batch too."""
    return Tables(folder)


def batch(job: tuple[str, Path, int, int, int]) -> tuple[Counter[str], list[str]]:
    program, folder, pieces, count, seed = job
    rng = random.Random(seed)
    fens = sorted(random_fen(rng, pieces) for _ in range(count))
    tables, outcomes, differences = tables_of(folder), Counter[str](), []
    for fen, said in zip(fens, mousetrap_says(program, folder, fens)):
        read = text(tables.probe(Position.parse(fen)))
        outcomes[read.split()[0]] += 1
        if read != said:
            differences.append(f"{fen}: read {read}, Mousetrap says {said}")
    return outcomes, differences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pieces", type=int, default=3)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--mousetrap", default="mousetrap", help="the program")
    given = parser.parse_args()
    sizes = [min(BATCH, given.positions - at) for at in range(0, given.positions, BATCH)]
    jobs = [
        (given.mousetrap, given.folder, given.pieces, size, given.seed * 1_000_003 + number)
        for number, size in enumerate(sizes)
    ]
    outcomes, differences, start = Counter[str](), 0, time.monotonic()
    with Pool(given.processes) as pool:
        for found, lines in pool.imap(batch, jobs):
            outcomes += found
            differences += len(lines)
            for line in lines:
                print(line)
            done, seconds = sum(outcomes.values()), time.monotonic() - start
            left = seconds / done * (given.positions - done)
            print(f"\r{done} of {given.positions}, {left:.0f} s left ", end="", file=sys.stderr)
    print(file=sys.stderr)
    counts = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    print(f"{given.positions} positions of {given.pieces} pieces ({counts}): {differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
