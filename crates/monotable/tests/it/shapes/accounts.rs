//! Users and organizations that share one namespace, as in the DynamoDB Book's GitHub design: the
//! key of a row does not determine its entity.

use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct AccountName(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "ACCOUNT#{name}", sk = "ACCOUNT#{name}")]
#[entity(
    allow(K01, because = "users and organizations share one space of names"),
    allow(W01, because = "imports write over what is there"),
    allow(W02, because = "the first visit creates the user")
)]
struct User {
    name: AccountName,
    #[serde(default)]
    visits: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[version]
    ver: u64,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "ACCOUNT#{name}", sk = "ACCOUNT#{name}")]
#[entity(allow(W01, because = "imports write over what is there"))]
struct Organization {
    name: AccountName,
    #[serde(default)]
    visits: u32,
    #[version]
    ver: u64,
}

/// A user with a unique e-mail address, so that most of its writes read the row first.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "ACCOUNT#{name}", sk = "ACCOUNT#{name}")]
#[unique(email)]
#[entity(
    allow(W01, because = "imports write over what is there"),
    allow(W02, because = "the first visit creates the member")
)]
struct Member {
    name: AccountName,
    #[serde(default = "nobody")]
    email: String,
    #[serde(default)]
    visits: u32,
    #[version]
    ver: u64,
}

fn nobody() -> String {
    "nobody".to_owned()
}

/// A second row of this one takes an account's key.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "ALIAS#{alias}", sk = "ALIAS")]
#[mirror(pk = "ACCOUNT#{name}", sk = "ACCOUNT#{name}")]
struct Alias {
    alias: AccountName,
    name: AccountName,
}

/// An entity with keys of its own.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "ACCOUNT#{name}", sk = "REPOSITORY#{repository}")]
struct Repository {
    name: AccountName,
    repository: AccountName,
}

table! {
    /// Accounts of two types, and their repositories.
    Hub {
        name = "hub";
        key(PK, SK);
        type_attribute = Type;
        entities(User, Organization, Member, Alias, Repository);
        patterns(HubReads);
        allow(K01, because = "users and organizations share one space of names");
    }
}

#[access_patterns(Hub)]
trait HubReads {
    #[get(pk = "ACCOUNT#{name}", sk = "ACCOUNT#{name}", allow(P03, because = "asks for one type"))]
    fn user(&self, name: &AccountName) -> One<User>;
    #[get(pk = "ACCOUNT#{name}", sk = "ACCOUNT#{name}", allow(P03, because = "asks for one type"))]
    fn member(&self, name: &AccountName) -> One<Member>;
    #[get(pk = "ACCOUNT#{name}", sk = "ACCOUNT#{name}")]
    fn account(&self, name: &AccountName) -> One<(User, Organization, Member, Alias)>;
    #[batch_get]
    fn users(&self, keys: &[UserKey]) -> Many<User>;
    #[query(pk = "ACCOUNT#{name}", allow(P03, because = "asks for one type"))]
    fn user_page(&self, name: &AccountName) -> Rows<User>;
    #[get(pk = "ACCOUNT#{name}", sk = "{row}", allow(P03, because = "any row of the account"))]
    fn repository_at(&self, name: &AccountName, row: &str) -> One<Repository>;
}

fn name(text: &str) -> AccountName {
    AccountName::new(text).unwrap()
}

fn user(text: &str) -> User {
    User { name: name(text), visits: 0, text: None, ver: 0 }
}

fn member(text: &str) -> Member {
    Member { name: name(text), email: format!("{text}@example.org"), visits: 0, ver: 0 }
}

/// Returns a table with the organization `acme`, and that organization.
async fn hub() -> (Store<Hub>, Organization) {
    let db = Hub::open(Embedded::memory()).await.unwrap();
    let acme = Organization { name: name("acme"), visits: 0, ver: 0 };
    let acme = db.create(&acme).await.unwrap();
    (db, acme)
}

/// That the organization is still there, as it was.
async fn is_untouched(db: &Store<Hub>, acme: &Organization) {
    let found = db.account(&name("acme")).await.unwrap();
    assert_eq!(found, Some(Account::Organization(acme.clone())));
    assert_eq!(db.verify(acme).await.unwrap(), []);
}

