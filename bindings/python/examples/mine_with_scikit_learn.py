"""A three-piece class from Arrow batches into scikit-learn, held against our own C4.5.

    python mine_with_scikit_learn.py [CLASS]

Three things are compared, on every position of the class and not on a sample:

- the information gain of every feature's best question, which both must compute alike;
- trees grown by gain alone, level by level: the same positions wrong at the same depth, as long as no two
  questions gain exactly the same;
- our C4.5 (gain ratio) and scikit-learn (gain) at equal depth, where either may be the better.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pyarrow
from sklearn.tree import DecisionTreeClassifier

import mousetrap

FEATURES = "cones"


def load(
    tables: mousetrap.Tablebase, name: str
) -> tuple[list[str], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The features that both learners understand alike (numbers, and names of which there are two), their
    values, and the outcomes."""
    kinds = {row["name"]: row for row in tables.features(name)}
    batches = tables.batches(name, features=FEATURES)
    table = pyarrow.table(batches)
    wanted = [
        column
        for column in batches.column_names
        if column in kinds and (not kinds[column]["nominal"] or len(kinds[column]["values"]) == 2)
    ]
    values = np.column_stack([table[column].to_numpy() for column in wanted])
    return wanted, values, table["outcome"].to_numpy()


def entropy(outcomes: np.ndarray[Any, Any]) -> float:
    """Bits needed to name the outcome of a position."""
    _, counts = np.unique(outcomes, return_counts=True)
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def gain(column: np.ndarray[Any, Any], outcomes: np.ndarray[Any, Any], bound: int) -> float:
    """What asking whether a feature is at most `bound` tells, by the definition."""
    low = column <= bound
    weight = low.mean()
    after = weight * entropy(outcomes[low]) + (1 - weight) * entropy(outcomes[~low])
    return entropy(outcomes) - after


def stump(column: np.ndarray[Any, Any], outcomes: np.ndarray[Any, Any]) -> float:
    """The gain of the best question about one feature, according to scikit-learn."""
    tree = DecisionTreeClassifier(criterion="entropy", max_depth=1)
    tree.fit(column.reshape(-1, 1), outcomes)
    nodes = tree.tree_
    if nodes.node_count == 1:
        return 0.0
    weights = nodes.weighted_n_node_samples / nodes.weighted_n_node_samples[0]
    return float(nodes.impurity[0] - weights[1] * nodes.impurity[1] - weights[2] * nodes.impurity[2])


def compare_gains(tables: mousetrap.Tablebase, name: str) -> mousetrap.Rows:
    """The gain of each feature's best question: ours, by the definition, and scikit-learn's."""
    wanted, values, outcomes = load(tables, name)
    ours = {row["feature"]: row for row in tables.questions(name, features=FEATURES)}
    rows = mousetrap.Rows()
    for at, feature in enumerate(wanted):
        if feature not in ours:
            continue
        # A question about two names is the question whether it is the first.
        bound = ours[feature]["at_most"]
        rows.append(
            {
                "feature": feature,
                "ours": ours[feature]["gain"],
                "definition": gain(values[:, at], outcomes, 0 if bound is None else bound),
                "scikit_learn": stump(values[:, at], outcomes),
            }
        )
    return rows


def compare_trees(tables: mousetrap.Tablebase, name: str, depths: range) -> mousetrap.Rows:
    """Positions wrong and leaves, by depth."""
    wanted, values, outcomes = load(tables, name)
    chosen = ",".join(wanted)
    rows = mousetrap.Rows()
    for depth in depths:
        theirs = DecisionTreeClassifier(criterion="entropy", max_depth=depth, random_state=0)
        theirs.fit(values, outcomes)
        by_gain = tables.mine(name, features=chosen, max_depth=depth, criterion="gain")
        by_ratio = tables.mine(name, features=chosen, max_depth=depth)
        rows.append(
            {
                "depth": depth,
                "scikit_learn": int((theirs.predict(values) != outcomes).sum()),
                "our_gain": by_gain.errors,
                "our_gain_asked": int((by_gain.predict(values) != outcomes).sum()),
                "our_c45": by_ratio.errors,
                "our_c45_asked": int((by_ratio.predict(values) != outcomes).sum()),
                "scikit_learn_leaves": theirs.get_n_leaves(),
                "our_c45_leaves": by_ratio.leaves,
            }
        )
    return rows


def compare_perfect(tables: mousetrap.Tablebase, name: str) -> dict[str, int]:
    """Trees without limits: both are wrong only where the features cannot tell positions apart."""
    wanted, values, outcomes = load(tables, name)
    theirs = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(values, outcomes)
    ours = tables.mine(name, features=",".join(wanted))
    # The fewest that any tree must get wrong: in each cell all but the most frequent outcome.
    _, cells = np.unique(values, axis=0, return_inverse=True)
    counts = np.zeros((cells.max() + 1, 3), dtype=int)
    np.add.at(counts, (cells.ravel(), outcomes + 1), 1)
    return {
        "positions": len(outcomes),
        "inseparable": int((counts.sum(axis=1) - counts.max(axis=1)).sum()),
        "scikit_learn": int((theirs.predict(values) != outcomes).sum()),
        "ours": ours.errors,
        "ours_asked": int((ours.predict(values) != outcomes).sum()),
        "scikit_learn_leaves": int(theirs.get_n_leaves()),
        "our_leaves": ours.leaves,
    }


def main(name: str) -> None:
    tables = mousetrap.Tablebase.open(rules="leiden")
    print(f"{name}, rules leiden, White to move, features: {FEATURES}\n")
    print("bits gained by the best question about each feature")
    gains = compare_gains(tables, name)
    for row in gains:
        print("{feature:<16} ours {ours:.9f}  scikit-learn {scikit_learn:.9f}".format(**row))
    print("\npositions wrong, by depth")
    for row in compare_trees(tables, name, range(1, 9)):
        print(
            "{depth:>2}  scikit-learn {scikit_learn:>6} ({scikit_learn_leaves} leaves)"
            "  ours by gain {our_gain:>6}  C4.5 {our_c45:>6} ({our_c45_leaves} leaves)".format(**row)
        )
    print("\nwithout limits")
    print(
        "{positions} positions, {inseparable} inseparable; wrong: scikit-learn {scikit_learn}"
        " ({scikit_learn_leaves} leaves), C4.5 {ours} ({our_leaves} leaves)".format(
            **compare_perfect(tables, name)
        )
    )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "LC-T")
