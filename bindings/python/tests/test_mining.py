"""Our C4.5 held against scikit-learn: the independent check of the learner."""

import importlib.util

import pytest
from conftest import EXAMPLES

import mousetrap

pytest.importorskip("pyarrow")
pytest.importorskip("sklearn")


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CLASS = "LC-T"


def test_gains_are_the_same_for_every_feature(leiden):
    rows = example("mine_with_scikit_learn").compare_gains(leiden, CLASS)
    assert len(rows) >= 15
    for row in rows:
        assert row["ours"] == pytest.approx(row["definition"], abs=1e-9), row
        assert row["ours"] == pytest.approx(row["scikit_learn"], abs=1e-9), row
    assert max(row["ours"] for row in rows) > 0.1


def test_trees_by_gain_err_alike_level_by_level(leiden):
    rows = example("mine_with_scikit_learn").compare_trees(leiden, CLASS, range(1, 5))
    for row in rows:
        assert row["our_gain"] == row["scikit_learn"], row
        # What the tree counted while it grew is what it says when every position is asked.
        assert row["our_gain"] == row["our_gain_asked"], row
        assert row["our_c45"] == row["our_c45_asked"], row


def test_without_limits_both_are_as_good_as_the_features_allow(leiden):
    found = example("mine_with_scikit_learn").compare_perfect(leiden, CLASS)
    assert found["ours"] == found["ours_asked"] == found["scikit_learn"] == found["inseparable"]


def test_squares_tell_all_positions_apart(leiden):
    tree = leiden.mine(CLASS, features="cones,squares")
    assert tree.errors == 0
    data = tree.data()
    assert data["class"] == CLASS and data["leaves"] == tree.leaves
    levels = tree.levels()
    assert levels[0]["leaves"] == 1 and levels[-1]["errors"] == 0
    assert str(tree) and tree._repr_svg_().startswith("<svg")
    pruned = leiden.mine(CLASS, features="cones", prune=True)
    assert pruned.leaves <= leiden.mine(CLASS, features="cones").leaves


def test_what_is_refused(leiden):
    for wrong in (
        {"features": "nonsense"},
        {"features": "cones", "without": "cones"},
        {"criterion": "gini"},
        {"min_leaf": 0},
    ):
        with pytest.raises(mousetrap.InputError):
            leiden.mine(CLASS, **wrong)
    tree = leiden.mine("C-C", features="table3", max_depth=2)
    assert tree.depth <= 2
    with pytest.raises(mousetrap.InputError, match="shape"):
        tree.predict([[0]])
    with pytest.raises(mousetrap.InputError, match="row 0: 99 is not a value of"):
        tree.predict([[99] * len(tree.features)])
    with pytest.raises(mousetrap.InputError, match="row 0"):
        tree.predict([[-(2**62)] * len(tree.features)])
