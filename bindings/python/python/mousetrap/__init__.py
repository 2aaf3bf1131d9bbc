"""Dou Shou Qi (Jungle chess): engine, endgame tables and laboratory.

>>> import mousetrap
>>> position = mousetrap.Position()
>>> position.push("Ea4")
Move('a3a4')
>>> mousetrap.Engine().analyse(position, depth=4).best in position.moves()
True
"""

from mousetrap._mousetrap import (
    Analysis,
    DecisionTree,
    Deepening,
    Engine,
    Game,
    Line,
    Move,
    Outcome,
    Position,
    RecordBatches,
    Rules,
    Score,
    Tablebase,
    Truth,
    __version__,
    player_kinds,
    read_pgn,
    studies,
)
from mousetrap.contest import Match, match
from mousetrap.errors import IllegalMoveError, InputError, MousetrapError, OutsideError
from mousetrap.rows import Answers, Rows
from mousetrap.study import Study, study

__all__ = [
    "Analysis",
    "Answers",
    "DecisionTree",
    "Deepening",
    "Engine",
    "Game",
    "IllegalMoveError",
    "InputError",
    "Line",
    "Match",
    "MousetrapError",
    "Move",
    "Outcome",
    "OutsideError",
    "Position",
    "RecordBatches",
    "Rows",
    "Rules",
    "Score",
    "Study",
    "Tablebase",
    "Truth",
    "__version__",
    "match",
    "player_kinds",
    "read_pgn",
    "studies",
    "study",
]
