"""Two players, a game, and where it was decided: pictures and PGN into a folder.

    python play_and_analyse.py [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import mousetrap


def play(plies: int = 40) -> mousetrap.Position:
    """A game between the engine at full strength and at level 5, White being the stronger."""
    position = mousetrap.Position.start()
    players = {
        "white": mousetrap.Engine(hash=8),
        "black": mousetrap.Engine(hash=8, level=5, seed=1),
    }
    while position.outcome() is None and len(position.history) < plies:
        position.push(players[position.turn].play(position, nodes=3000))
    return position


def review(game: mousetrap.Game) -> mousetrap.Rows:
    """What the engine thinks before every move, and which move it would have made."""
    engine = mousetrap.Engine(hash=8)
    rows = mousetrap.Rows()
    for ply, move in enumerate(game.moves):
        position = game.position(ply)
        analysis = engine.analyse(position, nodes=3000)
        rows.append(
            {
                "ply": ply + 1,
                "turn": position.turn,
                "played": move.algebraic,
                "best": analysis.best.algebraic if analysis.best else None,
                "score": str(analysis.score),
                "cp": analysis.score.cp,
            }
        )
    return rows


def main(folder: Path) -> None:
    position = play()
    game = mousetrap.Game(position, tags={"White": "Mousetrap", "Black": "Mousetrap, level 5"})
    rows = review(game)
    for row in rows:
        print("{ply:>3} {turn:<6} {played:<5} best {best:<5} {score}".format(**row))
    print(position)
    print(position.outcome() or "the game goes on")

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.pgn").write_text(game.pgn())
    (folder / "end.svg").write_text(position.svg(title="The end of the game"))
    # The position before the last move, with the move that the engine prefers.
    before = game.position(max(len(game) - 1, 0))
    best = mousetrap.Engine(hash=8).analyse(before, nodes=3000).best
    (folder / "best.svg").write_text(before.svg(arrows=[best] if best else []))
    (folder / "parts.svg").write_text(before.split_svg(threshold=4))
    print("pictures and PGN are in", folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