fn not_found(error: &Error) -> bool {
    match error {
        Error::NotFound { entity } => ["User", "Member"].contains(entity),
        Error::Transaction { failures } => failures.iter().all(|one| not_found(&one.error)),
        _ => false,
    }
}

fn is_other_type(error: &Error) -> bool {
    match error {
        Error::OtherType { entity, found } => {
            ["User", "Member"].contains(entity) && found == "Organization"
        }
        Error::Transaction { failures } => failures.iter().all(|one| is_other_type(&one.error)),
        _ => false,
    }
}

#[tokio::test]
async fn reads_return_no_row_of_another_type() {
    let (db, acme) = hub().await;
    let ann = db.create(&user("ann")).await.unwrap();
    assert_eq!(db.user(&name("acme")).await.unwrap(), None);
    assert_eq!(db.member(&name("acme")).await.unwrap(), None);
    assert_eq!(db.user(&name("ann")).await.unwrap().as_ref(), Some(&ann));
    let keys = [UserKey::new(name("acme")), ann.key()];
    let expected = [None, Some(ann.clone())];
    assert_eq!(db.users(&keys).await.unwrap(), expected);
    assert_eq!(db.users(&keys).at_one_moment().await.unwrap(), expected);
    assert_eq!(db.user_page(&name("acme")).page().await.unwrap().rows, []);
    assert_eq!(db.user_page(&name("ann")).page().await.unwrap().rows, [ann]);
    is_untouched(&db, &acme).await;
}

#[tokio::test]
async fn a_get_that_may_reach_other_entities_compares_the_type() {
    let (db, _) = hub().await;
    let tools = Repository { name: name("acme"), repository: name("tools") };
    db.create(&tools).await.unwrap();
    let found = db.repository_at(&name("acme"), "REPOSITORY#tools").await.unwrap();
    assert_eq!(found, Some(tools));
    assert_eq!(db.repository_at(&name("acme"), "ACCOUNT#acme").await.unwrap(), None);
}

#[tokio::test]
async fn changes_find_no_row_of_another_type() {
    let (db, acme) = hub().await;
    let key = UserKey::new(name("acme"));
    let (stale, stale_member) =
        (User { ver: 1, ..user("acme") }, Member { ver: 1, ..member("acme") });
    let error = db.update(User::update(&key).visits(7)).await.unwrap_err();
    assert!(not_found(&error), "{error:?}");
    let error =
        db.update(Member::update(&MemberKey::new(name("acme"))).visits(7)).await.unwrap_err();
    assert!(not_found(&error), "{error:?}");
    let error = db.edit(stale.clone(), |user| user.visits = 7).await.unwrap_err();
    assert!(not_found(&error), "{error:?}");
    let error = db.edit(stale_member.clone(), |member| member.visits = 7).await.unwrap_err();
    assert!(not_found(&error), "{error:?}");
    let error = db.edit(stale.clone(), |_| ()).await.unwrap_err();
    assert!(not_found(&error), "{error:?}");
    let error = db.rekey(&stale, &user("ann")).await.unwrap_err();
    assert!(not_found(&error), "{error:?}");
    for error in [
        db.transact().with(User::update(&key).visits(7)).await.unwrap_err(),
        db.transact().with(edit(&stale, |user| user.visits = 7)).await.unwrap_err(),
        db.transact().with(edit(&stale_member, |member| member.visits = 7)).await.unwrap_err(),
        db.transact().with(rekey(&stale, &user("ann"))).await.unwrap_err(),
        db.transact().with(check(&key, user::visits().eq(0))).await.unwrap_err(),
    ] {
        assert!(not_found(&error), "{error:?}");
    }
    let error = db.verify(&stale).await.unwrap_err();
    assert!(not_found(&error), "{error:?}");
    is_untouched(&db, &acme).await;
}

#[tokio::test]
async fn deletes_leave_rows_of_another_type() {
    let (db, acme) = hub().await;
    let (key, member_key) = (UserKey::new(name("acme")), MemberKey::new(name("acme")));
    assert!(!db.delete_by_key(&key).await.unwrap());
    assert!(!db.delete_by_key(&member_key).await.unwrap());
    db.transact().with(delete_by_key(&key)).await.unwrap();
    db.transact().with(delete_by_key(&member_key)).await.unwrap();
    db.batch().delete(&key).await.unwrap();
    for error in [
        db.delete(&User { ver: 1, ..user("acme") }).await.unwrap_err(),
        db.delete(&Member { ver: 1, ..member("acme") }).await.unwrap_err(),
        db.transact().with(delete(&User { ver: 1, ..user("acme") })).await.unwrap_err(),
    ] {
        assert!(not_found(&error), "{error:?}");
    }
    is_untouched(&db, &acme).await;
    assert!(db.delete_by_key(&acme.key()).await.unwrap());
    assert!(!db.delete_by_key(&acme.key()).await.unwrap());
}

