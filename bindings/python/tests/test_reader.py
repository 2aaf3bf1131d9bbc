"""The reader in `examples/reader`, which shares no code with the package, asked what the package is asked."""

import shutil
import subprocess
import sys

import pytest
from conftest import EXAMPLES, FOLDER
from test_tables import random_positions

READER = EXAMPLES / "reader"


def read(folder, fens):
    command = [sys.executable, READER / "probe.py", folder, "--stdin"]
    lines = "".join(fen + "\n" for fen in fens)
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("rules", ["leiden", "standard"])
@pytest.mark.parametrize("pieces", [2, 3])
def test_the_reader_agrees(rules, pieces, leiden, standard):
    tables = {"leiden": leiden, "standard": standard}[rules]
    positions = [p for p in random_positions(500, pieces, rules) if p.outcome() is None]
    answers = read(f"{FOLDER}/{rules}", [position.fen for position in positions])
    assert answers.returncode == 0, answers.stderr
    lines = answers.stdout.splitlines()
    assert len(lines) == len(positions) > 300
    for position, line in zip(positions, lines):
        truth = tables.probe(position)
        plies = "" if truth.plies is None else f" {truth.plies}"
        assert line == truth.outcome + plies, position.fen


def test_the_reader_refuses_damaged_tables(leiden, tmp_path):
    folder = tmp_path / "leiden"
    shutil.copytree(f"{FOLDER}/leiden", folder)
    fen = "7/7/7/3e3/7/7/3T3/7/7 w"
    assert read(folder, [fen]).stdout == "draw\n"
    path = folder / "E-T.mtb"
    good = path.read_bytes()
    for at in (100, len(good) // 2, len(good) - 1):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert "damaged" in read(folder, [fen]).stderr
