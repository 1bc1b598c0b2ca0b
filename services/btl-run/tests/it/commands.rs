//! What commands take and refuse.

use monotable_btl_run::refusal::Refusal;
use monotable_btl_run::rules::decide::{self, Inject, zone_of};
use monotable_btl_run::rules::events::{EventBody, LeaveReason};
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::state::{Action, ActionKind, Mode, Rules, Stats, Status, Theme};
use monotable_btl_run::table::TurnId;
use monotable_kit::Refuse as _;

use super::dry_run::{DryRun, NOON, id, new_match, newcomer};

fn lobby(ai_count: u32) -> DryRun {
    let seed = Seed::new([1; 32]);
    let new = new_match(&seed, Mode::Quick, ai_count);
    DryRun::new(seed, new)
}

#[test]
fn a_match_is_set_up_within_its_limits() {
    let seed = Seed::new([1; 32]);
    let new = || new_match(&seed, Mode::Quick, 6);
    let refused = |new| decide::create(new, NOON).unwrap_err();
    let arena = |arena: String| Theme { arena, ..Theme::default() };
    for (new, invalid) in [
        (decide::NewMatch { max_days: Some(0), ..new() }, Refusal::InvalidMaxDays),
        (decide::NewMatch { max_days: Some(31), ..new() }, Refusal::InvalidMaxDays),
        (decide::NewMatch { max_real_days: Some(8), ..new() }, Refusal::InvalidMaxRealDays),
        (decide::NewMatch { max_real_days: Some(7), ..new() }, Refusal::RealDaysOfShortMatch),
        (decide::NewMatch { timezone: Some("Mars".to_owned()), ..new() }, Refusal::InvalidTimezone),
        (decide::NewMatch { cutoff_minute_of_day: Some(1440), ..new() }, Refusal::InvalidCutoff),
        (decide::NewMatch { ai_count: 25, ..new() }, Refusal::TooManyTributes),
        (decide::NewMatch { theme: arena(" ".to_owned()), ..new() }, Refusal::InvalidArena),
        (decide::NewMatch { theme: arena("x".repeat(51)), ..new() }, Refusal::InvalidArena),
    ] {
        assert_eq!(refused(new), invalid);
    }
    let slots =
        |crafting, slots| Rules { crafting, max_crafting_slots: Some(slots), ..Rules::default() };
    for rules in [slots(false, 2), slots(true, 0), slots(true, 5)] {
        let new = decide::NewMatch { rules, ..new() };
        assert_eq!(refused(new), Refusal::InvalidCraftingSlots);
    }
    assert!(decide::create(decide::NewMatch { ai_count: 24, ..new() }, NOON).is_ok());
}

#[test]
fn players_join_once_with_a_name_of_their_own() {
    let mut world = lobby(3);
    world.join(newcomer(0));
    let join = |world: &DryRun, newcomer| decide::join(&world.state(), newcomer, NOON).map(drop);
    assert_eq!(join(&world, newcomer(0)), Err(Refusal::AlreadyJoined));
    let named = |name: &str| decide::Newcomer { name: name.to_owned(), ..newcomer(1) };
    assert_eq!(join(&world, named("PLAYER 0")), Err(Refusal::NameTaken));
    assert_eq!(join(&world, named("brakka")), Err(Refusal::NameTaken));
    assert_eq!(join(&world, named("<script>")), Err(Refusal::InvalidName));
    for stats in [
        Stats { wits: 6, ..Stats::default() },
        Stats { vitality: 11, wits: 0, combat: 4, ..Stats::default() },
    ] {
        let newcomer = decide::Newcomer { stats, ..newcomer(1) };
        assert_eq!(join(&world, newcomer), Err(Refusal::InvalidStats));
    }
    assert_eq!(join(&world, newcomer(1)), Ok(()));
}

#[test]
fn a_player_replaces_an_ai_tribute_in_a_full_roster() {
    let mut world = lobby(2);
    for number in 0..22 {
        world.join(newcomer(number));
    }
    for number in 22..24 {
        assert_eq!(world.state().roster.len(), 24);
        assert_eq!(decide::add_ai(&world.state(), NOON).unwrap_err(), Refusal::LobbyFull);
        world.join(newcomer(number));
    }
    let full = decide::join(&world.state(), newcomer(24), NOON).unwrap_err();
    assert_eq!((full, full.problem().code), (Refusal::LobbyFull, "LOBBY_FULL"));
    assert!(world.state().roster.iter().all(|tribute| tribute.user_id.is_some()));
}

