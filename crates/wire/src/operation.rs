//! The entry point, from an operation and a body to the body of the response, and the list of
//! operations.

use std::future::Future;

use monotable_engine::Database;
use monotable_lifecycle::Lifecycle;

use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::observation::Observation;
use crate::op;
use crate::sigv4::Identity;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// Handles requests to a database.
#[derive(Clone)]
pub struct Endpoint {
    database: Database,
    lifecycle: Option<Lifecycle>,
}

/// A request whose signature has been checked.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The name of the server that the client used, from the header `Host`.
    pub host: &'a str,
    /// The JSON of the request.
    pub body: &'a [u8],
    /// The signer, or `None` if the server does not check signatures.
    pub identity: Option<&'a Identity<'a>>,
}

/// One operation: how to read its request, what it touches, and how to run it.
pub(crate) trait Call: Default {
    /// Whether a successful response has a body, which a few operations lack.
    const HAS_BODY: bool = true;

    /// Reads one member of the request's body.
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()>;

    /// Takes the name of the server that the client used. Most operations ignore it.
    fn host(&mut self, _: &str) {}

    /// Returns the member `ReturnConsumedCapacity`, if the operation has one.
    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        None
    }

    /// Returns the actions and resources that the caller needs permission for.
    fn touches(&self) -> Vec<Touch<'_>>;

    /// Validates in AWS's order, runs the operation, and writes the members of the response.
    fn respond(
        self,
        database: &Database,
        json: &mut Writer<'_>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Like [`Call::respond`], for operations that start jobs, which not every endpoint supports.
    fn respond_at(
        self,
        endpoint: &Endpoint,
        json: &mut Writer<'_>,
    ) -> impl Future<Output = Result<()>> + Send {
        self.respond(&endpoint.database, json)
    }
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

            /// Returns AWS's name of the operation.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$name => stringify!($name),)*)*
                }
            }

            /// Returns the operation that a header `X-Amz-Target` names.
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
            /// Appends the body of the response to `out`: the result of the operation, or the
            /// error.
            pub async fn call(
                &self,
                operation: Operation,
                request: Request<'_>,
                out: &mut Vec<u8>,
            ) -> Result<(), Failure> {
                self.call_observed(operation, request, out, None).await
            }

            /// Does the same as [`Endpoint::call`], and notes what the request uses.
            pub async fn call_observed(
                &self,
                operation: Operation,
                request: Request<'_>,
                out: &mut Vec<u8>,
                observation: Option<&mut Observation>,
            ) -> Result<(), Failure> {
                let start = out.len();
                let result = match operation {
                    $($(Operation::$name => {
                        self.run::<op::$module::$name>(request, out, observation).await
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
        CancelBulkOperation => cancel_bulk_operation,
        CreateBackup => create_backup,
        CreateGlobalTable => unsupported_writes,
        CreateTable => create_table,
        DeleteBackup => delete_backup,
        DeleteItem => delete_item,
        DeleteResourcePolicy => delete_resource_policy,
        DeleteTable => delete_table,
        DescribeBackup => describe_backup,
        DescribeBulkOperation => describe_bulk_operation,
        DescribeContinuousBackups => describe_continuous_backups,
        DescribeContributorInsights => describe_contributor_insights,
        DescribeEndpoints => describe_endpoints,
        DescribeExport => describe_export,
        DescribeGlobalTable => unsupported_reads,
        DescribeGlobalTableSettings => unsupported_reads,
        DescribeImport => describe_import,
        DescribeKinesisStreamingDestination => describe_kinesis_streaming_destination,
        DescribeLimits => describe_limits,
        DescribeTable => describe_table,
        DescribeTableReplicaAutoScaling => describe_table_replica_auto_scaling,
        DescribeTimeToLive => describe_time_to_live,
        DisableKinesisStreamingDestination => unsupported_writes,
        EnableKinesisStreamingDestination => unsupported_writes,
        ExecuteStatement => execute_statement,
        ExecuteTransaction => execute_transaction,
        ExportTableToPointInTime => export_table_to_point_in_time,
        GetItem => get_item,
        GetResourcePolicy => get_resource_policy,
        ImportTable => import_table,
        ListBackups => list_backups,
        ListBulkOperations => list_bulk_operations,
        ListContributorInsights => list_contributor_insights,
        ListExports => list_exports,
        ListGlobalTables => unsupported_reads,
        ListImports => list_imports,
        ListTables => list_tables,
        ListTagsOfResource => list_tags_of_resource,
        PutItem => put_item,
        PutResourcePolicy => put_resource_policy,
        Query => query,
        RestoreTableFromBackup => restore_table_from_backup,
        RestoreTableToPointInTime => restore_table_to_point_in_time,
        Scan => scan,
        SearchVectors => unsupported_writes,
        StartBulkPutItems => start_bulk_put_items,
        TagResource => tag_resource,
        TransactGetItems => transact_get_items,
        TransactWriteItems => transact_write_items,
        UntagResource => untag_resource,
        UpdateContinuousBackups => update_continuous_backups,
        UpdateContributorInsights => update_contributor_insights,
        UpdateGlobalTable => unsupported_writes,
        UpdateGlobalTableSettings => unsupported_writes,
        UpdateItem => update_item,
        UpdateKinesisStreamingDestination => unsupported_writes,
        UpdateTable => update_table,
        UpdateTableReplicaAutoScaling => unsupported_writes,
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
    /// Returns a small number for tables of metrics.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Endpoint {
    /// Returns an endpoint of this database.
    pub fn new(database: Database) -> Self {
        Self { database, lifecycle: None }
    }

    /// Returns an endpoint of the database of a lifecycle, with backups, exports and imports.
    pub fn with_lifecycle(lifecycle: Lifecycle) -> Self {
        Self { database: lifecycle.database().clone(), lifecycle: Some(lifecycle) }
    }

    /// Returns the database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Returns the lifecycle, which runs jobs.
    ///
    /// # Errors
    ///
    /// The endpoint has no lifecycle, so the feature is not supported.
    pub(crate) fn lifecycle(&self, feature: UnsupportedFeature) -> Result<&Lifecycle> {
        self.lifecycle.as_ref().ok_or_else(|| feature.refusal())
    }

    /// Reads, authorizes and runs a request.
    async fn run<C: Call>(
        &self,
        request: Request<'_>,
        out: &mut Vec<u8>,
        mut observation: Option<&mut Observation>,
    ) -> Result<()> {
        let mut call = C::default();
        call.host(request.host);
        let mut reader = Reader::new(request.body)?;
        reader.body(|reader, name| call.member(name, reader))?;
        let mut hides_capacity = false;
        if let Some(observation) = &mut observation {
            observation.note_tables(&call.touches());
            hides_capacity = call.returned_capacity().is_some_and(observed);
        }
        if let Some(identity) = request.identity {
            identity.authorize(&self.database, &call.touches())?;
        }
        let start = out.len();
        let mut json = Writer::new(out);
        json.hides_capacity = hides_capacity;
        json.begin_object();
        call.respond_at(self, &mut json).await?;
        json.end_object();
        if let Some(observation) = observation {
            observation.used = json.used;
        }
        if !C::HAS_BODY {
            out.truncate(start);
        }
        Ok(())
    }
}

/// Makes an observed request return its units, and returns whether the client did not request them.
fn observed(word: &mut Option<String>) -> bool {
    let is_hidden = word.as_deref().is_none_or(|word| word == "NONE");
    if is_hidden {
        *word = Some("TOTAL".to_owned());
    }
    is_hidden
}
