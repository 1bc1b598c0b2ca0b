//! A backend with a table for one case, and short forms of what a case does with it.

use std::sync::Arc;

use monotable_expression::{Condition, KeyCondition, Update};
use monotable_model::backend::request::{
    Action, BatchGet, BatchWrite, Get, IndexShape, PageResponse, Query, Returns, Scan, TableShape,
    Transaction, TransactionGet, Write,
};
use monotable_model::backend::{Backend, BackendError};
use monotable_types::{
    AttributeDefinition, AttributeValue, Item, KeySchemaElement, Projection, ScalarType, item,
};

/// The backend and a fresh table.
///
/// Its keys are `PK` and `SK`. `GSI1` has the keys `GSI1PK` and `GSI1SK` and everything; `GSI2` has
/// the keys `league` and the number `points`, and only keys; `LSI1` sorts a partition by `born` and
/// carries `name`. Rows expire by `ttl`.
pub(super) struct Subject {
    pub(super) backend: Arc<dyn Backend>,
    pub(super) table: Arc<str>,
}

/// Returns the key of a row.
pub(super) fn key(pk: &str, sk: &str) -> Item {
    item! { "PK" => pk, "SK" => sk }
}

/// Returns a row with these attributes besides its key.
pub(super) fn row(pk: &str, sk: &str, more: Item) -> Item {
    let mut row = key(pk, sk);
    row.extend(more);
    row
}

/// Returns the shape of the table that every case has.
pub(super) fn shape(table: &str) -> TableShape {
    let string = |name: &str| AttributeDefinition::new(name, ScalarType::S);
    TableShape {
        table: table.to_owned(),
        key: vec![KeySchemaElement::hash("PK"), KeySchemaElement::range("SK")],
        indexes: vec![
            IndexShape {
                name: "GSI1".to_owned(),
                is_local: false,
                key: vec![KeySchemaElement::hash("GSI1PK"), KeySchemaElement::range("GSI1SK")],
                projection: Projection::All,
            },
            IndexShape {
                name: "GSI2".to_owned(),
                is_local: false,
                key: vec![KeySchemaElement::hash("league"), KeySchemaElement::range("points")],
                projection: Projection::KeysOnly,
            },
            IndexShape {
                name: "LSI1".to_owned(),
                is_local: true,
                key: vec![KeySchemaElement::hash("PK"), KeySchemaElement::range("born")],
                projection: Projection::Include(vec!["name".to_owned()]),
            },
        ],
        attributes: vec![
            string("GSI1PK"),
            string("GSI1SK"),
            string("PK"),
            string("SK"),
            string("born"),
            string("league"),
            AttributeDefinition::new("points", ScalarType::N),
        ],
        ttl_attribute: Some("ttl".to_owned()),
        is_protected: false,
    }
}

impl Subject {
    pub(super) async fn new(backend: Arc<dyn Backend>, case: usize) -> Self {
        let table = format!("suite-{}-{case}", backend.now_ms());
        backend.create_table(shape(&table)).await.unwrap();
        Self { backend, table: table.into() }
    }

    /// Returns a write without condition that returns nothing.
    pub(super) fn action(&self, action: Action) -> Write {
        Write {
            table: Arc::clone(&self.table),
            action,
            condition: None,
            return_on_failure: false,
            returns: Returns::Nothing,
            returns_units: true,
        }
    }

    pub(super) fn put_of(&self, item: Item) -> Write {
        self.action(Action::Put(item))
    }

    pub(super) fn update_of(&self, key: Item, update: Update) -> Write {
        self.action(Action::Update(key, update))
    }

    pub(super) fn delete_of(&self, key: Item) -> Write {
        self.action(Action::Delete(key))
    }

    pub(super) fn check_of(&self, key: Item, condition: Condition) -> Write {
        Write { condition: Some(condition), ..self.action(Action::Check(key)) }
    }

    pub(super) async fn put(&self, item: Item) {
        self.backend.write(self.put_of(item)).await.unwrap();
    }

