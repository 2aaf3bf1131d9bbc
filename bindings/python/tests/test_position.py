import copy
import pickle
import random

import numpy as np
import pytest

import mousetrap
from mousetrap import Game, IllegalMoveError, InputError, Move, Position, Rules

START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1"


def test_the_start():
    position = Position()
    assert position.fen == START
    assert position.turn == "white"
    assert len(position.moves()) == 24
    assert [position.perft(depth) for depth in range(5)] == [1, 24, 576, 12_240, 260_099]
    assert Position(rules="leiden").perft(4) == 260_100
    assert position.outcome() is None


def test_every_way_to_a_position():
    position = Position.from_fen("7/7/3e3/7/7/7/3E3/7/7 b", rules="tufts")
    assert position == Position.setup({"d3": "E", "d7": "e"}, turn="black", rules=Rules("tufts"))
    assert position == Position.from_board(position.board(), turn="b", rules="tufts")
    assert position != Position.from_board(position.board(), turn="white", rules="tufts")
    assert position != position.fen
    assert position.rules == Rules("tufts")


def test_moves_are_made_and_taken_back():
    rng = random.Random(1)
    for rules in Rules.presets():
        position = Position(rules=rules)
        seen = []
        while position.outcome() is None and len(position.history) < 60:
            seen.append((position.fen, position.key))
            position.push(rng.choice(position.moves()))
        again = Position(rules=rules)
        for move in position.history:
            again.push(str(move))
        assert again == position and again.fen == position.fen
        while seen:
            position.pop()
            assert (position.fen, position.key) == seen.pop()
        with pytest.raises(IndexError):
            position.pop()


def test_symmetries():
    position = Position()
    position.push("Ea4")
    assert position.mirror().mirror() == position
    assert position.flip().flip() == position
    assert position.flip().turn == "white"
    assert (position.mirror().board() == position.board()[:, ::-1]).all()
    assert (position.flip().board() == -position.board()[::-1, ::-1]).all()


def test_the_board_is_an_array():
    board = Position().board()
    assert board.dtype == np.int8 and board.shape == (9, 7)
    assert board[2, 0] == 8 and board[6, 0] == -1  # the elephant on a3, the rat on a7
    assert Position.from_board(board.tolist()) == Position()
    assert Position.from_board(board.astype(np.int64).ravel()) == Position()
    assert Position.from_board(np.asfortranarray(board)) == Position()


def test_repetition_counts():
    position = Position()
    for text in ["Ea4", "ra6", "Ea3", "ra7"] * 2:
        position.push(text)
    outcome = position.outcome()
    assert str(outcome) == "draw by repetition" and outcome.winner is None
    assert outcome.result == "1/2-1/2" and position.moves() == []
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position.push("Ea4")


def test_messages_are_those_of_the_command_line():
    def message(call, *args, **kwargs):
        with pytest.raises(mousetrap.MousetrapError) as caught:
            call(*args, **kwargs)
        assert isinstance(caught.value, ValueError)
        return str(caught.value)

    assert message(Position, "7/7 w").startswith("bad FEN: ")
    wolf = "impossible position: Blue's wolf is in the water on b6: only rats swim"
    assert message(Position, "7/7/7/1w5/7/7/7/7/R6 w") == wolf
    text = "c3c4 is illegal: the wolf cannot enter the water; it can go to c2, b3 or d3"
    assert message(Position().push, "c3c4") == text
    assert message(Rules, "chess").startswith("unknown rules 'chess': expected one of standard")
    assert "cannot be 'x'" in message(Rules().replace, shore="x")
    assert "is not a side" in message(Position.setup, {"a1": "E"}, turn="red")
    assert "is not a piece" in message(Position.setup, {"a1": "EE"})
    assert "is not a piece" in message(Position.from_board, np.full(63, 9))
    assert "63 squares" in message(Position.from_board, np.zeros(62, dtype=int))
    assert "integers" in message(Position.from_board, np.zeros(63))
    with pytest.raises(TypeError):
        Position().push(7)
    with pytest.raises(TypeError):
        Position(rules=7)
    # A move from another board is refused and leaves everything as it is.
    position = Position()
    with pytest.raises(IllegalMoveError):
        position.push(Move("cat", "a1", "a2"))
    assert position == Position() and position.history == []


def test_copies_and_pickles():
    position = Position(rules="leiden,repetition=draw")
    position.push("Ea4")
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        assert other == position and other.history == position.history
        other.pop()
        assert len(position.history) == 1
    for thing in (position, position.rules, position.history[0], Game(position)):
        assert pickle.loads(pickle.dumps(thing)) == thing
    assert pickle.loads(pickle.dumps(position)).history == position.history
    assert len({Rules("leiden"), Rules("leiden"), Rules()}) == 2
    assert len(set(Position().moves())) == 24
    with pytest.raises(TypeError):
        hash(position)


def test_pictures():
    position = Position()
    svg = position.svg(arrows=[position.moves()[0], "a3a4", ("a7", "a6")], flipped=True, pieces="hanzi")
    assert svg.startswith("<svg") and svg.count("<svg") >= 1
    assert position._repr_svg_().startswith("<svg")
    assert "E" in str(position)
    with pytest.raises(InputError, match="not a set of pieces"):
        position.svg(pieces="chess")
    for arrow in ("a", "a3", "é3a4", "a3z4", ("a1", "z9")):
        with pytest.raises(InputError):
            position.svg(arrows=[arrow])
    position.svg(size=0), position.svg(size=2**32 - 1)


def test_splits_and_cones():
    position = Position("7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w", rules="tufts")
    split = position.split(4)
    assert split["parts"] == [["a2", "b3", "c2"], ["b7", "c7", "e6", "e7"]]
    assert split["tree"] == [0, 1, 1, 2, 3, 5] and split["tmax"] == 5
    assert len(split["times"]) == 7 and split["times"][0][0] is None
    assert sum(edge["cut"] for edge in split["edges"]) == 1
    assert split["owner"]["a9"] == 1 and split["owner"]["d9"] is None
    assert position.split_svg(4).startswith("<svg")
    cone = position.cone("c2")
    assert cone["moves"].shape == (9, 7) and cone["moves"][1, 2] == 0
    assert cone["moves"][0, 3] == -1  # no piece enters its own den
    with pytest.raises(InputError, match="no piece on a9"):
        position.cone("a9")


def test_games_go_into_pgn_and_back():
    text = '[White "Ann"]\n[Rules "leiden"]\n\n1. Ea4 {bold} (1. Eb3 $1 ra6) 1... ra6 2. Ea5?? rxa5 0-1'
    game = Game.from_pgn(text)
    assert game.result == "0-1" and len(game) == 4 and game.tags["White"] == "Ann"
    assert game.rules == Rules("leiden")
    assert game.position().fen == game.position(4).fen
    assert [str(move) for move in game.position(2).history] == ["a3a4", "a7a6"]
    assert game.nodes()[2]["nags"] == [4]
    assert Game.from_pgn(game.pgn()) == game
    assert mousetrap.read_pgn(game.pgn() + "\n" + game.pgn()) == [game, game]
    with pytest.raises(IndexError):
        game.position(5)
    with pytest.raises(InputError, match="line 1: a3a5 is illegal"):
        Game.from_pgn("1. Ea5 *")
    with pytest.raises(InputError, match="no game"):
        Game.from_pgn("")
    with pytest.raises(InputError, match="follows from the record"):
        Game(tags={"FEN": "x"})
    with pytest.raises(KeyError):
        game.tag("Black")
