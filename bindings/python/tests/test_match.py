import pytest

import mousetrap
from mousetrap import InputError


def test_a_match():
    reported = []
    result = mousetrap.match("greedy", "random", games=6, nodes=100, progress=reported.append)
    games = result.games
    assert games.column("game") == [1, 2, 3, 4, 5, 6]
    assert sorted(reported, key=lambda game: game["game"]) == games
    assert {games[0]["white"], games[0]["black"]} == {"greedy", "random"}
    assert result.summary["games"] == 6 and result.figures["a"] == "greedy"
    assert sum(games.column("points")) == result.figures["points"]
    assert result.summary["plies"] == sum(games.column("plies"))
    records = mousetrap.read_pgn(result.pgn)
    assert [record.result for record in records] == games.column("result")
    # The record of a game can be played through.
    position = mousetrap.Position(games[0]["opening"])
    for move in games[0]["moves"].split():
        position.push(move)
    assert len(position.history) == games[0]["plies"]


def test_the_same_seed_gives_the_same_games():
    def digest(seed, concurrency):
        result = mousetrap.match(
            "random", "greedy", games=4, nodes=50, seed=seed, concurrency=concurrency
        )
        assert result.games.column("game") == [1, 2, 3, 4]
        return result.summary["digest"]

    assert digest(1, 1) == digest(1, 2)
    assert digest(1, 1) != digest(2, 1)


def test_two_of_a_name():
    result = mousetrap.match("random", "random", games=4, nodes=1)
    assert sum(result.games.column("points")) == result.figures["points"]


def test_a_match_is_recorded_and_goes_on(tmp_path):
    out = tmp_path / "record"
    first = mousetrap.match("random", "greedy", games=2, nodes=50, out=out)
    assert (out / "games.jsonl").exists()
    with pytest.raises(InputError, match="already exists"):
        mousetrap.match("random", "greedy", games=2, nodes=50, out=out)
    again = mousetrap.match("random", "greedy", games=2, nodes=50, out=out, resume=True)
    assert again.games == [] and again.summary["digest"] == first.summary["digest"]


def test_tables_end_games(leiden):
    result = mousetrap.match(
        "random", "random", games=2, nodes=1, rules="leiden", tables=leiden, openings="thesis"
    )
    assert result.summary["games"] == 2


def test_what_is_refused():
    for wrong, message in (
        ({"games": 3}, "3 is odd"),
        ({"games": 0}, "must be 2 or more"),
        ({"nodes": 1, "depth": 1}, "one limit"),
        ({"nodes": 0}, "must be 1 or more"),
        ({"time": float("nan")}, "not a valid number of seconds"),
        ({"tc": "ten"}, "is not a clock"),
        ({"openings": "/missing"}, "'/missing' is neither"),
        ({"concurrency": 0}, "must be 1 or more"),
        ({"resume": True}, "needs a folder"),
        ({"sprt": "x"}, "x"),
        ({"move_limit": 0}, "move limit"),
    ):
        with pytest.raises(InputError, match=message):
            mousetrap.match("random", "random", **wrong)
    with pytest.raises(InputError, match="there is no player 'stockfish'"):
        mousetrap.match("stockfish", "random")

    def stop(game):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        mousetrap.match("random", "random", nodes=1, progress=stop)
