//! A table in the oracle: a map of items, and rules that are applied to all of them. An index is
//! only a description; a read through it filters and sorts the whole table.

use std::collections::BTreeMap;

use monotable_engine::{CreateTable, IndexDefinition, StreamRecord, StreamViewType};
use monotable_types::{
    AttributeDefinition, AttributeValue as V, Item, KeySchemaElement, KeyType, Number, Projection,
    ScalarType,
};

/// One value of a key, in DynamoDB's order within each type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A string, by bytes.
    S(String),
    /// A number, by value.
    N(Number),
    /// A binary, by unsigned bytes.
    B(Vec<u8>),
}

impl Part {
    /// Returns the value as part of a key; `None` if it can't be one.
    pub fn of(value: &V) -> Option<Self> {
        match value {
            V::S(text) if !text.is_empty() => Some(Self::S(text.clone())),
            V::N(number) => Some(Self::N(*number)),
            V::B(bytes) if !bytes.is_empty() => Some(Self::B(bytes.clone())),
            _ => None,
        }
    }
}

/// The key of a table or of an index, and its projection.
#[derive(Clone, Debug)]
pub struct Index {
    /// The index's name; `None` for the table.
    pub name: String,
    /// Whether it is a global index.
    pub global: bool,
    /// The attributes of the partition key.
    pub partition: Vec<String>,
    /// The attributes of the sort key.
    pub sort: Vec<String>,
    pub(super) projection: Projection,
}

impl Index {
    pub(super) fn new(definition: &IndexDefinition, global: bool) -> Self {
        let (name, projection) = (definition.index_name.clone(), definition.projection.clone());
        Self { name, global, projection, ..Self::of_key(&definition.key_schema) }
    }

    fn of_key(schema: &[KeySchemaElement]) -> Self {
        let of = |key_type| {
            let elements = schema.iter().filter(|element| element.key_type == key_type);
            elements.map(|element| element.attribute_name.clone()).collect()
        };
        let (partition, sort) = (of(KeyType::Hash), of(KeyType::Range));
        Self { name: String::new(), global: false, partition, sort, projection: Projection::All }
    }

    /// Returns all attributes of the key.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.partition.iter().chain(&self.sort)
    }
}

/// One table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its own key.
    pub key: Index,
    pub(super) types: BTreeMap<String, ScalarType>,
    /// Its global indexes, then its local ones.
    pub indexes: Vec<Index>,
    pub(super) ttl: Option<String>,
    pub(super) stream: Option<StreamViewType>,
    /// The items by their primary key.
    pub items: BTreeMap<Vec<Part>, Item>,
    /// The records of the newest stream.
    pub records: Vec<StreamRecord>,
}

impl Table {
    pub(super) fn new(create: &CreateTable) -> Self {
        let global = create.global_secondary_indexes.iter().flatten();
        let local = create.local_secondary_indexes.iter().flatten();
        let global = global.map(|index| Index::new(index, true));
        let mut table = Self {
            key: Index::of_key(&create.key_schema),
            types: BTreeMap::new(),
            indexes: global.chain(local.map(|index| Index::new(index, false))).collect(),
            ttl: None,
            stream: create.stream,
            items: BTreeMap::new(),
            records: Vec::new(),
        };
        table.define(&create.attribute_definitions);
        table
    }

    /// Adds attribute types and removes those that no key uses any more.
    pub(super) fn define(&mut self, definitions: &[AttributeDefinition]) {
        for definition in definitions {
            self.types.entry(definition.name.clone()).or_insert(definition.scalar_type);
        }
        let keys: Vec<&Index> = self.indexes.iter().chain([&self.key]).collect();
        self.types.retain(|name, _| keys.iter().any(|key| key.names().any(|used| used == name)));
    }

    /// Returns the position of an item in the order of these attributes; `None` if one of them
    /// can't be a key.
    pub fn place<'a>(
        &self,
        names: impl Iterator<Item = &'a String>,
        item: &Item,
    ) -> Option<Vec<Part>> {
        let part = |name: &String| {
            let value = item.get(name).filter(|value| self.types[name].matches(value))?;
            Part::of(value)
        };
        names.map(part).collect()
    }

    /// Returns whether the attribute is part of a key and the value has the type that the key
    /// needs.
    pub(super) fn is_of_key_type(&self, name: &str, value: &V) -> bool {
        self.types.get(name).is_some_and(|expected| expected.matches(value))
    }

    pub(super) fn primary_key(&self, item: &Item) -> Vec<Part> {
        self.place(self.key.names(), item).expect("malformed keys are not for the oracle")
    }

    /// Returns the attributes of these names that the item has.
    pub(super) fn only<'a>(names: impl Iterator<Item = &'a String>, item: &Item) -> Item {
        names.filter_map(|name| Some((name.clone(), item.get(name)?.clone()))).collect()
    }

    /// Returns the projection of the item; `None` if the item is not in the index.
    pub fn entry(&self, index: &Index, item: &Item) -> Option<Item> {
        self.place(index.names(), item)?;
        let keys = index.names().chain(self.key.names());
        Some(match &index.projection {
            Projection::All => item.clone(),
            Projection::KeysOnly => Self::only(keys, item),
            Projection::Include(names) => Self::only(keys.chain(names), item),
        })
    }

    /// Returns the first attribute that can't be the key of an index that has it in its key: the
    /// index, the attribute, and the required type.
    pub(super) fn misfit(&self, item: &Item) -> Option<(&String, &String, ScalarType)> {
        let mut indexes: Vec<&Index> = self.indexes.iter().collect();
        indexes.sort_by_key(|index| &index.name);
        let keys = indexes.iter().flat_map(|index| index.names().map(|name| (&index.name, name)));
        keys.filter(|(_, name)| item.contains_key(*name))
            .find(|(_, name)| self.place([*name].into_iter(), item).is_none())
            .map(|(index, name)| (index, name, self.types[name]))
    }
}
