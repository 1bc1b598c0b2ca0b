//! How a table is opened: its name in this environment, the secret of its cursors, and whether a
//! missing table is created.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use monotable_design::meta::TableMeta;

use crate::backend::request::{Scan, TableShape};
use crate::backend::{Backend, Capabilities};
use crate::context::Context;
use crate::error::{Error, MISSING_TABLE, Result};
use crate::shape;
use crate::store::Store;
use crate::table::Table;

/// How a table is opened. Made by `settings()` of the table.
pub struct Settings<T: Table> {
    choices: Choices,
    table: PhantomData<fn() -> T>,
}

/// The settings without the type of their table.
struct Choices {
    table_name: Option<String>,
    variables: BTreeMap<String, String>,
    cursor_key: Option<[u8; 32]>,
    missing: Missing,
    verification: Verification,
    expiry: Expiry,
    protection: Protection,
}

impl<T: Table> fmt::Debug for Settings<T> {
    /// Without the secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Settings")
            .field("table_name", &self.choices.table_name)
            .field("variables", &self.choices.variables)
            .field("missing", &self.choices.missing)
            .field("verification", &self.choices.verification)
            .finish_non_exhaustive()
    }
}

/// What happens if the table does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    AsBackend,
    Create,
}

/// Whether the existing table is compared with the declared one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verification {
    On,
    Off,
}

/// What happens if expiry is disabled in an existing table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expiry {
    /// Where missing tables are created, it is enabled; elsewhere the table counts as different.
    AsDeclared,
    /// It stays disabled.
    AsFound,
}

/// What protects a table that is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protection {
    Nothing,
    /// It can't be deleted, and be restored as it was at an earlier time.
    Recoverable,
}

impl<T: Table> Default for Settings<T> {
    fn default() -> Self {
        let choices = Choices {
            table_name: None,
            variables: BTreeMap::from([("environment".to_owned(), "dev".to_owned())]),
            cursor_key: None,
            missing: Missing::AsBackend,
            verification: Verification::On,
            expiry: Expiry::AsDeclared,
            protection: Protection::Nothing,
        };
        Self { choices, table: PhantomData }
    }
}

impl<T: Table> Settings<T> {
    /// Returns the default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the environment, which replaces `{environment}` in the table's name. The default is
    /// `dev`.
    #[must_use]
    pub fn environment(self, environment: impl Into<String>) -> Self {
        self.variable("environment", environment)
    }

    /// Sets the value of another `{name}` in the table's name.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.choices.variables.insert(name.into(), value.into());
        self
    }

    /// Opens a table with another name than the declared one, which may contain `{variables}` too.
    #[must_use]
    pub fn table_name(mut self, name: impl Into<String>) -> Self {
        self.choices.table_name = Some(name.into());
        self
    }

    /// Sets the secret that signs cursors. Processes that accept each other's cursors must share
    /// it. By default every opened table has its own secret, and cursors end with the process.
    #[must_use]
    pub fn cursor_key(mut self, key: [u8; 32]) -> Self {
        self.choices.cursor_key = Some(key);
        self
    }

    /// Creates the table if it does not exist, also on backends that do not do so by default. If
    /// only the time to live is missing in an existing table, it is enabled; in a remote table only
    /// while that is empty, which is the state after an interrupted creation.
    #[must_use]
    pub fn create_missing(mut self) -> Self {
        self.choices.missing = Missing::Create;
        self
    }

    /// Accepts a table whose time to live is disabled, and leaves it disabled: rows of older
    /// programs may have a time in the past that must be checked first. [`Store::enable_expiry`]
    /// enables it.
    #[must_use]
    pub fn expiry_as_found(mut self) -> Self {
        self.choices.expiry = Expiry::AsFound;
        self
    }

    /// Protects the table if it is created: DeleteTable is refused, and point-in-time recovery is enabled for 35 days, where
    /// the backend supports that. A table that exists stays as it is.
    #[must_use]
    pub fn protected(mut self) -> Self {
        self.choices.protection = Protection::Recoverable;
        self
    }

    /// Skips the comparison of the existing table with the declared one, so that opening sends no
    /// request.
    #[must_use]
    pub fn without_verification(mut self) -> Self {
        self.choices.verification = Verification::Off;
        self
    }

    /// Opens the table. The backend must support what the model needs, and the existing table must
    /// equal the declared one. The embedded engine creates a missing table, and enables a missing
    /// time to live.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] if the backend lacks a capability, [`Error::TableDiffers`] if the
    /// existing table differs, [`Error::Settings`] if the name contains a variable without a value.
    pub async fn open(self, backend: impl Backend) -> Result<Store<T>> {
        self.open_shared(Arc::new(backend)).await
    }

    /// Does the same as [`open`](Self::open), on a backend that other tables share and whose type
    /// is not known.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub async fn open_shared(self, backend: Arc<dyn Backend>) -> Result<Store<T>> {
        Ok(Store::new(self.choices.open(T::META, backend).await?))
    }
}

