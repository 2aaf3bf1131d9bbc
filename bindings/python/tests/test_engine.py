import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import mousetrap
from mousetrap import Engine, InputError, Position

WON = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w"


def test_an_analysis():
    analysis = Engine().analyse(Position(WON), depth=10)
    assert analysis.score.win == 5 and analysis.score.cp is None
    assert analysis.best == analysis.lines[0].moves[0]
    assert analysis.outcome is None and analysis.nodes > 0 and analysis.time >= 0
    line = analysis.lines[0]
    assert line.bound == "exact" and line.index == 1 and line.chances["win"] == 1000
    position = Position(WON)
    for move in line.moves:
        position.push(move)
    assert position.outcome().winner == "white"


def test_the_same_nodes_give_the_same_answer():
    def answers():
        analysis = Engine(hash=4).analyse(Position(), nodes=20_000, lines=3)
        return [(line.depth, str(line.score), [str(move) for move in line.moves]) for line in analysis.lines]

    assert answers() == answers()


def test_several_lines_are_ordered():
    lines = Engine().analyse(Position(), depth=4, lines=5).lines
    assert [line.index for line in lines] == [1, 2, 3, 4, 5]
    assert not any(lines[at].score < lines[at + 1].score for at in range(4))
    assert len({str(line.moves[0]) for line in lines}) == 5


def test_moves_can_be_singled_out():
    engine = Engine()
    assert str(engine.analyse(Position(), depth=3, moves=["Ea4"]).best) == "a3a4"
    with pytest.raises(mousetrap.IllegalMoveError):
        engine.analyse(Position(), depth=3, moves=["a1a9"])
    other = Position("7/3C3/7/7/7/7/7/7/6r w").moves()[0]
    with pytest.raises(mousetrap.IllegalMoveError, match="not legal"):
        engine.analyse(Position(), depth=3, moves=[other])


@pytest.mark.parametrize("lines", [1, 3, 50])
def test_depths_grow(lines):
    depths = []
    for analysis in Engine().deepen(Position(), depth=5, lines=lines):
        depths.append(analysis.depth)
        assert len(analysis.lines) == min(lines, 24)
    assert depths == [1, 2, 3, 4, 5]


def test_an_iterator_ends_when_it_is_left():
    engine = Engine()
    for analysis in engine.deepen(Position()):
        if analysis.depth >= 4:
            break
    # The next search is not kept waiting, and one that is cut off ends.
    search = engine.deepen(Position())
    assert next(search).depth == 1
    assert engine.analyse(Position(), depth=2).depth == 2
    assert all(analysis.depth >= 2 for analysis in search)
    assert list(search) == []


def test_a_finished_game():
    position = Position("3C3/7/7/7/7/7/7/7/6r b")
    analysis = Engine().analyse(position, depth=3)
    assert analysis.best is None and analysis.lines == []
    assert analysis.outcome.winner == "white" and analysis.score.loss == 0
    assert [found.best for found in Engine().deepen(position, depth=3)] == [None]
    with pytest.raises(mousetrap.IllegalMoveError, match="the game is over"):
        Engine().play(position, depth=3)


def test_playing():
    engine = Engine(level=0, seed=3)
    position = Position()
    for _ in range(10):
        move = engine.play(position, nodes=500)
        assert move in position.moves()
        position.push(move)
    engine.new_game()


def test_tables_are_used(leiden):
    position = Position("7/7/3e3/7/7/7/3E3/7/7 w", rules="leiden")
    analysis = Engine(tables=leiden).analyse(position, depth=2)
    assert analysis.score.loss == 12 and analysis.lines[0].tbhits > 0


def test_bad_options_and_limits():
    for options in (
        {"level": 21},
        {"threads": 0},
        {"threads": 10_000},
        {"hash": 0},
        {"contempt": 5000},
        {"evaluation": "oracle"},
    ):
        with pytest.raises(InputError):
            Engine(**options)
    engine = Engine()
    for limits in (
        {"depth": 0},
        {"nodes": 0},
        {"time": -1.0},
        {"time": float("nan")},
        {"time": float("inf")},
        {"depth": 2, "lines": 0},
        {"depth": 2, "lines": 10**6},
    ):
        with pytest.raises(InputError):
            engine.analyse(Position(), **limits)
    for wrong in ({"depth": -1}, {"nodes": 2**70}, {"level": -1}):
        with pytest.raises((OverflowError, TypeError)):
            engine.analyse(Position(), **wrong)
    # Deeper than any search goes: one move only, so it is over at once.
    assert engine.analyse(Position("7/3C3/7/7/7/7/7/7/6r w"), depth=10**6).score.win == 1


def test_other_threads_go_on():
    engine = Engine()
    search = threading.Thread(target=engine.analyse, args=(Position(),), kwargs={"time": 1.0})
    search.start()
    steps = 0
    while search.is_alive():
        steps += 1
        time.sleep(0)
    search.join()
    # With the lock held during the search there would be none or one.
    assert steps > 10


def test_threads_take_turns_with_one_engine():
    engine = Engine()
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(engine.analyse(Position(), depth=5).depth))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [5, 5, 5, 5]


INTERRUPTED = """
import signal, sys, mousetrap
# Tests may have been started by something that ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    # And everything still works.
    print(mousetrap.Engine().analyse(mousetrap.Position(), depth=2).depth, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    "work",
    [
        "mousetrap.Engine().analyse(mousetrap.Position(), time=600)",
        "list(mousetrap.Engine().deepen(mousetrap.Position()))",
        "mousetrap.match('champion', 'champion', time=60)",
        "mousetrap.Tablebase.build(5, dir=sys.argv[1])",
    ],
)
def test_ctrl_c_ends_it(work, tmp_path):
    command = [sys.executable, "-c", INTERRUPTED.format(work=work), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=120)
    assert out.splitlines() == ["interrupted", "2"]
    assert child.returncode == 0
