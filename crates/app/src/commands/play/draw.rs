//! The screen of `mousetrap play`: the board to the left, moves and engine to the right,
//! status below the board, keys at the bottom.

use answers::algebraic;
use engine::Line as Thought;
use game::score::Verdict;
use game::truth::Truth;
use jungle::board::{Terrain, terrain};
use jungle::{Animal, Color, Move, Piece, Square};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color as Ink, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::{Screen, Task};

/// Two for the names of ranks, five for each square, and the frame.
const BOARD_WIDTH: u16 = 2 + 5 * 7 + 2;
/// Nine ranks, the names of files, and the frame.
const BOARD_HEIGHT: u16 = 9 + 1 + 2;
/// The smallest screen with room for everything.
const LEAST: (u16, u16) = (BOARD_WIDTH + 21, BOARD_HEIGHT + 7);

impl Screen {
    pub(super) fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let text = format!(
                "The window is {} by {}: make it at least {} by {}. Ctrl-C ends.",
                area.width, area.height, LEAST.0, LEAST.1
            );
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
            return;
        }
        let areas = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]);
        let [main, keys] = areas.areas(area);
        let areas = Layout::horizontal([Constraint::Length(BOARD_WIDTH), Constraint::Min(0)]);
        let [left, right] = areas.areas(main);
        let areas = Layout::vertical([Constraint::Length(BOARD_HEIGHT), Constraint::Min(0)]);
        let [board, below] = areas.areas(left);
        let rules = self.play.jungle().rules();
        let title = match self.you {
            Some(_) => format!("{rules} · against the {}", self.level_name),
            None => format!("{rules} · two players"),
        };
        frame.render_widget(
            Paragraph::new(self.board()).block(Block::bordered().title(title)),
            board,
        );
        frame.render_widget(Paragraph::new(self.status()).wrap(Wrap { trim: false }), below);
        let areas = Layout::vertical([Constraint::Min(0), Constraint::Length(8)]);
        let [moves, engine] = areas.areas(right);
        self.draw_moves(frame, moves);
        let block = Block::bordered().title("Engine (F2)");
        frame.render_widget(
            Paragraph::new(self.thinking()).block(block).wrap(Wrap { trim: false }),
            engine,
        );
        let help = "Tab take back · F1 hint · F2 analyse · F3 turn · F4 new · ^C end";
        frame.render_widget(Paragraph::new(help).style(Style::new().dim()), keys);
    }

    fn board(&self) -> Text<'static> {
        let targets: Vec<Move> = match self.taken_up {
            Some(from) => {
                self.play.legal_moves().into_iter().filter(|mv| mv.from == from).collect()
            }
            None => Vec::new(),
        };
        let order = |count: u8, reverse: bool| -> Vec<u8> {
            if reverse { (0..count).rev().collect() } else { (0..count).collect() }
        };
        let files = order(Square::FILES, self.flipped);
        let row = |rank: u8| {
            let mut spans = vec![Span::raw(format!("{} ", rank + 1))];
            for square in files.iter().filter_map(|&file| Square::new(file, rank)) {
                spans.extend(self.cell(square, targets.iter().find(|mv| mv.to == square)));
            }
            Line::from(spans)
        };
        let mut rows: Vec<Line<'static>> =
            order(Square::RANKS, !self.flipped).into_iter().map(row).collect();
        let names: String =
            files.iter().map(|file| format!("  {}  ", char::from(b'a' + file))).collect();
        rows.push(Line::from(format!("  {names}")));
        Text::from(rows)
    }

    /// Five columns: the piece between its marks. Shapes repeat what colours say: capitals are Red's.
    fn cell(&self, square: Square, target: Option<&Move>) -> [Span<'static>; 3] {
        let (ground, empty) = match terrain(square) {
            Terrain::Land => (Ink::Rgb(0xd9, 0xe0, 0xa8), ' '),
            Terrain::Water => (Ink::Rgb(0x74, 0xbb, 0xdd), '~'),
            Terrain::Trap(_) => (Ink::Rgb(0xe0, 0xc0, 0x9c), '^'),
            Terrain::Den(_) => (Ink::Rgb(0xa8, 0x98, 0x88), '#'),
        };
        let piece = self.play.position().piece_at(square);
        let letter = piece.map_or(empty, Piece::letter);
        let last = self.play.moves().last().is_some_and(|mv| mv.to == square);
        let (left, right) = match target {
            Some(mv) if mv.is_capture() => ('>', '<'),
            Some(_) => ('(', ')'),
            None if self.taken_up == Some(square) => ('{', '}'),
            None if self.cursor == square => ('[', ']'),
            None if last => ('*', '*'),
            None => (' ', ' '),
        };
        let dark = Ink::Rgb(0x30, 0x30, 0x28);
        let mut marks = Style::new().bg(ground).fg(dark).add_modifier(Modifier::BOLD);
        let mut middle = match piece.map(|piece| piece.color) {
            Some(Color::White) => Style::new().bg(Ink::Rgb(0xb0, 0x28, 0x20)).fg(Ink::White),
            Some(Color::Black) => Style::new().bg(Ink::Rgb(0x1c, 0x48, 0x88)).fg(Ink::White),
            None => Style::new().bg(ground).fg(Ink::Rgb(0x60, 0x60, 0x50)),
        };
        middle = middle.add_modifier(Modifier::BOLD);
        if self.cursor == square {
            marks = marks.add_modifier(Modifier::REVERSED);
            if piece.is_none() {
                middle = middle.add_modifier(Modifier::REVERSED);
            }
        }
        [
            Span::styled(left.to_string(), marks),
            Span::styled(format!(" {letter} "), middle),
            Span::styled(right.to_string(), marks),
        ]
    }

    fn status(&self) -> Text<'static> {
        let turn = self.play.position().turn();
        let state = match self.play.ending() {
            Some(ending) => format!("The game is over: {ending}"),
            None if self.task == Some(Task::Reply) => "The engine is thinking…".to_owned(),
            None if self.you.is_some() => format!("Your move ({})", named(turn)),
            None => format!("{} to move", named(turn)),
        };
        Text::from(vec![
            Line::styled(state, Style::new().add_modifier(Modifier::BOLD)),
            Line::from(self.message.clone()),
            Line::from(vec![
                Span::raw("Move: "),
                Span::styled(self.typed.clone(), Style::new().add_modifier(Modifier::BOLD)),
                Span::styled("_", Style::new().dim()),
            ]),
            Line::styled("arrows and Enter, or type Ea4", Style::new().dim()),
            Line::styled("^ trap   # den   ~ water", Style::new().dim()),
            Line::styled(self.strengths(), Style::new().dim()),
        ])
    }

    /// Who is stronger, as letters.
    fn strengths(&self) -> String {
        let mut animals = Animal::ALL;
        let rules = self.play.jungle().rules();
        animals.sort_by_key(|&animal| rules.by_strength(animal));
        let letters: Vec<String> =
            animals.iter().map(|animal| animal.letter().to_string()).collect();
        format!("{}, and R takes E", letters.join("<"))
    }

    /// A row for each pair of moves; the last rows that there is room for.
    fn draw_moves(&self, frame: &mut Frame<'_>, area: Rect) {
        let block = Block::bordered().title("Moves");
        let room = usize::from(block.inner(area).height);
        let rows = self.move_rows();
        let rows = rows[rows.len().saturating_sub(room)..].iter();
        let text: Vec<Line<'_>> = rows.map(|row| Line::from(row.as_str())).collect();
        frame.render_widget(Paragraph::new(text).block(block), area);
    }

    fn move_rows(&self) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        let positions = self.play.earlier_positions();
        for (position, &mv) in positions.zip(self.play.moves()) {
            let text = algebraic(self.play.jungle(), position, mv);
            let number = rows.len() + 1;
            match (position.turn(), rows.last_mut()) {
                (Color::White, _) => rows.push(format!("{number:>3}. {text:<7}")),
                (Color::Black, Some(row)) => row.push_str(&text),
                (Color::Black, None) => rows.push(format!("{number:>3}. {:<7}{text}", "…")),
            }
        }
        rows
    }

    fn thinking(&self) -> Text<'static> {
        if self.thoughts.is_empty() {
            let text = match self.task {
                Some(Task::Analyse | Task::Hint) => "…",
                _ => "off: F2 shows its analysis, for Red",
            };
            return Text::styled(text, Style::new().dim());
        }
        let turn = self.play.position().turn();
        let sign = if turn == Color::White { 1 } else { -1 };
        let mut lines: Vec<&Thought> = self.thoughts.values().collect();
        lines.sort_by_key(|line| line.index);
        let texts = lines.into_iter().map(|line| {
            let score = match line.score.verdict() {
                Verdict::Estimate(value) => format!("{:+.2}", f64::from(sign * value) / 100.0),
                Verdict::Known(Truth::Win(plies)) => format!("{turn} wins in {plies}"),
                Verdict::Known(Truth::Draw) => "draw".to_owned(),
                Verdict::Known(Truth::Loss(plies)) => format!("{} wins in {plies}", !turn),
            };
            let moves: Vec<String> =
                line.pv.iter().take(8).map(|mv| mv.algebraic().to_string()).collect();
            Line::from(vec![
                Span::styled(score, Style::new().add_modifier(Modifier::BOLD)),
                Span::raw(format!(" at depth {}: {}", line.depth, moves.join(" "))),
            ])
        });
        Text::from(texts.collect::<Vec<_>>())
    }
}

/// A side, with what its pieces look like.
fn named(color: Color) -> &'static str {
    match color {
        Color::White => "Red: capitals",
        Color::Black => "Blue: small letters",
    }
}