impl Choices {
    /// Opens a table. The future is boxed, because an async function is compiled in each crate that
    /// awaits it.
    fn open(self, table: &'static TableMeta, backend: Arc<dyn Backend>) -> Opening<Arc<Context>> {
        Box::pin(async move {
            let name = self.table_name.as_deref().unwrap_or(table.table_name);
            let table_name = fill_in(name, &self.variables)?;
            let capabilities = backend.capabilities();
            check_capabilities(table, capabilities)?;
            let cursor_key = match self.cursor_key {
                Some(key) => key,
                None => random_key()?,
            };
            let context = Arc::new(Context {
                retries: capabilities.retries,
                backend,
                table_name: table_name.into(),
                table,
                cursor_key,
                last_fence: AtomicU64::new(0),
            });
            let creates = capabilities.creates_tables_on_open || self.missing == Missing::Create;
            let is_new = creates && complete_table(&context, self.expiry, self.protection).await?;
            if !is_new && self.verification == Verification::On {
                verify_table(Arc::clone(&context), self.expiry).await?;
            }
            Ok(context)
        })
    }
}

impl<T: Table> Store<T> {
    /// Creates the table as declared, and waits until it can be used.
    ///
    /// # Errors
    ///
    /// The table already exists, or the backend refuses.
    pub async fn create_table(&self) -> Result<()> {
        create_table(Arc::clone(self.context()), Protection::Nothing).await
    }

    /// Compares the existing table with the declared one.
    ///
    /// # Errors
    ///
    /// [`Error::TableDiffers`] with every difference in words.
    pub async fn verify_table(&self) -> Result<()> {
        verify_table(Arc::clone(self.context()), Expiry::AsDeclared).await
    }

    /// Enables the table's time to live, if it is disabled.
    ///
    /// # Errors
    ///
    /// Those of the backend.
    pub async fn enable_expiry(&self) -> Result<()> {
        let context = self.context();
        let live = context.describe_table().await?;
        match (live.map(|live| live.ttl_attribute), context.table.ttl_attribute) {
            (Some(None), Some(attribute)) => {
                let table_name = &context.table_name;
                Ok(context.backend.enable_time_to_live(table_name, attribute.to_owned()).await?)
            }
            _ => Ok(()),
        }
    }
}

/// A pending operation on a whole table.
type Opening<V> = Pin<Box<dyn Future<Output = Result<V>> + Send>>;

/// Creates a missing table, and returns whether it was missing. If only the time to live is missing
/// in an existing table, it is enabled: a process that ends between the two steps of creating a
/// table leaves this state.
async fn complete_table(
    context: &Arc<Context>,
    expiry: Expiry,
    protection: Protection,
) -> Result<bool> {
    let Some(mut live) = context.describe_table().await? else {
        create_table(Arc::clone(context), protection).await?;
        return Ok(true);
    };
    let declared = shape::declared(context.table, &context.table_name);
    if let (None, Some(attribute)) = (&live.ttl_attribute, &declared.ttl_attribute)
        && expiry == Expiry::AsDeclared
    {
        let enabled = attribute.clone();
        live.ttl_attribute = Some(enabled.clone());
        if shape::differences(&declared, &live).is_empty() && may_complete(context).await? {
            context.backend.enable_time_to_live(&context.table_name, enabled).await?;
        }
    }
    Ok(false)
}