#[test]
fn a_match_starts_with_four() {
    let mut world = lobby(4);
    let gone = decide::remove(&world.state(), &id("ai-2"), LeaveReason::Removed, NOON).unwrap();
    world.commit(gone);
    assert_eq!(decide::start(&world.state(), NOON).unwrap_err(), Refusal::TooFewTributes);
    world.commit(decide::add_ai(&world.state(), NOON).unwrap());
    assert!(world.state().tribute(&id("ai-2")).is_some());
    world.start();
    let state = world.state();
    assert_eq!((state.status, state.day, state.turn), (Status::Active, 1, 1));
    assert_eq!(decide::start(&state, NOON).unwrap_err(), Refusal::MatchInProgress);
    assert_eq!(
        decide::join(&state, newcomer(0), NOON).unwrap_err().problem().code,
        "MATCH_IN_PROGRESS"
    );
}

#[test]
fn an_action_is_for_the_open_turn_and_may_change() {
    let mut world = lobby(4);
    world.join(newcomer(0));
    let (me, turn) = (id("p0"), TurnId::of(1, 1));
    let rest = || Action::plain(ActionKind::Rest);
    let submit = |world: &DryRun, who: &str, turn: &TurnId, action| {
        decide::submit(&world.state(), &id(who), turn, action, NOON).map(drop)
    };
    assert_eq!(submit(&world, "p0", &turn, rest()), Err(Refusal::NotStarted));
    world.start();
    assert_eq!(submit(&world, "p0", &TurnId::of(1, 2), rest()), Err(Refusal::StaleTurn));
    assert_eq!(submit(&world, "p9", &turn, rest()), Err(Refusal::UnknownTribute));
    let long = Action { free_text: Some("x".repeat(201)), ..rest() };
    assert_eq!(submit(&world, "p0", &turn, long), Err(Refusal::InvalidFreeText));
    let at_me = Action { target_id: Some(me.clone()), ..rest() };
    assert_eq!(submit(&world, "p0", &turn, at_me).unwrap_err().problem().code, "VALIDATION");
    world.submit(&me, rest()).unwrap();
    world.submit(&me, Action::plain(ActionKind::Hide)).unwrap();
    let state = world.state();
    assert_eq!(state.pending_actions[&me].action, ActionKind::Hide);
    world.commit(decide::cancel(&state, NOON).unwrap());
    assert_eq!(submit(&world, "p0", &turn, rest()), Err(Refusal::MatchEnded));
    assert_eq!(decide::cancel(&world.state(), NOON).unwrap_err(), Refusal::MatchEnded);
}

#[test]
fn a_game_master_hurts_but_never_kills() {
    let mut world = lobby(8);
    world.start();
    let damage = |zone, damage| Inject::Hazard { zone, damage };
    for wrong in [damage(0, 1), damage(5, 1), damage(1, 0), damage(1, 3)] {
        assert!(decide::inject(&world.state(), wrong, NOON).is_err());
    }
    let before = world.state();
    for _ in 0..20 {
        world.commit(decide::inject(&world.state(), damage(2, 2), NOON).unwrap());
    }
    for tribute in &world.state().roster {
        let was = before.tribute(&tribute.id).unwrap().hp;
        let hp = if zone_of(&before, &tribute.id) == Some(2) { 1 } else { was };
        assert_eq!((tribute.alive, tribute.hp), (true, hp), "{}", tribute.id);
    }
}

#[test]
fn sponsors_give_where_the_rules_and_hands_allow() {
    let mut world = lobby(4);
    world.start();
    let gift = || Inject::ItemDrop { tribute_id: id("ai-1") };
    assert!(decide::inject(&world.state(), gift(), NOON).is_err());
    let rules = Rules { sponsors: true, ..Rules::default() };
    world.commit(decide::change_rules(&world.state(), rules, NOON).unwrap());
    for _ in 0..2 {
        let events = decide::inject(&world.state(), gift(), NOON).unwrap();
        assert!(matches!(events[1].body, EventBody::SponsorDrop { .. }));
        world.commit(events);
    }
    assert!(decide::inject(&world.state(), gift(), NOON).is_err());
    let state = world.state();
    let items = &state.tribute(&id("ai-1")).unwrap().inventory;
    assert_eq!(items.len(), 2);
    assert_ne!(items[0].id, items[1].id);
}
