use gadgets::circuit::Gate;
use gadgets::contract::{self, Contract};
use gadgets::gadget::{Gadget, Passage};
use gadgets::holding::{Backflow::*, *};
use jungle::{Animal, Rules};
fn main() {
    let rules = Rules::LEIDEN;
    let tries: &[(&str, [&str; 3])] = &[
        ("~.~~.\n.ew~.\n~~L~~\n.~~~.\n", ["in1 N 0", "in2 N 1", "out E 0"]),
        ("~.~~.\n.ew~.\n~~L~~\n.~~~.\n", ["in1 N 0", "in2 N 1", "out E 1"]),
        ("~.~~.\n.ew~.\n~~L~~\n.~~~.\n", ["in1 N 0", "in2 N 1", "out E 3"]),
        ("~.~~~.\n.ew~~.\n~~L~~~\n~~~~~~\n.~~~~.\n", ["in1 N 0", "in2 N 1", "out E 0"]),
    ];
    for (drawing, ports) in tries {
        let g = Gadget::drawn("or", "OR", drawing, Passage::Water, ports, Animal::Lion);
        for ret in [None, OneAfterSignal, One] {
            for back in [None, OneAfterSignal, One] {
                let s = Surroundings { arriving: vec![1, 1], returning: vec![ret] };
                let p = Promise { back, ..contract::promise(Gate::Or).unwrap() };
                let held = Held::solve(Holding::new(&g, &s, &p, rules));
                println!("{ports:?} returning {ret:?} back {back:?}: holds {} cost {:?} states {}", held.holds(), held.cost(), held.len());
                if !held.holds() && ret == None { println!("    {}", held.refutation().join("; ")); }
            }
        }
        let c = Contract::solve(Gate::Or, &g, &Surroundings { arriving: vec![1, 1], returning: vec![None] }, rules);
        println!("forcing {} {:?}", c.forcing.holds(), c.forcing.plies_after_waiting());
    }
}
