import random

import numpy as np
import pytest

import mousetrap
from mousetrap import InputError, Move, OutsideError, Position, Tablebase

ANIMALS = "RCWDPTLE"


def random_positions(count, pieces, rules, seed=1):
    """Positions with a number of pieces, some of which are over."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        letters = rng.sample(ANIMALS, rng.randint(1, pieces - 1))
        letters += [letter.lower() for letter in rng.sample(ANIMALS, pieces - len(letters))]
        squares = rng.sample(range(63), pieces)
        board = {"abcdefg"[at % 7] + str(at // 7 + 1): letter for at, letter in zip(squares, letters)}
        try:
            found.append(Position.setup(board, turn=rng.choice(["white", "black"]), rules=rules))
        except InputError:
            continue
    return found


def test_published_positions(leiden):
    truth = {
        "7/7/3e3/7/7/7/3E3/7/7 w": "loss in 12",
        "t6/7/T6/7/7/7/7/7/7 w": "win in 19",
        "d6/7/7/7/7/7/5C1/7/7 w": "draw",
        "7/7/3e3/7/6L/7/7/7/7 w": "loss in 16",
    }
    for fen, value in truth.items():
        assert str(leiden.probe(Position(fen, rules="leiden"))) == value


def test_moves_are_worth_what_the_position_is(leiden):
    for position in random_positions(50, 3, "leiden"):
        if position.outcome() is None:
            moves = leiden.probe_moves(position)
            assert len(moves) == len(position.moves())
            assert moves[0][1] == leiden.probe(position)
            assert isinstance(moves[0][0], Move)


@pytest.mark.parametrize("rules", ["leiden", "standard"])
@pytest.mark.parametrize("pieces", [2, 3])
def test_batches_say_what_single_probes_say(rules, pieces, leiden, standard):
    tables = {"leiden": leiden, "standard": standard}[rules]
    positions = random_positions(400, pieces, rules)
    boards = np.stack([position.board() for position in positions])
    turns = np.array([position.turn == "black" for position in positions])
    truths = [tables.probe(position) for position in positions]
    outcome, plies = tables.probe_boards(boards, turns)
    assert outcome.dtype == np.int8 and plies.dtype == np.int16
    assert outcome.tolist() == [{"win": 1, "draw": 0, "loss": -1}[t.outcome] for t in truths]
    assert plies.tolist() == [-1 if t.plies is None else t.plies for t in truths]
    flat = tables.probe_boards(boards.reshape(-1, 63).astype(np.int32), turns.astype(int))
    assert (flat.outcome == outcome).all() and (flat.plies == plies).all()
    outcomes = tables.probe_boards(boards, turns, distances=False)
    assert (outcomes.outcome == outcome).all() and (outcomes.plies == -1).all()
    assert len(tables.probe_boards(boards[:0], turns[:0]).outcome) == 0


def test_a_class_at_once_is_what_arrow_says(leiden):
    pyarrow = pytest.importorskip("pyarrow")
    for name in ("T-E", "R-R", "LC-T", "E-CR"):
        table = pyarrow.table(leiden.batches(name, size=10_000))
        columns = [column for column in table.column_names if "_" in column]
        squares = np.column_stack([table[column].to_numpy() for column in columns])
        answers = leiden.probe_class(name, squares)
        assert (answers.outcome == table["outcome"].to_numpy()).all()
        plies = table["plies"].to_pandas().fillna(-1).astype(int).to_numpy()
        assert (answers.plies == plies).all()
        counts = next(row for row in leiden.stats(len(columns), per_class=True) if row["class"] == name)
        assert table.num_rows == counts["placements"]
        assert (answers.outcome == 1).sum() == counts["wins"]
        assert answers.plies.max() == counts["longest"]


def test_pieces_come_in_the_order_of_the_name(leiden):
    squares = np.array([[0, 20, 45], [6, 28, 38], [1, 13, 54]])
    named = leiden.probe_class("L-TC", squares, [0, 1, 0])
    sorted_ = leiden.probe_class("L-CT", squares[:, [0, 2, 1]], [0, 1, 0])
    assert (named.plies == sorted_.plies).all() and (named.outcome == sorted_.outcome).all()
    position = Position.setup({"a1": "L", "g3": "t", "d7": "c"}, rules="leiden")
    truth = leiden.probe(position)
    assert named.plies[0] == (-1 if truth.plies is None else truth.plies)
    assert named.outcome[0] == {"win": 1, "draw": 0, "loss": -1}[truth.outcome]


def test_arrow_is_not_copied(leiden):
    pyarrow = pytest.importorskip("pyarrow")
    batches = leiden.batches("E-R")
    before = pyarrow.total_allocated_bytes()
    table = pyarrow.table(batches)
    # The columns lie in our memory, not in pyarrow's.
    assert pyarrow.total_allocated_bytes() == before
    assert table.num_rows == len(batches) == 2940
    assert table.schema.metadata[b"mousetrap.class"] == b"E-R"
    assert pyarrow.table(batches) == table
    table.validate(full=True)
    # They outlive the object that made them.
    del batches
    assert table["outcome"].to_numpy().min() == -1


def test_arrow_for_polars_and_duckdb(leiden):
    batches = leiden.batches("E-R", features="cones")
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    positions = table = pyarrow.table(batches)
    wins = duckdb.sql("select count(*) from positions where outcome = 1").fetchall()[0][0]
    assert wins == (table["outcome"].to_numpy() == 1).sum()
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(batches).height == 2940


def test_parquet(leiden, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    path = tmp_path / "class.parquet"
    leiden.to_parquet("LC-T", path)
    stored = pyarrow.parquet.read_table(path)
    fresh = pyarrow.table(leiden.batches("LC-T"))
    assert stored.column_names == fresh.column_names
    for name in stored.column_names:
        assert stored[name].to_pylist() == fresh[name].to_pylist()
    leiden.to_parquet("LC-T", path, sample=100, seed=3)
    assert pyarrow.parquet.read_table(path).num_rows == 100
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OutsideError, match="writing"):
        leiden.to_parquet("LC-T", tmp_path / "missing" / "class.parquet")


def test_statistics_are_those_published(leiden):
    rows = leiden.stats()
    assert [row["pieces"] for row in rows] == [2, 3]
    assert rows[1] == {
        "pieces": 3,
        "placements": 54_355_896,
        "stalemates": 1_212,
        "wins": 30_297_857,
        "losses": 23_369_820,
        "draws": 687_007,
        "longest": 67,
    }
    frame = pytest.importorskip("pandas").DataFrame(rows)
    assert rows.pandas().equals(frame) and rows.frame().equals(frame)
    assert rows._repr_html_().startswith("<table>")
    with pytest.raises(InputError, match="no class has 1 pieces"):
        leiden.stats(1)
    with pytest.raises(OutsideError, match="the tables of 4 pieces are incomplete"):
        leiden.stats(4)


def test_building(tmp_path):
    events = []
    tables = Tablebase.build(2, dir=tmp_path, rules="leiden", threads=1, progress=events.append)
    assert tables.pieces == 2
    assert events[0]["event"] == "planned"
    built = [event for event in events if event["event"] == "built"]
    assert len(built) == events[0]["classes"] == len(tables.classes(2))
    assert all(event["positions"] > 0 and event["bytes"] > 0 for event in built)
    # Nothing is left to do the second time.
    events.clear()
    Tablebase.build(2, dir=tmp_path, rules="leiden", progress=events.append)
    assert events == [{"event": "planned", "classes": len(built), "present": len(built)}]
    only = Tablebase.build(classes=["E-R"], dir=tmp_path / "other", rules="leiden", wdl_only=True)
    assert only.probe_class("E-R", [[0, 8]], distances=False).outcome[0] in (-1, 0, 1)
    with pytest.raises(OutsideError, match="wdl_only"):
        only.probe_class("E-R", [[0, 8]])


def test_an_exception_in_a_callback_stops_the_build(tmp_path):
    def refuse(event):
        if event["event"] == "built":
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Tablebase.build(3, dir=tmp_path, progress=refuse)


def test_what_is_refused(leiden, tmp_path):
    start = Position(rules="leiden")
    with pytest.raises(InputError, match="has 16 pieces, and tables go up to 4 in .*, and can be built for 6"):
        leiden.probe(start)
    with pytest.raises(InputError, match="under the rules standard"):
        leiden.probe(Position("7/7/3e3/7/7/7/3E3/7/7 w"))
    with pytest.raises(OutsideError, match=r"\.mtb is missing in .*build it with `mousetrap\.Tablebase\.build\(4, rules='leiden'\)`"):
        leiden.probe(Position("7/7/3e3/7/3c3/7/3E3/3C3/7 w", rules="leiden"))
    with pytest.raises(InputError, match="is not a class"):
        leiden.batches("EE-R")
    with pytest.raises(InputError, match="batch size"):
        leiden.batches("E-R", size=0)
    with pytest.raises(InputError, match=r"shape \(n, 2\)"):
        leiden.probe_class("E-R", [1, 2, 3])
    with pytest.raises(InputError, match="row 1: 63 is not a square"):
        leiden.probe_class("E-R", np.array([[0, 1], [63, 1]], dtype=np.uint8))
    with pytest.raises(InputError, match="row 1: -1 is not a square"):
        leiden.probe_class("E-R", [[0, 1], [-1, 1]])
    with pytest.raises(InputError, match="row 0: two pieces stand on a1"):
        leiden.probe_class("E-R", [[0, 0]])
    with pytest.raises(InputError, match="row 0: Red's elephant is in the water on b4"):
        leiden.probe_class("E-R", [[22, 0]])
    with pytest.raises(InputError, match="integers"):
        leiden.probe_class("E-R", [[0.5, 1]])
    with pytest.raises(InputError, match="2 is not a turn"):
        leiden.probe_class("E-R", [[0, 1]], [2])
    with pytest.raises(InputError, match="1 positions and 3 turns"):
        leiden.probe_class("E-R", [[0, 1]], [0, 1, 0])
    with pytest.raises(InputError, match="expected boards of shape"):
        leiden.probe_boards(np.zeros((3, 62), dtype=np.int8))
    with pytest.raises(InputError, match="row 0: there are no pieces"):
        leiden.probe_boards(np.zeros((1, 63), dtype=np.int8))
    with pytest.raises(InputError, match="not both"):
        Tablebase.build(2, classes=["E-R"], dir=tmp_path)
    with pytest.raises(InputError, match="pieces, not 9"):
        Tablebase.build(9, dir=tmp_path)
    with pytest.raises(InputError, match="threads must be"):
        Tablebase.build(2, dir=tmp_path, threads=0)
    with pytest.raises(InputError, match="needs .* of memory"):
        Tablebase.build(2, dir=tmp_path, memory=1)
    file = tmp_path / "file"
    file.write_text("no folder")
    with pytest.raises(OutsideError, match="choose another folder"):
        Tablebase.open(file)


def test_a_damaged_table_is_noticed(tmp_path):
    Tablebase.build(2, dir=tmp_path, rules="leiden")
    path = tmp_path / "leiden" / "E-R.mtb"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    tables = Tablebase.build(classes=["C-C"], dir=tmp_path, rules="leiden")
    squares = [[0, at] for at in range(1, 60)]
    with pytest.raises(OutsideError, match="checksum"):
        tables.probe_class("E-R", squares, "black")
