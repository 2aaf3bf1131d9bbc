import pytest

import mousetrap
from mousetrap import InputError


def test_studies_are_listed_with_their_parameters():
    studies = mousetrap.studies()
    names = studies.column("name")
    assert {"table1", "figure19", "complexity", "bench-perft"} <= set(names)
    table1 = studies[names.index("table1")]
    assert table1["source"].startswith("van Rijn & Vis (2013)")
    assert [parameter["name"] for parameter in table1["parameters"]] == ["plies"]
    assert studies[names.index("bench-perft")]["source"] is None


def test_table_1_comes_out_as_published(tmp_path):
    study = mousetrap.study("table1", plies=3, out=tmp_path)
    assert study.rows.column("leaves") == [24, 576, 12_240]
    assert study.rows.column("equal") == [True] * 3
    assert study.results[2]["evaluation"] == 3
    frame = study.tables["table1"].frame()
    assert list(frame["leaves"]) == list(frame["published leaves"])
    assert study.charts["seconds"].startswith("<svg")
    assert "576 in 0.00 s, 0 Eb3: equal" in study.text
    assert (tmp_path / "record.json").exists() and (tmp_path / "seconds.svg").exists()


def test_games_are_played_and_used_again(tmp_path):
    notes = []
    small = {"depth": 2, "games": 2, "games_dir": tmp_path / "games"}
    first = mousetrap.study("figure19", progress=notes.append, **small)
    assert len(first.rows) == 4 and any("split v plain" in note for note in notes)
    assert sum(first.rows[0][key] for key in ("wins", "draws", "losses")) == 2
    with pytest.raises(InputError, match="there are games in"):
        mousetrap.study("figure19", **small)
    assert mousetrap.study("figure19", resume=True, **small).rows == first.rows


def test_a_measurement_runs_as_well():
    study = mousetrap.study("bench-perft", depth=3, rounds=1)
    assert study.rows.column("nodes") == [12_240] * 4
    assert study.frame().shape[0] == 4


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="there is no study 'table9'; there are table1"):
        mousetrap.study("table9")
    with pytest.raises(InputError, match="there is no parameter 'ply'"):
        mousetrap.study("table1", ply=3)
    with pytest.raises(InputError, match="plies: 8 is not in 1..=7"):
        mousetrap.study("table1", plies=8)
    with pytest.raises(InputError, match="bad parameters"):
        mousetrap.study("table1", plies="many")