    pub(super) async fn put_all(&self, items: impl IntoIterator<Item = Item>) {
        for item in items {
            self.put(item).await;
        }
    }

    pub(super) fn get_of(&self, key: Item) -> Get {
        Get { table: Arc::clone(&self.table), key, consistent: true, returns_units: true }
    }

    pub(super) async fn get(&self, key: Item) -> Option<Item> {
        self.backend.get(self.get_of(key)).await.unwrap().row.map(|row| row.into_item().unwrap())
    }

    /// Returns a query of the table, forward, consistent, without bounds.
    pub(super) fn query_of(&self, key_condition: KeyCondition) -> Query {
        Query {
            table: Arc::clone(&self.table),
            index: None,
            key_condition,
            filter: None,
            forward: true,
            consistent: true,
            limit: None,
            start_key: None,
        }
    }

    /// Returns a query of a global index.
    pub(super) fn index_query(&self, index: &'static str, key_condition: KeyCondition) -> Query {
        Query { index: Some(index), consistent: false, ..self.query_of(key_condition) }
    }

    /// Returns all pages of a query.
    pub(super) async fn query_pages(&self, query: Query) -> Vec<PageResponse> {
        let mut pages: Vec<PageResponse> = Vec::new();
        let mut start_key = query.start_key.clone();
        loop {
            let page = Query { start_key, ..query.clone() };
            let page = self.backend.query(page).await.unwrap();
            start_key = page.last_key.clone();
            pages.push(page);
            if start_key.is_none() {
                return pages;
            }
            assert!(pages.len() < 1000, "the pages have no end");
        }
    }

    pub(super) fn scan_of(&self) -> Scan {
        Scan {
            table: Arc::clone(&self.table),
            index: None,
            filter: None,
            consistent: true,
            limit: None,
            start_key: None,
            segment: None,
        }
    }

    /// Returns all pages of a scan.
    pub(super) async fn scan_pages(&self, scan: Scan) -> Vec<PageResponse> {
        let mut pages: Vec<PageResponse> = Vec::new();
        let mut start_key = scan.start_key.clone();
        loop {
            let page = self.backend.scan(Scan { start_key, ..scan.clone() }).await.unwrap();
            start_key = page.last_key.clone();
            pages.push(page);
            if start_key.is_none() {
                return pages;
            }
            assert!(pages.len() < 1000, "the pages have no end");
        }
    }

    pub(super) fn batch_get_of(&self, keys: Vec<Item>) -> BatchGet {
        BatchGet { table: Arc::clone(&self.table), keys, consistent: true, returns_units: true }
    }

    pub(super) fn batch_write_of(
        &self,
        writes: Vec<monotable_model::backend::request::BatchAction>,
    ) -> BatchWrite {
        BatchWrite { table: Arc::clone(&self.table), writes }
    }

    pub(super) fn transaction_get_of(&self, keys: Vec<Item>) -> TransactionGet {
        TransactionGet { table: Arc::clone(&self.table), keys, returns_units: true }
    }

    pub(super) async fn transact(&self, writes: Vec<Write>) -> Result<(), BackendError> {
        self.backend.transact(Transaction { writes, token: None }).await.map(drop)
    }
}

/// Returns the rows of pages, one after the other.
pub(super) fn items(pages: Vec<PageResponse>) -> Vec<Item> {
    pages.into_iter().flat_map(|page| page.rows).map(|row| row.into_item().unwrap()).collect()
}

/// Returns one string attribute of every row.
pub(super) fn texts(items: &[Item], name: &str) -> Vec<String> {
    let text = |item: &Item| item.get(name).and_then(AttributeValue::as_s).map(str::to_owned);
    items.iter().map(|item| text(item).unwrap_or_else(|| panic!("no {name} in {item:?}"))).collect()
}

/// Returns the error that something ought to have.
pub(super) fn refused<T>(result: Result<T, BackendError>) -> String {
    match result {
        Err(BackendError::Refused(text)) => text,
        Err(other) => panic!("another error: {other:?}"),
        Ok(_) => panic!("it was taken"),
    }
}
