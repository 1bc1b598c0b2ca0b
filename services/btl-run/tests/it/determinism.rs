//! One match, word for word. Whoever changes what a turn comes to must change the rules' version, for
//! matches that are being played would come out differently.

use expect_test::expect_file;
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::state::{Action, ActionKind, Mode, Rules};

use super::dry_run::{DryRun, KINDS, id, new_match, newcomer};

/// Two players among eight, with everything on, to the end.
fn played() -> DryRun {
    let seed = Seed::new(std::array::from_fn(|place| place as u8));
    let mut new = new_match(&seed, Mode::Standard, 6);
    new.max_days = Some(5);
    new.rules = Rules { items: true, crafting: true, sponsors: true, max_crafting_slots: Some(3) };
    let mut world = DryRun::new(seed, new);
    world.join(newcomer(0));
    world.join(newcomer(1));
    world.start();
    for turn in 0.. {
        if world.is_over() {
            break;
        }
        let state = world.state();
        let is_alive = |tribute: &str| state.tribute(&id(tribute)).unwrap().alive;
        if is_alive("p0") {
            world.submit(&id("p0"), Action::plain(KINDS[turn % KINDS.len()])).unwrap();
        }
        // The other player comes every second turn, with a target.
        if turn % 2 == 0 && is_alive("p1") && is_alive("ai-3") {
            let action = Action {
                action: ActionKind::Hunt,
                target_id: Some(id("ai-3")),
                free_text: Some("for the north".to_owned()),
            };
            world.submit(&id("p1"), action).unwrap();
        }
        world.resolve();
    }
    world
}

#[test]
fn a_match_comes_out_as_it_did_on_every_machine() {
    let world = played();
    let log = world.log().join("\n") + "\n" + world.snapshot() + "\n";
    expect_file!["./golden/match.jsonl"].assert_eq(&log);
}
