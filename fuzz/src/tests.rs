//! The checks without libFuzzer: on the seeds, and on seeds changed at random.

use crate::*;

/// Changed seeds of each target; blind to coverage, so more would find little more.
const CHANGED_SEEDS: usize = 20_000;

/// A small generator of its own (SplitMix64), so that the test is the same everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }

    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(bytes.len() + 1);
        match self.below(4) {
            0 if at < bytes.len() => bytes[at] = self.below(256) as u8,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => {
                let other = &seeds[self.below(seeds.len())];
                let from = self.below(other.len() + 1);
                bytes.splice(at..at, other[from..].iter().copied());
            }
            _ => bytes.insert(at, self.below(256) as u8),
        }
    }
}

fn holds(check: fn(&[u8]), seeds: Vec<Vec<u8>>) {
    for seed in &seeds {
        check(seed);
    }
    let mut chance = Chance(1);
    for _ in 0..CHANGED_SEEDS {
        let mut bytes = seeds[chance.below(seeds.len())].clone();
        for _ in 0..=chance.below(5) {
            chance.change(&mut bytes, &seeds);
        }
        check(&bytes);
    }
}

macro_rules! holds_for_changed_seeds {
    ($($target:ident),*) => {$(
        #[test]
        fn $target() {
            holds($target::check, $target::seeds());
        }
    )*};
}

holds_for_changed_seeds!(
    condition,
    update,
    key_condition,
    projection,
    number,
    key_codec,
    item_codec,
    wire_request,
    statement,
    signature
);
