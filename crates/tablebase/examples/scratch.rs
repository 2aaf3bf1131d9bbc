#![allow(missing_docs, clippy::print_stdout)]
use game::solver::Value;
use jungle::*;
use std::time::Instant;
use tablebase::{grid::*, material::*, solved::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u32 = a[1].parse().unwrap();
    let rules = table_rules(&a[2].parse().unwrap());
    let mut s = Solver::new(Classes::new(&rules, n));
    let classes = s.classes().clone();
    if let Some(c) = a.get(3) {
        let m: Material = c.parse().unwrap();
        let id = classes.mapping(m).unwrap().class;
        for v in &classes.list()[id].slots {
            if let Some(mp) = classes.mapping(classes.list()[id].material.without(*v)) {
                s.solve(mp.class);
            }
        }
        let t = Instant::now();
        let so = s.solve(id);
        println!(
            "{} rows {} {:.2}s",
            classes.list()[id].material,
            so.grid.rows(),
            t.elapsed().as_secs_f64()
        );
        return;
    }
    let t = Instant::now();
    let mut stats = std::collections::HashMap::new();
    for id in 0..classes.list().len() {
        let so = s.solve(id);
        // weighted stats per (class, turn): wins losses draws stalemates placements
        let mut st = [[0u64; 4]; 2];
        let mut longest = [0u32; 2];
        let k = so.grid.pieces().len() - 1;
        for row in 0..so.grid.rows() {
            let sq = so.grid.squares(row);
            let mut occ = Bitboard::EMPTY;
            let mut ok = true;
            for q in &sq[..k] {
                if occ.contains(*q) {
                    ok = false;
                }
                occ |= q.bitboard();
            }
            if !ok {
                continue;
            }
            let w = if sq[0].file() == 3 { 1 } else { 2 };
            for x in so.grid.runner_domain().without(occ) {
                for (i, c) in Color::ALL.into_iter().enumerate() {
                    match so.value(c, row * 64 + x.index()) {
                        Value::Win(n) => {
                            st[i][0] += w;
                            longest[i] = longest[i].max(n);
                        }
                        Value::Loss(n) => {
                            st[i][1] += w;
                            longest[i] = longest[i].max(n);
                        }
                        Value::Draw => {
                            st[i][2] += w;
                        }
                    }
                }
            }
        }
        stats.insert(id, (st, longest));
    }
    println!("solved in {:.2}s", t.elapsed().as_secs_f64());
    for p in 2..=n {
        let mut tot = [0u64; 4];
        let mut lg = 0;
        for m in Material::all(p) {
            let mp = classes.mapping(m).unwrap();
            let (st, l) = &stats[&mp.class];
            let i = usize::from(mp.swapped);
            for k in 0..4 {
                tot[k] += st[i][k];
            }
            lg = lg.max(l[i]);
        }
        println!(
            "{p} pieces: total {} wins {} losses {} draws {} longest {lg}",
            tot[0] + tot[1] + tot[2],
            tot[0],
            tot[1],
            tot[2]
        );
    }
}
