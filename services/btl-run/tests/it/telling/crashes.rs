//! A process that dies at any of its calls while it tells a story.

use std::sync::Arc;

use monotable::model::backend::Embedded;
use monotable_btl_run::jobs::narrate::narrate_due;
use monotable_testkit::failing::{Failing, MOMENTS};
use serde_json::json;

use super::scripted::Scripted;
use super::{tell, tokens, turns};
use crate::served::Served;

const MAX: u64 = 2_000;

#[tokio::test]
async fn whoever_dies_while_telling_leaves_a_story_that_others_tell() {
    for moment in MOMENTS {
        for call in 0.. {
            let when = format!("{moment:?} call {call}");
            let narrator = Arc::new(Scripted::costing(500));
            let set_up = |app: monotable_btl_run::App| {
                app.narrator(Arc::clone(&narrator) as Arc<_>).tokens_max(MAX)
            };
            let served = Served::set_up(set_up).await;
            let (opened, _) = served.begun(json!({}), 1).await;
            served.advance(&opened).await;
            let backend = Failing::at(&Embedded::new(served.database.clone()), call, moment);
            let (database, clock) = (served.database.clone(), Arc::clone(&served.clock));
            let dying = Served::over(database, clock, backend.clone(), set_up).await;
            let _ = narrate_due(&dying.app).await;
            // Nobody waits for the dead: the match goes on.
            served.advance(&opened).await;
            assert!(tokens(&served, &opened).await <= MAX, "{when}");
            for _ in 0..2 {
                served.clock.advance_ms(5 * 60_000);
                tell(&served).await;
            }
            let mut stories = served.stories(&opened).await;
            stories.sort_by_key(|story| story["turnId"].to_string());
            assert_eq!(turns(&stories), ["d1t1", "d1t2"], "{when}");
            assert!(served.keys_of("task#narrate").is_empty(), "{when}");
            assert!(tokens(&served, &opened).await <= MAX, "{when}");
            served.check_log(&opened).await;
            if !backend.has_died() {
                assert!(call > 8, "{when}");
                break;
            }
        }
    }
}
