//! Prints the numbers that a browser's are compared with: `conformance PERFT BENCH POSITIONS`.

use mousetrap_web::conformance::{Wanted, run};

#[expect(clippy::print_stdout, reason = "an example")]
fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>().ok());
    let mut number = || numbers.next().flatten();
    let wanted = Wanted {
        perft: number(),
        bench: number(),
        positions: number().map(|count| count as usize),
        seed: None,
    };
    println!("{}", serde_json::to_string(&run(wanted)).expect("numbers serialise"));
}
