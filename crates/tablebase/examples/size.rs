#![allow(missing_docs, clippy::all, clippy::print_stdout)]
use game::rng::Rng;
use jungle::*;
use std::sync::Arc;
use std::time::Instant;
use tablebase::{material::*, probe::*, solved::*, source::*, table::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u32 = a[1].parse().unwrap();
    let rules = table_rules(&"leiden".parse().unwrap());
    let mut s = Solver::new(Classes::new(&rules, n));
    let classes = s.classes().clone();
    let mut mem = Memory::default();
    let (mut ts, mut te) = (0.0, 0.0);
    let mut tot = [0u64; 6];
    let mut pos = 0u64;
    let pick: Vec<Material> = if a.len() > 2 {
        a[2..].iter().map(|m| m.parse().unwrap()).collect()
    } else {
        Material::all(n).collect()
    };
    let mut want: Vec<usize> = pick.iter().map(|m| classes.mapping(*m).unwrap().class).collect();
    want.sort();
    want.dedup();
    for id in (0..classes.list().len())
        .filter(|i| classes.list()[*i].material.pieces() < n || want.contains(i))
    {
        let c = &classes.list()[id];
        let t = Instant::now();
        let so = s.solve(id);
        ts += t.elapsed().as_secs_f64();
        let t = Instant::now();
        let b = write(&rules, c, &so, true);
        te += t.elapsed().as_secs_f64();
        let h = u32::from_le_bytes(b[8..12].try_into().unwrap()) as usize + 20;
        let mut ps = [0u64; 6];
        for i in 0..5 {
            ps[i] = u64::from_le_bytes(b[h + i * 8..h + i * 8 + 8].try_into().unwrap());
        }
        ps[5] = h as u64 + 40;
        if c.material.pieces() == n {
            let cn = count(&rules, &so);
            let p = (cn.white.placements() + cn.black.placements()) / 2;
            pos += p;
            for i in 0..6 {
                tot[i] += ps[i];
            }
            if a.len() > 2 {
                println!(
                    "{} {:?} wdl {:.4} dist {:.4}",
                    c.material,
                    ps,
                    (ps[1] + ps[2]) as f64 * 8.0 / p as f64,
                    (ps[3] + ps[4]) as f64 * 8.0 / p as f64
                );
            }
        }
        mem.0.insert(file_name(c.material), Arc::new(b));
    }
    let f = |i: usize| tot[i] as f64 * 8. / pos as f64;
    println!(
        "solve {ts:.1}s encode {te:.1}s; positions {pos} model {:.4} wdlidx {:.4} wdl {:.4} distidx {:.4} dist {:.4} head {:.4} bits/pos; bytes {}",
        f(0),
        f(1),
        f(2),
        f(3),
        f(4),
        f(5),
        tot.iter().sum::<u64>()
    );
    let tb = Tablebase::new(&Rules::LEIDEN, n, mem);
    let mut rng = Rng::new(5);
    let mut ps: Vec<Position> = vec![];
    while ps.len() < 200000 {
        let m = pick[rng.below(pick.len())];
        let mut st = Setup::empty();
        for color in Color::ALL {
            for an in m.side(color).iter() {
                loop {
                    let sq = Square::ALL[rng.below(63)];
                    if board::DENS.contains(sq)
                        || st.board[sq.index()].is_some()
                        || (an != Animal::Rat && board::WATER.contains(sq))
                    {
                        continue;
                    }
                    st.board[sq.index()] = Some(Piece { color, animal: an });
                    break;
                }
            }
        }
        if rng.below(2) == 0 {
            st.turn = Color::Black;
        }
        ps.push(st.position().unwrap());
    }
    for _ in 0..6 {
        let t = Instant::now();
        let mut x = 0;
        for p in &ps {
            x += tb.probe_outcome(p).unwrap() as u64;
        }
        print!("wdl {:.3} us {x} ", t.elapsed().as_secs_f64() * 1e6 / ps.len() as f64);
        let t = Instant::now();
        let mut x = 0;
        for p in &ps {
            x += rank(tb.probe(p).unwrap()) as u64 & 15;
        }
        println!("dist {:.3} us {x}", t.elapsed().as_secs_f64() * 1e6 / ps.len() as f64);
    }
}
