//! The sample data.

use serde_json::Value;

use crate::matchday::MatchDay as _;
use crate::world::World;

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
        world.check("the sample data").await;
        world.clock.advance_ms(60_000);
    }
}
