//! How often clients may call the interface: a hundred times a minute from an address, and organisers a thousand times.

use crate::world::Event;

/// In tests requests have no address, so that accounts are counted.
#[tokio::test]
async fn clients_and_organisers_have_limits_of_their_own() {
    let event = Event::new().await;
    let path = "/hackathon/config";
    for (user, limit) in [("ann", 100), ("admin", 1_000)] {
        for number in 1..=limit {
            assert_eq!(event.get(user, path).await.status, 200, "{user} {number}");
        }
        let refused = event.get(user, path).await;
        assert_eq!(refused.outcome(), "429 RATE_LIMITED", "{user}");
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(event.get(user, "/hackathon/health").await.status, 200);
        assert_eq!(event.get(user, "/event").await.status, 200, "pages are not the interface");
    }
    assert_eq!(event.get("bo", path).await.status, 200);
    event.clock.advance_ms(60_000);
    assert_eq!(event.get("ann", path).await.status, 200);
}

/// All events of a gateway come from a few addresses, and are signed.
#[tokio::test]
async fn the_gateway_has_no_limit() {
    let event = Event::new().await;
    let (_, order) = event.order("ann", &["al"]).await;
    event.gateway.attempt(&order, monotable_kit::payment_gateway::Attempt::Succeeds).unwrap();
    let webhook = event.webhooks().remove(0);
    for number in 0..150 {
        assert_eq!(event.webhook(&webhook).await.status, 200, "{number}");
    }
}
