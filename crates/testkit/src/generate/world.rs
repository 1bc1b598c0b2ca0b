//! The generated tables: three tables with different key schemas, few keys and few values, so that
//! operations often affect the same items.

use monotable_engine::{CreateTable, IndexDefinition, StreamViewType};
use monotable_types::{Item, Projection};
use proptest::prelude::*;

use super::value::{attributes, key_type, value_for};

/// The index that is added and removed. Its key attribute has values of all types, so that most
/// items do not fit it.
pub const ADDED_INDEX: &str = "g9-added";
/// The key attribute of the index that is added and removed.
pub const ADDED_KEY: &str = "x";

/// The key of a generated table or index.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The index; none for the table itself.
    pub index: Option<&'static str>,
    /// Whether it is a global index.
    pub global: bool,
    /// The attributes of the partition key.
    pub partition: &'static [&'static str],
    /// The attributes of the sort key.
    pub sort: &'static [&'static str],
    /// The projected attributes besides keys; `None` for all.
    pub included: Option<&'static [&'static str]>,
}

/// A generated table.
#[derive(Clone, Copy, Debug)]
pub struct World {
    /// Its name.
    pub name: &'static str,
    /// Its own key, then those of its indexes.
    pub shapes: &'static [Shape],
    stream: Option<StreamViewType>,
}

const fn table(partition: &'static [&'static str], sort: &'static [&'static str]) -> Shape {
    Shape { index: None, global: false, partition, sort, included: None }
}

const fn global(
    name: &'static str,
    partition: &'static [&'static str],
    sort: &'static [&'static str],
    included: Option<&'static [&'static str]>,
) -> Shape {
    Shape { index: Some(name), global: true, partition, sort, included }
}

const fn local(
    name: &'static str,
    sort: &'static [&'static str],
    included: Option<&'static [&'static str]>,
) -> Shape {
    Shape { index: Some(name), global: false, partition: &["PK"], sort, included }
}

const ADDED: Shape = global(ADDED_INDEX, &[ADDED_KEY], &[], None);

/// The tables: string keys with every kind of index, a number as sort key with an index of two and
/// two key attributes, and a lone binary key.
pub const TABLES: [World; 3] = [
    World {
        name: "league",
        shapes: &[
            table(&["PK"], &["SK"]),
            global("g1-all", &["gs"], &["gt"], None),
            global("g2-keys", &["gs"], &[], Some(&[])),
            global("g3-include", &["gn"], &["SK"], Some(&["x", "m"])),
            local("l1-keys", &["gn"], Some(&[])),
            local("l2-include", &["gt"], Some(&["x", "ss"])),
            ADDED,
        ],
        stream: Some(StreamViewType::NewAndOldImages),
    },
    World {
        name: "events",
        shapes: &[
            table(&["PK"], &["at"]),
            global("g1-multi", &["gs", "gn"], &["gt", "gb"], None),
            global("g2-inverse", &["at"], &["PK"], Some(&[])),
            local("l1-all", &["gb"], None),
            ADDED,
        ],
        stream: Some(StreamViewType::NewImage),
    },
    World {
        name: "blobs",
        shapes: &[
            table(&["hash"], &[]),
            global("g1-include", &["gb"], &["gn"], Some(&["x", "y"])),
            ADDED,
        ],
        stream: Some(StreamViewType::OldImage),
    },
];

impl World {
    /// Returns the request that creates the table.
    pub fn create(&self) -> CreateTable {
        let key = self.shapes[0];
        let mut create = CreateTable::new(self.name);
        create.stream = self.stream;
        for (names, is_sort) in [(key.partition, false), (key.sort, true)] {
            for name in names {
                let scalar_type = key_type(name).as_str();
                let keyed = if is_sort {
                    create.sort_key(name, scalar_type)
                } else {
                    create.partition_key(name, scalar_type)
                };
                create = keyed.unwrap();
            }
        }
        for shape in &self.shapes[1..self.shapes.len() - 1] {
            for name in shape.partition.iter().chain(shape.sort) {
                if !create.attribute_definitions.iter().any(|known| known.name == *name) {
                    create = create.attribute(name, key_type(name).as_str()).unwrap();
                }
            }
            let definition = shape.definition();
            create = if shape.global {
                create.global_index(definition)
            } else {
                create.local_index(definition)
            };
        }
        create
    }

    /// Returns a primary key.
    pub fn key(&self) -> BoxedStrategy<Item> {
        attributes(self.shapes[0].partition.iter().chain(self.shapes[0].sort).copied())
    }

    /// Returns an item with its primary key and about half of everything else.
    pub fn item(&self) -> BoxedStrategy<Item> {
        let optional = |(name, chance): (&'static str, f64)| {
            let attribute = value_for(name).prop_map(move |value| (name.to_owned(), value));
            prop::option::weighted(chance, attribute)
        };
        let index_keys = ["gs", "gt", "gn", "gb"].map(|name| (name, 0.6));
        let documents = ["m", "l"].map(|name| (name, 0.5));
        let others = ["x", "y", "n", "ss", "ns", "bs", "ttl", "status"].map(|name| (name, 0.35));
        let large = [("big", 0.03), ("huge", 0.01)];
        let all = index_keys.into_iter().chain(documents).chain(others).chain(large);
        (self.key(), all.map(optional).collect::<Vec<_>>())
            .prop_map(|(mut item, rest)| {
                item.extend(rest.into_iter().flatten());
                // Both together may be larger than an item may be.
                if item.contains_key("huge") {
                    item.remove("big");
                }
                item
            })
            .boxed()
    }
}

impl Shape {
    /// Returns the index as a request defines it.
    pub fn definition(&self) -> IndexDefinition {
        let projection = match self.included {
            None => Projection::All,
            Some([]) => Projection::KeysOnly,
            Some(names) => {
                Projection::Include(names.iter().map(|name| (*name).to_owned()).collect())
            }
        };
        let name = self.index.expect("only indexes have a definition");
        IndexDefinition::new(name, self.partition, self.sort).projection(projection)
    }
}
