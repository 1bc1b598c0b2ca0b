//! The way in, an operation and a body to the body of a response, and the one list of operations: their
//! names, and which code answers them.

use std::future::Future;

use monotable_engine::Database;

use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::op;
use crate::sigv4::Identity;
use crate::touch::Touch;

/// Answers requests from a database.
#[derive(Clone)]
pub struct Endpoint {
    database: Database,
}

/// A request whose signature was looked at.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The name that the client knows the server by, from the header `Host`.
    pub host: &'a str,
    /// The JSON that was sent.
    pub body: &'a [u8],
    /// Who signed it; none when the server asks for no signatures.
    pub identity: Option<&'a Identity<'a>>,
}

/// One operation: how its request is read, what it touches, and how it is answered.
pub(crate) trait Call: Default {
    /// Whether a successful response has a body; that of a few operations is empty.
    const HAS_BODY: bool = true;

    /// Takes one member of the request's body.
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()>;

    /// Takes the name that the client knows the server by; few care.
    fn host(&mut self, _: &str) {}

    /// What the caller must be allowed to do.
    fn touches(&self) -> Vec<Touch<'_>>;

    /// Validates in AWS's order, runs, and writes the members of the response.
    fn answer(
        self,
        database: &Database,
        json: &mut Writer<'_>,
    ) -> impl Future<Output = Result<()>> + Send;
}

macro_rules! operations {
    ($($service:ident { $($(#[$attribute:meta])* $name:ident => $module:ident,)* })*) => {
        /// An operation of DynamoDB or of DynamoDB Streams.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operation {
            $($(
                #[doc = stringify!($name)]
                $name,
            )*)*
        }

        impl Operation {
            /// Every operation, in the order of [`Operation::index`].
            pub const ALL: &[Self] = &[$($(Self::$name,)*)*];

            /// AWS's name of the operation.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$name => stringify!($name),)*)*
                }
            }

            /// The operation that a header `X-Amz-Target` names.
            pub fn from_target(target: &[u8]) -> Option<Self> {
                let dot = target.iter().position(|&byte| byte == b'.')?;
                let (service, name) = (&target[..dot], &target[dot + 1..]);
                match service {
                    $(
                        service if service == service_id(stringify!($service)) => match name {
                            $(name if name == stringify!($name).as_bytes() => Some(Self::$name),)*
                            _ => None,
                        },
                    )*
                    _ => None,
                }
            }
        }

        impl Endpoint {
            /// Appends the response's body to `out`: what the operation returns, or what went wrong.
            pub async fn call(
                &self,
                operation: Operation,
                request: Request<'_>,
                out: &mut Vec<u8>,
            ) -> Result<(), Failure> {
                let start = out.len();
                let result = match operation {
                    $($(Operation::$name => {
                        self.run::<op::$module::$name>(request, out).await
                    })*)*
                };
                if let Err(failure) = &result {
                    out.truncate(start);
                    failure.write(out);
                }
                result
            }
        }
    };
}

fn service_id(service: &str) -> &'static [u8] {
    match service {
        "Streams" => b"DynamoDBStreams_20120810",
        _ => b"DynamoDB_20120810",
    }
}

operations! {
    DynamoDb {
        BatchExecuteStatement => batch_execute_statement,
        BatchGetItem => batch_get_item,
        BatchWriteItem => batch_write_item,
        CancelBulkOperation => absent,
        CreateBackup => refused,
        CreateGlobalTable => refused,
        CreateTable => create_table,
        DeleteBackup => refused,
        DeleteItem => delete_item,
        DeleteResourcePolicy => delete_resource_policy,
        DeleteTable => delete_table,
        DescribeBackup => absent,
        DescribeBulkOperation => absent,
        DescribeContinuousBackups => describe_continuous_backups,
        DescribeContributorInsights => describe_contributor_insights,
        DescribeEndpoints => describe_endpoints,
        DescribeExport => absent,
        DescribeGlobalTable => absent,
        DescribeGlobalTableSettings => absent,
        DescribeImport => absent,
        DescribeKinesisStreamingDestination => describe_kinesis_streaming_destination,
        DescribeLimits => describe_limits,
        DescribeTable => describe_table,
        DescribeTableReplicaAutoScaling => describe_table_replica_auto_scaling,
        DescribeTimeToLive => describe_time_to_live,
        DisableKinesisStreamingDestination => refused,
        EnableKinesisStreamingDestination => refused,
        ExecuteStatement => execute_statement,
        ExecuteTransaction => execute_transaction,
        ExportTableToPointInTime => refused,
        GetItem => get_item,
        GetResourcePolicy => get_resource_policy,
        ImportTable => refused,
        ListBackups => list_backups,
        ListBulkOperations => absent,
        ListContributorInsights => list_contributor_insights,
        ListExports => absent,
        ListGlobalTables => absent,
        ListImports => absent,
        ListTables => list_tables,
        ListTagsOfResource => list_tags_of_resource,
        PutItem => put_item,
        PutResourcePolicy => put_resource_policy,
        Query => query,
        RestoreTableFromBackup => refused,
        RestoreTableToPointInTime => refused,
        Scan => scan,
        SearchVectors => refused,
        StartBulkPutItems => refused,
        TagResource => tag_resource,
        TransactGetItems => transact_get_items,
        TransactWriteItems => transact_write_items,
        UntagResource => untag_resource,
        UpdateContinuousBackups => update_continuous_backups,
        UpdateContributorInsights => update_contributor_insights,
        UpdateGlobalTable => refused,
        UpdateGlobalTableSettings => refused,
        UpdateItem => update_item,
        UpdateKinesisStreamingDestination => refused,
        UpdateTable => update_table,
        UpdateTableReplicaAutoScaling => refused,
        UpdateTimeToLive => update_time_to_live,
    }
    Streams {
        DescribeStream => describe_stream,
        GetRecords => get_records,
        GetShardIterator => get_shard_iterator,
        ListStreams => list_streams,
    }
}

impl Operation {
    /// A small number for tables of figures.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Endpoint {
    /// Returns an endpoint of this database.
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// Reads, authorizes and answers a request.
    async fn run<C: Call>(&self, request: Request<'_>, out: &mut Vec<u8>) -> Result<()> {
        let mut call = C::default();
        call.host(request.host);
        let mut reader = Reader::new(request.body)?;
        reader.body(|reader, name| call.member(name, reader))?;
        if let Some(identity) = request.identity {
            identity.authorize(&self.database, &call.touches())?;
        }
        let start = out.len();
        let mut json = Writer::new(out);
        json.begin_object();
        call.answer(&self.database, &mut json).await?;
        json.end_object();
        if !C::HAS_BODY {
            out.truncate(start);
        }
        Ok(())
    }
}