#[tokio::test]
async fn no_write_replaces_a_row_of_another_type() {
    let (db, acme) = hub().await;
    let ann = db.create(&user("ann")).await.unwrap();
    let bob = db.create(&member("bob")).await.unwrap();
    let key = UserKey::new(name("acme"));
    let visit = || User::update(&key).visits(1).or_create();
    let member_visit = || Member::update(&MemberKey::new(name("acme"))).visits(1).or_create();
    for error in [
        db.create(&user("acme")).await.unwrap_err(),
        db.create(&member("acme")).await.unwrap_err(),
        db.put(&user("acme")).await.unwrap_err(),
        db.put(&member("acme")).await.unwrap_err(),
        db.update(visit()).await.unwrap_err(),
        db.update(member_visit()).await.unwrap_err(),
        db.rekey(&ann, &user("acme")).await.unwrap_err(),
        db.rekey(&bob, &member("acme")).await.unwrap_err(),
        db.batch().put(&user("acme")).await.unwrap_err().cause,
        db.transact().with(create(user("acme"))).await.unwrap_err(),
        db.transact().with(put(user("acme"))).await.unwrap_err(),
        db.transact().with(put(member("acme"))).await.unwrap_err(),
        db.transact().with(visit()).await.unwrap_err(),
        db.transact().with(member_visit()).await.unwrap_err(),
        db.transact().with(rekey(&ann, &user("acme"))).await.unwrap_err(),
        db.transact().with(check_absent(&key)).await.unwrap_err(),
    ] {
        assert!(is_other_type(&error), "{error:?}");
    }
    is_untouched(&db, &acme).await;
    assert_eq!(db.user(&name("ann")).await.unwrap(), Some(ann));
    assert_eq!(db.member(&name("bob")).await.unwrap(), Some(bob));
}

#[tokio::test]
async fn a_mirror_takes_no_key_of_another_type() {
    let (db, acme) = hub().await;
    let alias = Alias { alias: name("a"), name: name("acme") };
    let error = db.create(&alias).await.unwrap_err();
    let expected = Error::OtherType { entity: "Alias", found: "Organization".to_owned() };
    assert_eq!(error, expected);
    is_untouched(&db, &acme).await;
    db.create(&Alias { name: name("free"), ..alias }).await.unwrap();
    let error = db.create(&user("free")).await.unwrap_err();
    assert_eq!(error, Error::OtherType { entity: "User", found: "Alias".to_owned() });
}

#[tokio::test]
async fn rows_of_the_type_are_written_as_ever() {
    let (db, acme) = hub().await;
    let ann = db.create(&user("ann")).await.unwrap();
    let error = db.create(&ann).await.unwrap_err();
    assert!(matches!(error, Error::Exists { entity: "User" }), "{error:?}");
    let ann = db.edit(ann, |ann| ann.visits = 2).await.unwrap();
    let ann = db.update(User::update(&ann.key()).visits(3)).await.unwrap();
    let ann = db.put(&User { visits: 4, ..ann }).await.unwrap();
    db.batch()
        .put(&User { visits: 5, ..ann.clone() })
        .delete(&UserKey::new(name("x")))
        .await
        .unwrap();
    let ann = db
        .update(User::update(&ann.key()).text(Some("hello".to_owned())).or_create())
        .await
        .unwrap();
    assert_eq!((ann.visits, ann.text.as_deref()), (5, Some("hello")));
    let bea = db.rekey(&ann, &User { name: name("bea"), ..ann.clone() }).await.unwrap();
    assert_eq!(db.user(&name("bea")).await.unwrap().as_ref(), Some(&bea));
    let bob = db.put(&member("bob")).await.unwrap();
    let bob = db.edit(bob, |bob| bob.visits = 9).await.unwrap();
    db.delete(&bob).await.unwrap();
    assert!(db.delete_by_key(&bea.key()).await.unwrap());
    is_untouched(&db, &acme).await;
}
