#![allow(missing_docs, clippy::all, clippy::print_stdout)]
use tablebase::{material::*, solved::*, table::*, probe::*, source::*}; use jungle::*; use std::time::Instant; use std::sync::Arc; use game::rng::Rng;
fn main(){
  let a: Vec<String> = std::env::args().collect();
  let n: u32 = a[1].parse().unwrap();
  let rules = table_rules(&"leiden".parse().unwrap());
  let mut s = Solver::new(Classes::new(&rules, n));
  let classes = s.classes().clone();
  let mut mem=Memory::default(); let (mut ts,mut te)=(0.0,0.0); let mut tot=[0u64;6]; let mut pos=0u64;
  let t0=Instant::now();
  let ids: Vec<usize> = if a.len()>2 { a[2..].iter().map(|m| classes.mapping(m.parse().unwrap()).unwrap().class).collect() } else { (0..classes.list().len()).collect() };
  for id in ids { let c=&classes.list()[id]; let t=Instant::now(); let so=s.solve(id); ts+=t.elapsed().as_secs_f64(); let t=Instant::now(); let b=write(&rules,c,&so); te+=t.elapsed().as_secs_f64();
    let h=u32::from_le_bytes(b[8..12].try_into().unwrap()) as usize + 20; let mut ps=[0u64;6]; for i in 0..5 { ps[i]=u64::from_le_bytes(b[h+i*8..h+i*8+8].try_into().unwrap()); } ps[5]=h as u64+40;
    if c.material.pieces()==n { let cn=count(&rules,&so); let p=(cn.white.placements()+cn.black.placements())/2; pos+=p; for i in 0..6 {tot[i]+=ps[i];}
     if a.len()>2 { println!("{} {:?} wdl {:.4} dist {:.4}", c.material, ps, (ps[1]+ps[2]) as f64*8.0/p as f64, (ps[3]+ps[4]) as f64*8.0/p as f64);} }
    mem.0.insert(file_name(c.material), Arc::new(b)); }
  println!("solve {ts:.1}s encode {te:.1}s total {:.1}; positions {pos} model {:.4} wdlidx {:.4} wdl {:.4} distidx {:.4} dist {:.4} head {:.4} bits/pos; bytes {}", t0.elapsed().as_secs_f64(), tot[0] as f64*8./pos as f64, tot[1] as f64*8./pos as f64, tot[2] as f64*8./pos as f64,tot[3] as f64*8./pos as f64,tot[4] as f64*8./pos as f64,tot[5] as f64*8./pos as f64, tot.iter().sum::<u64>());
  if a.len()>2 {return;}
  let tb=Tablebase::new(&Rules::LEIDEN, n, mem); let mut rng=Rng::new(5); let mut ps=vec![];
  while ps.len()<200000 { let mut st=Setup::empty(); let k=1+rng.below(n as usize-1); for i in 0..n as usize { let color=if i<k {Color::White} else {Color::Black}; loop { let an=Animal::ALL[rng.below(8)]; if st.pieces().any(|(_,p)|p.color==color&&p.animal==an) {continue;} let sq=Square::ALL[rng.below(63)]; if board::DENS.contains(sq)||st.board[sq.index()].is_some()||(an!=Animal::Rat&&board::WATER.contains(sq)) {continue;} st.board[sq.index()]=Some(Piece{color,animal:an}); break; } } if rng.below(2)==0 {st.turn=Color::Black;} if let Ok(p)=st.position(){ps.push(p);} }
  for _ in 0..2 { let t=Instant::now(); let mut x=0; for p in &ps { x+=tb.probe_outcome(p).unwrap() as u64; } println!("wdl {:.3} us {x}", t.elapsed().as_secs_f64()*1e6/ps.len() as f64);
  let t=Instant::now(); let mut x=0; for p in &ps { x+=rank(tb.probe(p).unwrap()) as u64 &15; } println!("dist {:.3} us {x}", t.elapsed().as_secs_f64()*1e6/ps.len() as f64); }
}
