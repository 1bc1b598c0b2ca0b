//! Random numbers against values that another program computed from RFC 8439 and FIPS 180-4.

use monotable_btl_run::rules::rng::{NoSeed, Rng, Seed};
use monotable_btl_run::table::MatchId;

fn counting() -> Seed {
    Seed::new(std::array::from_fn(|place| place as u8))
}

fn rng() -> Rng {
    Rng::of_turn(&counting(), &MatchId::new("match-1").unwrap(), 2, 3, 1)
}

#[test]
fn draws_are_those_of_another_program() {
    let mut rng = rng();
    let dice: Vec<u32> = (0..24).map(|_| rng.die(20)).collect();
    let expected =
        [2, 2, 5, 9, 3, 15, 5, 6, 20, 20, 4, 18, 5, 15, 19, 9, 20, 7, 6, 5, 4, 8, 16, 17];
    assert_eq!(dice, expected);
    let mut letters: Vec<char> = "abcdefgh".chars().collect();
    rng.shuffle(&mut letters);
    assert_eq!(letters.into_iter().collect::<String>(), "fdchbeag");
    // A quarter of the words is rejected below three quarters of 2^32: here two of eight.
    let large: Vec<u32> = (0..6).map(|_| rng.below(0xC000_0000)).collect();
    let expected =
        [2_571_356_962, 1_326_114_579, 465_793_339, 1_230_302_729, 645_062_801, 832_084_947];
    assert_eq!(large, expected);
    assert_eq!(rng.draws(), 39);
}

#[test]
fn every_part_of_the_key_counts() {
    let match_1 = MatchId::new("match-1").unwrap();
    let first = |mut rng: Rng| rng.below(u32::MAX);
    let turns = [
        Rng::of_turn(&counting(), &match_1, 2, 3, 1),
        Rng::of_turn(&Seed::new([0; 32]), &match_1, 2, 3, 1),
        Rng::of_turn(&counting(), &MatchId::new("match-2").unwrap(), 2, 3, 1),
        Rng::of_turn(&counting(), &match_1, 3, 3, 1),
        Rng::of_turn(&counting(), &match_1, 2, 2, 1),
        Rng::of_turn(&counting(), &match_1, 2, 3, 2),
    ];
    let mut words: Vec<u32> = turns.into_iter().map(first).collect();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), 6);
}

#[test]
fn a_seed_is_promised_by_its_hash_and_never_printed() {
    let seed = counting();
    let promised = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
    assert_eq!(seed.commit(), promised);
    assert_eq!(format!("{seed:?}"), "Seed(secret)");
    assert_eq!(Seed::try_from(seed.reveal()), Ok(seed));
    assert_eq!(Seed::try_from("00".repeat(31)), Err(NoSeed));
    assert_eq!(Seed::try_from(format!("+{}", "0".repeat(63))), Err(NoSeed));
}
