"""The scripts in `examples/`, run as a user would."""

import os
import subprocess
import sys

import pytest
from conftest import EXAMPLES, FOLDER


def run(name, *args):
    command = [sys.executable, EXAMPLES / name, *args]
    environment = {**os.environ, "MOUSETRAP_TABLES": FOLDER}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_play_and_analyse(tmp_path):
    import mousetrap

    out = run("play_and_analyse.py", tmp_path)
    assert "best" in out and str(tmp_path) in out
    game = mousetrap.Game.from_pgn((tmp_path / "game.pgn").read_text())
    assert len(game) > 10 and game.tags["White"] == "Mousetrap"
    for name in ("end.svg", "best.svg", "parts.svg"):
        assert (tmp_path / name).read_text().startswith("<svg")


def test_mine_with_scikit_learn(leiden):
    pytest.importorskip("sklearn")
    out = run("mine_with_scikit_learn.py", "LC-T")
    assert "without limits" in out and "inseparable" in out


def test_query_with_duckdb(leiden, tmp_path):
    pytest.importorskip("duckdb")
    out = run("query_with_duckdb.py", "LC-T", tmp_path)
    row = next(row for row in leiden.stats(3, per_class=True) if row["class"] == "LC-T")
    wins = next(line for line in out.splitlines() if f"  1 {row['wins']:>8} positions" in line)
    longest = wins.split()[-1]
    first = out.splitlines()[-3]
    assert first.endswith(f"win in {longest}")
