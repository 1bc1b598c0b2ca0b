//! DescribeLimits: returns AWS's default quotas, which this server does not enforce.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeLimits;

impl Call for DescribeLimits {
    fn member(&mut self, _: &str, reader: &mut Reader<'_>) -> Result<()> {
        reader.ignore()
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::account("DescribeLimits")]
    }

    async fn respond(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
        const ACCOUNT_UNITS_MAX: u32 = 80_000;
        const TABLE_UNITS_MAX: u32 = 40_000;
        json.integer_member("AccountMaxReadCapacityUnits", ACCOUNT_UNITS_MAX);
        json.integer_member("AccountMaxWriteCapacityUnits", ACCOUNT_UNITS_MAX);
        json.integer_member("TableMaxReadCapacityUnits", TABLE_UNITS_MAX);
        json.integer_member("TableMaxWriteCapacityUnits", TABLE_UNITS_MAX);
        Ok(())
    }
}
