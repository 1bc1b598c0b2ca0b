//! A process that dies at any of its calls while it tells a story.

use std::sync::Arc;

use monotable::model::backend::Embedded;
use monotable_btl_run::jobs::narrate::narrate_due;
use monotable_testkit::failing::{Failing, MOMENTS};
use serde_json::json;

use super::scripted::Scripted;
use super::{tell, tokens, turns};
use crate::played::Played as _;
use crate::players::Play as _;
use crate::world::{narrating_later, world_of};

const MAX: u64 = 2_000;

#[tokio::test]
async fn a_process_that_dies_while_writing_leaves_the_story_to_others() {
    for moment in MOMENTS {
        for call in 0.. {
            let when = format!("{moment:?} call {call}");
            let narrator = Arc::new(Scripted::costing(500));
            let world = world_of(narrating_later().narrator(narrator).tokens_max(MAX)).await;
            let (opened, _) = world.begun(json!({}), 1).await;
            world.advance(&opened).await;
            let backend = Failing::at(&Embedded::new(world.database.clone()), call, moment);
            let dying = world.over(backend.clone()).await;
            let _ = narrate_due(&dying.app).await;
            // Nobody waits for the dead: the match goes on.
            world.advance(&opened).await;
            assert!(tokens(&world, &opened).await <= MAX, "{when}");
            for _ in 0..2 {
                world.clock.advance_ms(5 * 60_000);
                tell(&world).await;
            }
            let mut stories = world.stories(&opened).await;
            stories.sort_by_key(|story| story["turnId"].to_string());
            assert_eq!(turns(&stories), ["d1t1", "d1t2"], "{when}");
            assert!(world.keys_of("task#narrate").is_empty(), "{when}");
            assert!(tokens(&world, &opened).await <= MAX, "{when}");
            world.check_log(&opened).await;
            if !backend.has_died() {
                assert!(call > 8, "{when}");
                break;
            }
        }
    }
}
