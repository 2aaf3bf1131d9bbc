//! The bench signature, pinned: how many nodes the fixed searches of `mousetrap bench` take together.

use engine::bench;

/// Changes with what the engine searches, and with nothing else: a commit that changes it says so and
/// carries the match that justifies it (`CONTRIBUTING.md`).
const SIGNATURE: u64 = 596_670;

#[test]
fn bench_takes_the_nodes_it_always_took() {
    assert_eq!(bench::run(bench::DEPTH).nodes, SIGNATURE);
}
