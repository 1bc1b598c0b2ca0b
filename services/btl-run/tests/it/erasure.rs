//! A person is taken out of a match, and the match still adds up.

use monotable_btl_run::rules::decide;
use monotable_btl_run::rules::erasure::Erasure;
use monotable_btl_run::rules::events::{NarrationAttached, replay};
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::state::{Action, ActionKind, MatchState, Mode, Persona, TributeKind};
use monotable_btl_run::rules::story::verify;
use monotable_btl_run::table::UserId;

use super::dry_run::{DryRun, id, new_match, newcomer};

/// Returns a match of Ann, with her words in it, in its second turn.
fn played() -> DryRun {
    let seed = Seed::new([4; 32]);
    let new = new_match(&seed, Mode::Quick, 4);
    let mut world = DryRun::new(seed, new);
    world.join(decide::Newcomer { name: "Ann".to_owned(), ..newcomer(0) });
    world.join(decide::Newcomer { name: "Tribute 5".to_owned(), ..newcomer(1) });
    world.start();
    let action =
        Action { free_text: Some("my secret".to_owned()), ..Action::plain(ActionKind::Hide) };
    world.submit(&id("p0"), action.clone()).unwrap();
    let turn_id = world.turn_id();
    world.resolve();
    let story = NarrationAttached {
        turn_id,
        narration: "Ann hides. Annoyed, Ann's friend shouts: ANN! ann!".to_owned(),
        tags: Vec::new(),
        fallback: false,
        tokens_used: 0,
        memory: Some("Ann hid".to_owned()),
    };
    world.commit(decide::attach_narration(&world.state(), story, world.now).unwrap());
    world.submit(&id("p0"), action).unwrap();
    world
}

#[test]
fn nothing_of_the_person_is_left_and_the_log_gives_the_snapshot() {
    let world = played();
    let erasure =
        Erasure::of(&world.state(), &world.events(), &UserId::new("user-0").unwrap()).unwrap();
    let events: Vec<_> = world.events().iter().map(|event| erasure.event(event)).collect();
    let state = erasure.state(&world.state());
    assert_eq!(replay(&events, state.version).unwrap(), state);
    let text = serde_json::to_string(&(&events, &state)).unwrap();
    for gone in ["\"Ann\"", "user-0", "secret", "Ann's", "Ann hid"] {
        assert!(!text.contains(gone), "{gone} is still there");
    }
    assert!(
        text.contains("Tribute 6 hides. Annoyed, Tribute 6's friend shouts: Tribute 6! Tribute 6!")
    );
    assert!(text.contains("user-1"), "others are left alone");
    let verified = verify(&world.seed, &events).unwrap();
    assert_eq!(MatchState { version: state.version, ..verified.state }, state);
}

/// What a hybrid does while its player is away comes of its persona, which is written by its player.
#[test]
fn a_persona_is_erased_and_its_results_stay() {
    for archetype in ["hunter", "coward", "diplomat", "sailor"] {
        let seed = Seed::new([7; 32]);
        let new = new_match(&seed, Mode::Quick, 4);
        let mut world = DryRun::new(seed, new);
        let persona = Persona {
            archetype: archetype.to_owned(),
            quirks: vec!["hums sea shanties".to_owned()],
            catchphrase: Some("Ahoy, all of you".to_owned()),
        };
        let kind = TributeKind::Hybrid;
        world.join(decide::Newcomer { kind, persona, ..newcomer(0) });
        world.start();
        for _ in 0..4 {
            if !world.is_over() {
                world.resolve();
            }
        }
        let erasure =
            Erasure::of(&world.state(), &world.events(), &UserId::new("user-0").unwrap()).unwrap();
        let events: Vec<_> = world.events().iter().map(|event| erasure.event(event)).collect();
        let state = erasure.state(&world.state());
        assert_eq!(state.tribute(&id("p0")).unwrap().persona, Persona::default());
        let text = serde_json::to_string(&(&events, &state)).unwrap();
        assert!(!text.contains("shanties") && !text.contains("Ahoy") && !text.contains("sailor"));
        assert_eq!(replay(&events, state.version).unwrap(), state);
        let verified = verify(&world.seed, &events).unwrap();
        assert_eq!(MatchState { version: state.version, ..verified.state }, state);
        assert_eq!(erasure.state(&state), state, "done again, it changes nothing");
    }
}

#[test]
fn a_host_and_a_stranger() {
    let state = played().state();
    let host = Erasure::of(&state, [], &UserId::new("user-host").unwrap()).unwrap();
    assert_eq!(MatchState { host_user_id: None, ..state.clone() }, host.state(&state));
    assert_eq!(Erasure::of(&state, [], &UserId::new("nobody").unwrap()), None);
}
