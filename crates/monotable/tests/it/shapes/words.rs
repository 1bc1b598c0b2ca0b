//! Names that mean something else in Rust or to the macros.

use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct TypeId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "S#{shard}", sk = "{type}", shards = 4, by = r#type)]
#[index(GSI1: sparse, pk = "WHERE#{where}", sk = "{type}")]
#[unique(r#ref)]
struct Loop {
    r#type: TypeId,
    r#where: Option<TypeId>,
    r#ref: String,
    #[counter]
    r#in: u32,
    #[version]
    ver: u64,
}

/// Fields with the names of the generated code's own variables.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "RESULT#{position}", sk = "{text}#{other}")]
struct Result {
    position: TypeId,
    text: TypeId,
    other: TypeId,
    key: u8,
    row: u8,
    pad: u8,
    value: u8,
    by: u8,
    now: u8,
    #[copy(Loop.r#ref)]
    moment: String,
}

table! {
    /// Words.
    r#Enum {
        name = "words";
        key(PK, SK);
        type_attribute = none;
        index GSI1(GSI1PK, GSI1SK);
        entities(Loop, Result);
        patterns(Query);
    }
}

#[access_patterns(r#Enum)]
trait Query {
    #[get(unique = r#ref)]
    fn r#ref(&self, r#ref: &str) -> One<Loop>;
    #[query(pk = "S#{shard}", shards = 4)]
    fn r#loop(&self) -> Rows<Loop>;
    #[query(index = GSI1, pk = "WHERE#{where}")]
    fn r#where(&self, r#where: &TypeId, #[filter] r#in: Option<u32>) -> Rows<Loop>;
    #[query(pk = "RESULT#{route}", sk = begins_with("{store}#"))]
    fn rows(&self, route: &TypeId, store: &TypeId, #[filter] key: u8) -> Rows<Result>;
}

#[tokio::test]
async fn words_of_rust_are_names_of_fields() {
    let db = r#Enum::open(Embedded::memory()).await.unwrap();
    let id = |text: &str| TypeId::new(text).unwrap();
    let row = Loop { r#type: id("a"), r#where: Some(id("b")), r#ref: "c".into(), r#in: 0, ver: 0 };
    db.create(&row).await.unwrap();
    let update = Loop::update(&LoopKey::new(id("a"))).add_in(2).when(loop_::r#where().exists());
    assert_eq!(db.update(update).await.unwrap().r#in, 2);
    assert_eq!(db.r#ref("c").await.unwrap().map(|row| row.r#in), Some(2));
    assert_eq!(db.r#loop().count().await.unwrap(), 1);
    assert_eq!(db.r#where(&id("b"), Some(2)).count().await.unwrap(), 1);
    assert_eq!(db.rows(&id("x"), &id("y"), 0).count().await.unwrap(), 0);
    assert_eq!(r#Enum::design().name, "Enum");
}
