//! The one list of operations: their names, and which code answers them.

use std::future::Future;

use monotable_engine::Database;

use crate::endpoint::{Endpoint, Request};
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::op;
use crate::touch::Touch;

/// One operation: how its request is read, what it touches, and how it is answered.
pub(crate) trait Call: Default {
    /// Takes one member of the request's body.
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()>;

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

        /// Reads, authorizes and answers a request.
        pub(crate) async fn call(
            endpoint: &Endpoint,
            operation: Operation,
            request: Request<'_>,
            out: &mut Vec<u8>,
        ) -> Result<()> {
            match operation {
                $($(Operation::$name => {
                    run::<op::$module::$name>(endpoint, request, out).await
                })*)*
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
        BatchGetItem => batch_get_item,
        BatchWriteItem => batch_write_item,
        DeleteItem => delete_item,
        GetItem => get_item,
        PutItem => put_item,
        Query => query,
        Scan => scan,
        TransactGetItems => transact_get_items,
        TransactWriteItems => transact_write_items,
        UpdateItem => update_item,
    }
}

impl Operation {
    /// A small number for tables of figures.
    pub fn index(self) -> usize {
        self as usize
    }
}

async fn run<C: Call>(endpoint: &Endpoint, request: Request<'_>, out: &mut Vec<u8>) -> Result<()> {
    let mut call = C::default();
    let mut reader = Reader::new(request.body)?;
    reader.body(|reader, name| call.member(name, reader))?;
    let mut json = Writer::new(out);
    json.begin_object();
    call.answer(&endpoint.database, &mut json).await?;
    json.end_object();
    Ok(())
}
