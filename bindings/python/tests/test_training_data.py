"""The Python of docs/training-data.md reads what the library reads."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
DATA = ROOT / "crates/training/tests/data"
LETTERS = "RCWDPTLE"


def snippet():
    text = (ROOT / "docs/training-data.md").read_text()
    names = {}
    exec(text.split("```python\n")[1].split("```")[0], names)  # noqa: S102
    return names


def board(sides):
    squares = {}
    for letters, side in ((LETTERS, sides[0]), (LETTERS.lower(), sides[1])):
        squares.update({square: letter for letter, square in zip(letters, side) if square != 255})
    ranks = []
    for rank in range(8, -1, -1):
        row, empty = "", 0
        for square in range(7 * rank, 7 * rank + 7):
            if square in squares:
                row += (str(empty) if empty else "") + squares[square]
                empty = 0
            else:
                empty += 1
        ranks.append(row + (str(empty) if empty else ""))
    return "/".join(ranks)


def test_positions_are_those_of_the_library():
    names = snippet()
    lines = []
    for body in names["games"](DATA / "sample.mtg"):
        number = int.from_bytes(body[:8], "little")
        for sides, turn, score, quiet, result in names["positions"](body):
            white = result if turn == 0 else 1 - result
            lines.append(
                f"{number} {board(sides)} {'wb'[turn]} {score} {'quiet' if quiet else '-'} {white:g}"
            )
    expected = (DATA / "sample.txt").read_text().splitlines()
    assert sorted(lines) == sorted(expected)
    assert len(lines) > 50
