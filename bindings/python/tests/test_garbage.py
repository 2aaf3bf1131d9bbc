"""Whatever is thrown at it, nothing panics: exceptions are Python's or ours."""

import random

import numpy as np
import pytest

import mousetrap
from mousetrap import Engine, Game, Move, Position, Rules

VALUES = [
    None, True, -1, 0, 1, 63, 2**31, 2**63, 2**64, -(2**70), 0.5, float("nan"), float("inf"),
    "", "a1", "z9", "\0", "é", "🐘", "E" * 10_000, "\ud800", b"bytes", [], [[]], [1, 2], {}, {"a1": "E"}, {1: 2},
    (), object(), np.zeros(0), np.zeros((2, 63), np.int8), np.full((1, 63), -128, np.int8),
    np.zeros((9, 7), complex), np.array(["x"]), np.array(object()), np.zeros((1, 2), np.uint64),
    np.full((1, 2), 2**63, np.uint64), Move("cat", "a1", "a2", "rat"), Rules("leiden"),
]  # fmt: skip
ALLOWED = (
    mousetrap.MousetrapError, TypeError, OverflowError, KeyError, IndexError, UnicodeError, ValueError,
    AttributeError,
)  # fmt: skip


def calls(leiden, tmp_path):
    position, engine, tree = Position(), Engine(hash=1), leiden.mine("C-C", features="table3")
    game = Game()
    yield from (Rules, Rules.presets, Rules().replace, Rules().__getitem__)
    yield from (Position, Position.from_fen, Position.start, Position.setup, Position.from_board)
    yield from (position.parse, position.push, position.cone, position.split, position.split_svg)
    yield from (position.__eq__, position.__setstate__, game.position, game.tag, Game, Game.from_pgn)
    yield from (mousetrap.read_pgn, Move, engine.play, engine.analyse, engine.deepen)
    yield from (leiden.probe, leiden.probe_moves, leiden.probe_boards, leiden.probe_class)
    yield from (leiden.batches, leiden.mine, leiden.features, leiden.questions, tree.predict)
    yield lambda value: position.svg(pieces=value)
    yield lambda value: position.svg(arrows=value)
    yield lambda value: position.svg(arrows=[value])
    yield lambda value: Rules().replace(shore=value)
    yield lambda value: Rules().replace(quiet_limit=value)
    yield lambda value: leiden.probe_class("E-R", value)
    yield lambda value: leiden.probe_class("E-R", [[0, 1]], value)
    yield lambda value: leiden.probe_boards(position.board().reshape(1, 9, 7), value)
    yield lambda value: leiden.mine("C-C", features=value)
    yield lambda value: leiden.mine("C-C", features="table3", max_depth=value)
    yield lambda value: leiden.stats(value)
    yield lambda value: leiden.classes(value)
    yield lambda value: Position.setup({"a1": value})
    yield lambda value: Position.setup({value: "E"})
    yield lambda value: Game(tags={"White": value})
    yield lambda value: Game(tags={value: "x"})
    yield lambda value: mousetrap.match("random", "random", games=2, nodes=1, rules=value)
    yield lambda value: mousetrap.match("random", "random", games=2, nodes=1, openings=value)
    yield lambda value: mousetrap.match(value, "random", games=2, nodes=1)


def test_values(leiden, tmp_path):
    count = 0
    for call in calls(leiden, tmp_path):
        for value in VALUES:
            count += 1
            try:
                call(value)
            except ALLOWED as error:
                assert type(error).__name__ != "PanicException"
    assert count > 1500


def test_random_texts():
    rng = random.Random(5)
    letters = "rcwdptleRCWDPTLE123456789/ wb-ax#{}()[]$*.\"\n"
    for _ in range(3000):
        text = "".join(rng.choice(letters) for _ in range(rng.randint(0, 60)))
        for call in (Position, Position().parse, Game.from_pgn, mousetrap.read_pgn, Rules):
            try:
                call(text)
            except mousetrap.InputError:
                pass


def test_random_boards(leiden):
    rng = np.random.default_rng(5)
    for _ in range(300):
        boards = np.where(rng.random((3, 63)) < 0.05, rng.integers(-9, 10, (3, 63)), 0).astype(np.int8)
        try:
            leiden.probe_boards(boards, rng.integers(0, 2, 3))
        except mousetrap.MousetrapError:
            pass


def test_huge_counters_do_not_overflow():
    position = Position("7/7/3e3/7/7/7/3E3/7/7 w - - 4294967295 4294967295")
    position.push(position.moves()[0])
    position.push(position.moves()[0])
    assert Game(position).pgn()


def test_a_reading_thread_does_not_upset_a_writing_one():
    import threading

    position = Position()
    engine = Engine(hash=1)
    failures = []

    def search():
        try:
            for _ in range(20):
                engine.analyse(position, depth=2)
        except (RuntimeError, mousetrap.MousetrapError) as error:
            failures.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    for _ in range(200):
        position.push(position.moves()[0])
        position.pop()
    thread.join()
    assert failures == []
    with pytest.raises(mousetrap.InputError):
        position.push("")
