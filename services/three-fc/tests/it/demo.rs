//! The sample data.

use monotable_three_fc::table::ThreeFcReads as _;
use serde_json::Value;

use crate::matchday::MatchDay as _;
use crate::world::{World, id};

#[tokio::test]
async fn it_is_written_once_and_keeps_the_rules() {
    let world = World::new().await;
    for _ in 0..2 {
        world.running.demo("http://localhost/3fc").await.unwrap();
        let count = async |path: &str| {
            world.done("", &format!("GET {path}"), Value::Null).await["count"].clone()
        };
        assert_eq!(count("/v1/public/games/demo-g1/timeline").await, 4);
        assert_eq!(count("/v1/public/games/demo-live/timeline").await, 3);
        assert_eq!(count("/v1/public/seasons/demo-autumn/games").await, 3);
        // A server that starts again on another day adds no match day.
        let sessions = world.app.db.sessions(&id("demo-autumn")).all().await.unwrap();
        assert_eq!(sessions.len(), 2);
        world.check("the sample data").await;
        world.clock.advance_ms(24 * 60 * 60 * 1000);
    }
}
