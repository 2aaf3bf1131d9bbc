"""A class as a Parquet file, asked with SQL.

    python query_with_duckdb.py [CLASS] [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import duckdb

import mousetrap


def export(tables: mousetrap.Tablebase, name: str, folder: Path) -> Path:
    """Writes the class, unless it is there already."""
    path = folder / f"{name}.parquet"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        tables.to_parquet(name, path)
    return path


def outcomes(path: Path) -> list[tuple[Any, ...]]:
    """Positions by outcome, and the longest of each."""
    return duckdb.sql(
        f"select outcome, count(*), max(plies) from '{path}' group by outcome order by outcome"
    ).fetchall()


def longest(path: Path, most: int = 3) -> list[dict[str, Any]]:
    """The longest wins."""
    found = duckdb.sql(
        f"select * from '{path}' where outcome = 1 order by plies desc, 1, 2, 3 limit {most}"
    )
    return [dict(zip(found.columns, row)) for row in found.fetchall()]


def position(row: dict[str, Any], rules: str) -> mousetrap.Position:
    """A row of the file as a position."""
    name = "abcdefg"
    pieces = {}
    for column, square in row.items():
        side, _, letter = column.partition("_")
        if letter:
            letter = letter if side == "w" else letter.lower()
            pieces[f"{name[square % 7]}{square // 7 + 1}"] = letter
    return mousetrap.Position.setup(pieces, rules=rules)


def main(name: str, folder: Path) -> None:
    tables = mousetrap.Tablebase.open(rules="leiden")
    path = export(tables, name, folder)
    print(f"{name} in {path}, {path.stat().st_size} bytes")
    for outcome, count, plies in outcomes(path):
        print(f"{outcome:>3} {count:>8} positions, longest {plies}")
    for row in longest(path):
        found = position(row, "leiden")
        print(found.fen, tables.probe(found))


if __name__ == "__main__":
    words = sys.argv[1:]
    main(words[0] if words else "LC-T", Path(words[1] if len(words) > 1 else tempfile.mkdtemp()))
