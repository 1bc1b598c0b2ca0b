//! States as older programs wrote them.

use monotable_btl_run::rules::state::{MatchState, Phase, Stats, Status};
use serde_json::json;

#[test]
fn old_names_are_read_and_unknown_fields_kept() {
    let old = json!({
        "matchId": "m1", "createdAt": 1_769_731_200_000_i64, "mode": "standard",
        "status": "completed", "day": 3, "turn": 1, "maxDays": 10,
        "rules": { "items": true },
        "theme": { "tone": "dark", "arena": "the mill" },
        "roster": [{
            "id": "t1", "type": "human", "name": "Ann", "hp": 4, "maxHp": 15, "alive": true,
            "stats": { "vit": 5, "wits": 4, "combat": 6, "stealth": 5, "charm": 5 },
            "badge": "gold",
        }],
        "pendingActions": { "t1": { "action": "rest", "submittedAt": 1 } },
        "logSeq": 12, "version": 7, "weather": "rain",
    });
    let state: MatchState = serde_json::from_value(old).unwrap();
    assert_eq!(state.status, Status::Ended);
    assert_eq!(state.phase, Phase::Lobby);
    assert_eq!(state.roster[0].stats, Stats { wits: 4, combat: 6, ..Stats::default() });
    assert_eq!((state.rules_ver, state.shard_count, state.timezone.as_str()), (1, 0, "UTC"));
    let new = serde_json::to_value(&state).unwrap();
    assert_eq!(new["status"], "ended");
    assert_eq!(new["roster"][0]["stats"]["vitality"], 5);
    assert_eq!(new["roster"][0]["badge"], "gold");
    assert_eq!(new["weather"], "rain");
    assert_eq!(serde_json::from_value::<MatchState>(new).unwrap(), state);
}
