//! A hierarchy in the sort key: a row, and rows under it that begin like it.

use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct ForumId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct ThreadId(String);

#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum State {
    Open,
    Closed,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "FORUM#{forum}", sk = "THREAD#{thread}")]
#[index(GSI1: pk = "STATES#{forum}", sk = "{state}#{thread}")]
struct Thread {
    forum: ForumId,
    thread: ThreadId,
    state: State,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "FORUM#{forum}", sk = "THREAD#{thread}#POST#{number:05}")]
struct Post {
    forum: ForumId,
    thread: ThreadId,
    #[immutable]
    number: u16,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "FORUM#{forum}", sk = "THREAD#{thread}#VOTE#{voter}")]
struct Vote {
    forum: ForumId,
    thread: ThreadId,
    voter: ForumId,
}

table! {
    /// Threads with their posts and votes.
    Forums {
        name = "forums";
        key(PK, SK);
        type_attribute = none;
        index GSI1(GSI1PK, GSI1SK);
        entities(Thread, Post, Vote);
        patterns(ForumReads);
    }
}

#[access_patterns(Forums)]
trait ForumReads {
    #[get(pk = "FORUM#{forum}", sk = "THREAD#{thread}")]
    fn thread(&self, forum: &ForumId, thread: &ThreadId) -> One<Thread>;
    #[query(pk = "FORUM#{forum}", sk = begins_with("THREAD#{thread}#"))]
    fn under(&self, forum: &ForumId, thread: &ThreadId) -> Rows<(Post, Vote)>;
    #[query(pk = "FORUM#{forum}", sk = after("THREAD#{thread}#POST#{number:05}"))]
    fn newer(&self, forum: &ForumId, thread: &ThreadId, number: u16) -> Rows<Post>;
    #[query(pk = "FORUM#{forum}", sk = before("THREAD#{thread}#POST#{number:05}"))]
    fn older(&self, forum: &ForumId, thread: &ThreadId, number: u16) -> Rows<Post>;
    #[query(
        pk = "FORUM#{forum}",
        sk = "THREAD#{thread}#POST#{from:05}"..="THREAD#{thread}#POST#{to:05}"
    )]
    fn between(&self, forum: &ForumId, thread: &ThreadId, from: u16, to: u16) -> Rows<Post>;
    #[query(pk = "FORUM#{forum}", sk = begins_with("THREAD#"))]
    fn everything(&self, forum: &ForumId) -> Rows<(Thread, Post, Vote)>;
    #[query(index = GSI1, pk = "STATES#{forum}", sk = "Open#{from}"..)]
    fn open_from(&self, forum: &ForumId, from: &ThreadId) -> Rows<Thread>;
}

#[tokio::test]
async fn ranges_stay_under_their_row() {
    let db = Forums::open(Embedded::memory()).await.unwrap();
    let forum = ForumId::new("f").unwrap();
    let thread = |text: &str| ThreadId::new(text).unwrap();
    for (name, state) in [("1", State::Open), ("10", State::Open), ("2", State::Closed)] {
        let (forum, thread) = (forum.clone(), thread(name));
        db.create(&Thread { forum: forum.clone(), thread: thread.clone(), state }).await.unwrap();
        for number in [1, 9, 10, 100] {
            let (forum, thread) = (forum.clone(), thread.clone());
            db.create(&Post { forum, thread, number }).await.unwrap();
        }
        let voter = forum.clone();
        db.create(&Vote { forum, thread, voter }).await.unwrap();
    }
    let numbers = |page: Page<Post>| {
        assert!(page.rows.iter().all(|post| post.thread.as_str() == "1"), "{page:?}");
        assert_eq!(page.skipped, 0);
        page.rows.iter().map(|post| post.number).collect::<Vec<_>>()
    };
    let one = thread("1");
    assert_eq!(numbers(db.newer(&forum, &one, 9).page().await.unwrap()), [10, 100]);
    assert_eq!(numbers(db.older(&forum, &one, 10).page().await.unwrap()), [1, 9]);
    assert_eq!(numbers(db.between(&forum, &one, 9, 10).page().await.unwrap()), [9, 10]);
    assert_eq!(db.under(&forum, &one).count().await.unwrap(), 5);
    assert_eq!(db.everything(&forum).count().await.unwrap(), 18);
    assert_eq!(
        db.thread(&forum, &one).await.unwrap().map(|thread| thread.state),
        Some(State::Open)
    );
    assert_eq!(db.open_from(&forum, &one).count().await.unwrap(), 2);
}
