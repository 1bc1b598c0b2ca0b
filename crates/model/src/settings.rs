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

use crate::backend::{Backend, Capabilities};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::shape;
use crate::store::Store;
use crate::table::Table;

/// How a table is opened. Made by `settings()` of the table.
pub struct Settings<T: Table> {
    choices: Choices,
    table: PhantomData<fn() -> T>,
}

/// What settings say, whichever table they are for.
struct Choices {
    table_name: Option<String>,
    variables: BTreeMap<String, String>,
    cursor_key: Option<[u8; 32]>,
    missing: Missing,
    verification: Verification,
    expiry: Expiry,
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

/// What happens when there is no such table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    AsBackend,
    Create,
}

/// Whether the live table is compared with the declared one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verification {
    On,
    Off,
}

/// What becomes of a time to live that is off in a table that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expiry {
    /// Where missing tables are created, it is switched on; elsewhere the table differs.
    AsDeclared,
    /// It stays off.
    AsFound,
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
        };
        Self { choices, table: PhantomData }
    }
}

impl<T: Table> Settings<T> {
    /// The settings of a table that needs none.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the environment, which stands for `{environment}` in the table's name. It is `dev` unless
    /// set.
    #[must_use]
    pub fn environment(self, environment: impl Into<String>) -> Self {
        self.variable("environment", environment)
    }

    /// Sets what stands for another `{name}` in the table's name.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.choices.variables.insert(name.into(), value.into());
        self
    }

    /// Opens a table of another name than the declared one, which may have `{variables}` too.
    #[must_use]
    pub fn table_name(mut self, name: impl Into<String>) -> Self {
        self.choices.table_name = Some(name.into());
        self
    }

    /// Sets the secret that cursors are signed with. Processes that take each other's cursors must
    /// share one; without it every opened table has its own, and cursors end with the process.
    #[must_use]
    pub fn cursor_key(mut self, key: [u8; 32]) -> Self {
        self.choices.cursor_key = Some(key);
        self
    }

    /// Creates the table when there is none, also where others usually do. A table that lacks only its time
    /// to live gets it.
    #[must_use]
    pub fn create_missing(mut self) -> Self {
        self.choices.missing = Missing::Create;
        self
    }

    /// Accepts a table whose time to live is off, and leaves it off: rows of older programs may have a time in the past,
    /// which counts only after they were looked at. [`Store::enable_expiry`] switches it on.
    #[must_use]
    pub fn expiry_as_found(mut self) -> Self {
        self.choices.expiry = Expiry::AsFound;
        self
    }

    /// Trusts that the live table is as declared: no request is made before the first operation.
    #[must_use]
    pub fn without_verification(mut self) -> Self {
        self.choices.verification = Verification::Off;
        self
    }

    /// Opens the table: the backend must be able to do what the model needs, and the live table must
    /// be as declared. The embedded engine creates a missing table, and switches a missing time to live on.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the backend lacks something, [`Error::TableDiffers`] if the live
    /// table is another one, [`Error::Settings`] if the name has a variable without a value.
    pub async fn open(self, backend: impl Backend) -> Result<Store<T>> {
        self.open_shared(Arc::new(backend)).await
    }

    /// Opens the table, as [`open`](Self::open) does, on a backend that other tables are on too, and whose
    /// type is not known here.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub async fn open_shared(self, backend: Arc<dyn Backend>) -> Result<Store<T>> {
        Ok(Store::new(self.choices.open(T::META, backend).await?))
    }
}

impl Choices {
    /// Opens a table. In a box, because what is awaited is compiled in each crate that awaits it.
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
            let is_new = creates && complete_table(&context, self.expiry).await?;
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
    /// If there is one already, or the backend refuses.
    pub async fn create_table(&self) -> Result<()> {
        create_table(Arc::clone(self.context())).await
    }

    /// Compares the live table with the declared one.
    ///
    /// # Errors
    /// [`Error::TableDiffers`] with every difference in words.
    pub async fn verify_table(&self) -> Result<()> {
        verify_table(Arc::clone(self.context()), Expiry::AsDeclared).await
    }

    /// Switches the table's time to live on, if it is off.
    ///
    /// # Errors
    /// What the backend reports.
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

/// What is done to a table as a whole.
type Opening<V> = Pin<Box<dyn Future<Output = Result<V>> + Send>>;

/// Creates a missing table; whether it was missing. A table that lacks only its time to live gets it:
/// that is how a process leaves it that ends between the two steps of creating it.
async fn complete_table(context: &Arc<Context>, expiry: Expiry) -> Result<bool> {
    let Some(mut live) = context.describe_table().await? else {
        create_table(Arc::clone(context)).await?;
        return Ok(true);
    };
    let declared = shape::declared(context.table, &context.table_name);
    if let (None, Some(attribute)) = (&live.ttl_attribute, &declared.ttl_attribute)
        && expiry == Expiry::AsDeclared
    {
        let enabled = attribute.clone();
        live.ttl_attribute = Some(enabled.clone());
        if shape::differences(&declared, &live).is_empty() {
            context.backend.enable_time_to_live(&context.table_name, enabled).await?;
        }
    }
    Ok(false)
}

fn create_table(context: Arc<Context>) -> Opening<()> {
    Box::pin(async move {
        let shape = shape::declared(context.table, &context.table_name);
        Ok(context.backend.create_table(shape).await?)
    })
}

fn verify_table(context: Arc<Context>, expiry: Expiry) -> Opening<()> {
    Box::pin(async move {
        let table = context.table_name.to_string();
        let Some(live) = context.describe_table().await? else {
            let differences = vec!["there is no such table".to_owned()];
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

/// The table's name with its variables filled in.
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

/// Refuses a model that needs what the backend lacks, before its first request.
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
        Error::Settings(format!("the operating system gives no randomness for cursors: {error}"))
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
