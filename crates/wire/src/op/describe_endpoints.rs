//! DescribeEndpoints: the only endpoint is the one that received the request.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::touch::Touch;

/// How long SDKs may cache the response, as on AWS.
const CACHE_PERIOD_MINUTES: u32 = 1_440;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeEndpoints {
    host: String,
}

impl Call for DescribeEndpoints {
    fn member(&mut self, _: &str, reader: &mut Reader<'_>) -> Result<()> {
        reader.ignore()
    }

    fn host(&mut self, host: &str) {
        host.clone_into(&mut self.host);
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::account("DescribeEndpoints")]
    }

    async fn respond(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
        json.name("Endpoints");
        json.begin_array();
        json.begin_object();
        json.name("Address");
        json.string(&self.host);
        json.integer_member("CachePeriodInMinutes", CACHE_PERIOD_MINUTES);
        json.end_object();
        json.end_array();
        Ok(())
    }
}