/// Returns whether a missing time to live may be enabled. A remote table that is not empty may
/// belong to another program.
async fn may_complete(context: &Arc<Context>) -> Result<bool> {
    if context.backend.capabilities().creates_tables_on_open {
        return Ok(true);
    }
    let first = Scan {
        table: Arc::clone(&context.table_name),
        index: None,
        filter: None,
        consistent: true,
        limit: Some(1),
        start_key: None,
        segment: None,
    };
    Ok(context.scan(first).await?.rows.is_empty())
}

fn create_table(context: Arc<Context>, protection: Protection) -> Opening<()> {
    Box::pin(async move {
        let declared = shape::declared(context.table, &context.table_name);
        let is_protected = protection == Protection::Recoverable;
        let shape = TableShape { is_protected, ..declared };
        Ok(context.backend.create_table(shape).await?)
    })
}

fn verify_table(context: Arc<Context>, expiry: Expiry) -> Opening<()> {
    Box::pin(async move {
        let table = context.table_name.to_string();
        let Some(live) = context.describe_table().await? else {
            let differences = vec![MISSING_TABLE.to_owned()];
            return Err(Error::TableDiffers { table, differences });
        };
        let mut declared = shape::declared(context.table, &table);
        if expiry == Expiry::AsFound && live.ttl_attribute.is_none() {
            declared.ttl_attribute = None;
        }
        let differences = shape::differences(&declared, &live);
        if differences.is_empty() {
            return Ok(());
        }
        Err(Error::TableDiffers { table, differences })
    })
}

/// Fills in the variables in the table's name.
fn fill_in(name: &str, variables: &BTreeMap<String, String>) -> Result<String> {
    let mut filled = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((variable, behind)) = behind.split_once('}') else {
            return Err(Error::Settings(format!(
                "the table name `{name}` has a `{{` without a `}}`"
            )));
        };
        let Some(value) = variables.get(variable) else {
            return Err(Error::Settings(format!(
                "the table name `{name}` needs a value for `{variable}`: call `.variable(\"{variable}\", …)`"
            )));
        };
        filled.push_str(value);
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Refuses a model that needs a capability that the backend lacks, before its first request.
fn check_capabilities(table: &TableMeta, capabilities: Capabilities) -> Result<()> {
    let unsupported = |what: String| Error::Unsupported {
        rule: "R01",
        message: format!("{what}, which {} does not have", capabilities.name),
    };
    if !capabilities.transactions {
        for entity in table.entities {
            if !entity.unique.is_empty() {
                return Err(unsupported(format!(
                    "unique constraints of {} need transactions",
                    entity.name
                )));
            }
            if !entity.mirrors.is_empty() {
                return Err(unsupported(format!("mirrors of {} need transactions", entity.name)));
            }
        }
    }
    if !capabilities.multi_attribute_index_keys {
        for index in table.indexes {
            if index.partition.len() > 1 || index.sort.len() > 1 {
                return Err(unsupported(format!(
                    "index {} has a key of several attributes",
                    index.name
                )));
            }
        }
    }
    Ok(())
}

fn random_key() -> Result<[u8; 32]> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|error| {
        Error::Settings(format!("the operating system provides no randomness for cursors: {error}"))
    })?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: Result<&str, &str>) {
        let variables = BTreeMap::from([("environment".to_owned(), "prod".to_owned())]);
        let filled = fill_in(name, &variables).map_err(|error| error.to_string());
        assert_eq!(filled.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn names_are_filled_in() {
        check("league", Ok("league"));
        check("3fc-{environment}-app", Ok("3fc-prod-app"));
        check(
            "Data-{uniqueId}",
            Err(
                "the table name `Data-{uniqueId}` needs a value for `uniqueId`: call `.variable(\"uniqueId\", …)`",
            ),
        );
    }
}
