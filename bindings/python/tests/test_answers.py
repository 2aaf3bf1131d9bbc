"""The documents that every front end gives are given here too."""

import json
import math
from pathlib import Path

import pytest

import mousetrap
from mousetrap import Engine, Position, Rules

DOCUMENTS = Path(__file__).parents[3] / "crates/answers/tests/documents"
LOST = "7/7/3e3/7/7/7/3E3/7/7 w"
WON = "t6/7/T6/7/7/7/7/7/7 w"
DRAWN = "d6/7/7/7/7/7/5C1/7/7 w"
DECIDED = "3C3/7/7/7/7/7/7/7/6r b"
STALEMATE = "7/7/7/7/7/7/7/e6/Cl5 w"
TACTIC = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w"
FIGURE_13 = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w"


def redacted(value):
    """Without what depends on the machine, and as JSON has it: infinity is null there, and a number that
    was printed and read again may differ in its last digit."""
    if isinstance(value, dict):
        hidden = {"time", "nps", "hashfull"}
        return {key: 0 if key in hidden else redacted(item) for key, item in value.items()}
    if isinstance(value, float):
        return round(value, 12) if math.isfinite(value) else None
    return [redacted(item) for item in value] if isinstance(value, list) else value


def hold(name, answer):
    path = DOCUMENTS / f"{name}.snap"
    if not path.exists():
        pytest.skip("not in a checkout")
    # A header between two lines of dashes, then the document.
    document = path.read_text().split("---\n", 2)[2]
    assert redacted(answer) == redacted(json.loads(document))


def test_moves_and_rules():
    hold("moves-start", Position(rules="leiden").data())
    hold("moves-decided", Position(DECIDED).data())
    hold("moves-stalemate", Position(STALEMATE, rules="leiden").data())
    hold("rules", Rules.book())


@pytest.mark.parametrize(
    ("name", "fen"), [("lost", LOST), ("drawn", DRAWN), ("decided", DECIDED), ("stalemate", STALEMATE)]
)
def test_probes(leiden, name, fen):
    hold(f"probe-{name}", leiden.data(Position(fen, rules="leiden")))


@pytest.mark.parametrize(
    ("name", "fen"), [("won", WON), ("drawn", DRAWN), ("decided", DECIDED), ("stalemate", STALEMATE)]
)
def test_lines(leiden, name, fen):
    hold(f"line-{name}", leiden.line(Position(fen, rules="leiden")))


def test_analyses(leiden):
    def analysis(fen, depth):
        engine = Engine(hash=4, tables=leiden)
        return engine.analyse(Position(fen, rules="leiden"), depth=depth, lines=2).data()

    hold("analysis", analysis(TACTIC, 6))
    hold("analysis-decided", analysis(DECIDED, 1))
    hold("analysis-stalemate", analysis(STALEMATE, 1))


def test_splits_and_cones():
    position = Position(FIGURE_13, rules="tufts")
    hold("split", position.split())
    hold("split-searched", position.split(depth=4))
    cone = Position("7/7/7/7/7/7/7/7/t5R w").cone("a1")
    # Heights are arrays here, with -1 for never, and there is a picture.
    for name in ("moves", "a", "b"):
        heights = cone[name]
        squares = ((file, rank) for file in range(7) for rank in range(9))
        cone[name] = {
            f"{'abcdefg'[file]}{rank + 1}": None if heights[rank, file] < 0 else int(heights[rank, file])
            for file, rank in squares
        }
    assert cone.pop("svg").startswith("<svg")
    hold("cone", cone)


def test_a_match():
    result = mousetrap.match("greedy", "random", games=4, nodes=100, seed=1, rules="leiden")
    hold("match", result.summary)
