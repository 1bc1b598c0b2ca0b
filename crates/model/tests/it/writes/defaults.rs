//! Rows that an update creates are in every index that the defaults of their fields lead to.

use monotable_model::backend::Embedded;
use monotable_model::{Entity, Id, KeyWord, Rows, Store, access_patterns, table};
use serde::{Deserialize, Serialize};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct TaskId(String);

#[derive(KeyWord, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    #[default]
    Open,
    Done,
}

/// A task, which is open by default.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W02, because = "a remark may come before the task"))]
#[key(pk = "TASK#{task_id}", sk = "TASK")]
#[index(GSI1: pk = "STATE#{state}", sk = "TASK#{task_id}")]
pub(crate) struct Task {
    pub(crate) task_id: TaskId,
    #[serde(default)]
    pub(crate) state: State,
    pub(crate) remark: Option<String>,
    #[version]
    pub(crate) ver: u64,
}

table! {
    /// What there is to do.
    pub(crate) Tasks {
        name = "tasks";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        entities(Task);
        patterns(TaskReads);
    }
}

#[access_patterns(Tasks)]
pub(crate) trait TaskReads {
    /// Tasks of a state.
    #[query(index = GSI1, pk = "STATE#{state}")]
    fn of_state(&self, state: State) -> Rows<Task>;
}

#[tokio::test]
async fn a_row_is_in_the_index_of_a_default() {
    let db: Store<Tasks> = Tasks::open(Embedded::memory()).await.unwrap();
    let key = TaskKey::new(TaskId::new("t1").unwrap());
    let remark = || Task::update(&key).remark(Some("soon".to_owned())).or_create();
    let created = db.update(remark()).await.unwrap();
    assert_eq!((created.state, created.ver), (State::Open, 1));
    assert_eq!(db.of_state(State::Open).page().await.unwrap().rows, std::slice::from_ref(&created));
    assert_eq!(db.verify(&created).await.unwrap(), []);

    let again = db.update(remark()).await.unwrap();
    assert_eq!(again.ver, 2);
    let done = db.update(Task::update(&key).state(State::Done).or_create()).await.unwrap();
    assert_eq!(db.of_state(State::Open).count().await.unwrap(), 0);
    assert_eq!(db.of_state(State::Done).page().await.unwrap().rows, std::slice::from_ref(&done));

    db.delete(&done).await.unwrap();
    db.transact().with(remark()).await.unwrap();
    assert_eq!(db.of_state(State::Open).count().await.unwrap(), 1);
}
