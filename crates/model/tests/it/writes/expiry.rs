//! With sweeping off, everything is as if expired rows were removed at once.

use monotable_model::{Error, Result};
use proptest::prelude::*;

use super::fixture::{Fixture, fixture, seconds, session};
use crate::league::{Session, SessionKey};

#[derive(Clone, Debug)]
enum Step {
    Create { id: u8, token: Option<u8>, ttl: Option<i64> },
    Put { id: u8, token: Option<u8>, ttl: Option<i64> },
    EditLast { id: u8, token: Option<u8>, ttl: Option<i64> },
    Visit { id: u8, creates: bool },
    Expire { id: u8, ttl: i64 },
    Delete { id: u8 },
    DeleteByKey { id: u8 },
    Wait { seconds: u64 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let id = || 0..3_u8;
    let token = || proptest::option::of(0..3_u8);
    let ttl = || proptest::option::of(1..30_i64);
    let step = prop_oneof![
        (id(), token(), ttl()).prop_map(|(id, token, ttl)| Step::Create { id, token, ttl }),
        (id(), token(), ttl()).prop_map(|(id, token, ttl)| Step::Put { id, token, ttl }),
        (id(), token(), ttl()).prop_map(|(id, token, ttl)| Step::EditLast { id, token, ttl }),
        (id(), any::<bool>()).prop_map(|(id, creates)| Step::Visit { id, creates }),
        (id(), 1..30_i64).prop_map(|(id, ttl)| Step::Expire { id, ttl }),
        id().prop_map(|id| Step::Delete { id }),
        id().prop_map(|id| Step::DeleteByKey { id }),
        (1..15_u64).prop_map(|seconds| Step::Wait { seconds }),
    ];
    proptest::collection::vec(step, 1..40)
}

/// A table with the time that has passed and the sessions as they were seen last.
struct World {
    f: Fixture,
    passed: i64,
    last: [Option<Session>; 3],
}

impl World {
    async fn step(&mut self, step: &Step) -> String {
        let entity = |id: u8, token: Option<u8>, ttl: Option<i64>| {
            let token = token.map(|token| format!("token{token}"));
            let ttl = ttl.map(|ttl| ttl + self.passed);
            session(&format!("s{id}"), token.as_deref(), ttl)
        };
        let key = |id: u8| SessionKey::new(format!("s{id}"));
        let db = &self.f.db;
        let (id, result) = match step.clone() {
            Step::Create { id, token, ttl } => (id, db.create(&entity(id, token, ttl)).await),
            Step::Put { id, token, ttl } => (id, db.put(&entity(id, token, ttl)).await),
            Step::EditLast { id, token, ttl } => {
                let Some(last) = self.last[usize::from(id)].clone() else { return String::new() };
                let new = entity(id, token, ttl);
                let change = |s: &mut Session| (s.token, s.ttl) = (new.token, new.ttl);
                (id, db.edit(last, change).await)
            }
            Step::Visit { id, creates } => {
                let update = Session::update(&key(id)).add_visits(1);
                let update = if creates { update.or_create() } else { update };
                (id, db.update(update).await)
            }
            Step::Expire { id, ttl } => {
                let ttl = Some(seconds(ttl + self.passed));
                (id, db.update(Session::update(&key(id)).ttl(ttl)).await)
            }
            Step::Delete { id } => {
                let Some(last) = self.last[usize::from(id)].clone() else { return String::new() };
                return told(db.delete(&last).await);
            }
            Step::DeleteByKey { id } => return told(db.delete_by_key(&key(id)).await),
            Step::Wait { seconds } => {
                self.f.clock.advance_ms(seconds * 1_000);
                self.passed += i64::try_from(seconds).unwrap();
                return String::new();
            }
        };
        if let Ok(session) = &result {
            self.last[usize::from(id)] = Some(session.clone());
        }
        told(result)
    }
}

fn told<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Err(Error::ConditionFailed { entity, .. }) => format!("condition of {entity}"),
        other => format!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn late_removal_is_never_seen(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let world = || async {
                World { f: fixture().await, passed: 0, last: [None, None, None] }
            };
            let (mut late, mut swept) = (world().await, world().await);
            for step in &steps {
                let expected = swept.step(step).await;
                assert_eq!(late.step(step).await, expected, "{step:?}");
                swept.f.backend.database().sweep_expired().unwrap();
            }
            late.f.backend.database().sweep_expired().unwrap();
            assert_eq!(late.f.rows().await, swept.f.rows().await);
        });
    }
}
