//! Entities that share a type: the keys of their rows tell them apart.

use monotable_model::backend::Embedded;
use monotable_model::codegen::Rows;
use monotable_model_derive::{Entity, Id, access_patterns, table};
use serde::{Deserialize, Serialize};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(String);

/// A shelf by its room.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "facet")]
#[key(pk = "SHELF#{shelf}", sk = "IDX#ROOM")]
pub struct RoomFacet {
    pub shelf: Name,
    pub room: String,
}

/// A shelf by its color, which not every shelf has.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "facet", allow(D02, because = "the sort keys tell the facets apart"))]
#[key(pk = "SHELF#{shelf}", sk = "IDX#COLOR")]
pub struct ColorFacet {
    pub shelf: Name,
    pub room: String,
    pub color: Option<String>,
}

table! {
    /// Shelves.
    pub Shelves {
        name = "shelves";
        key(PK, SK);
        type_attribute = entity_type;
        entities(RoomFacet, ColorFacet);
        patterns(ShelfReads);
    }
}

/// The access patterns.
#[access_patterns(Shelves)]
pub trait ShelfReads {
    /// The facets of a shelf.
    #[query(pk = "SHELF#{shelf}", sk = begins_with("IDX#"), rows = FacetRow)]
    fn facets(&self, shelf: &Name) -> Rows<(RoomFacet, ColorFacet)>;
}

#[tokio::test]
async fn rows_are_told_apart_by_their_keys() {
    let store = Shelves::open(Embedded::memory()).await.unwrap();
    let shelf = Name::new("s").unwrap();
    let room = RoomFacet { shelf: shelf.clone(), room: "hall".into() };
    let color = ColorFacet { shelf: shelf.clone(), room: "hall".into(), color: None };
    store.create(&room).await.unwrap();
    store.create(&color).await.unwrap();
    let rows = store.facets(&shelf).all().await.unwrap();
    assert!(
        matches!(&rows[..], [FacetRow::ColorFacet(first), FacetRow::RoomFacet(second)]
            if *first == color && *second == room),
        "{rows:?}"
    );
}
