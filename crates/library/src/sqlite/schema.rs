//! The schema, in versions. A migration is never changed once it was released; a new version adds one.

/// Marks the file as ours: "MTGm".
pub(super) const APPLICATION: i64 = 0x4d54_476d;

/// What leads from each version to the next.
pub(super) const MIGRATIONS: [&str; 1] = [FIRST];

/// Games with what they are found by, and every position of their main lines.
///
/// `players` has both names in small letters, so that a search needs no function of SQLite's that knows ASCII alone.
/// `move` is null in the last position of a game.
const FIRST: &str = "
    CREATE TABLE games (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        digest BLOB NOT NULL,
        source TEXT NOT NULL,
        white TEXT NOT NULL,
        black TEXT NOT NULL,
        players TEXT NOT NULL,
        date TEXT,
        result TEXT NOT NULL,
        rules TEXT NOT NULL,
        plies INTEGER NOT NULL,
        event TEXT,
        saved INTEGER NOT NULL,
        pgn TEXT NOT NULL
    );
    CREATE INDEX games_by_digest ON games (digest);
    CREATE INDEX games_by_date ON games (date DESC, number DESC);
    CREATE TABLE positions (
        key BLOB NOT NULL,
        game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
        ply INTEGER NOT NULL,
        move INTEGER,
        PRIMARY KEY (key, game, ply)
    ) WITHOUT ROWID;
    CREATE INDEX positions_by_game ON positions (game);
";
