//! What all services on Monotable share.
//!
//! A service is a list of [`Route`]s over its own state. The router, the OpenAPI document and the
//! authorization matrix of its tests are derived from that list, so that they can't contradict each
//! other. Every request passes the same steps in the same order: CORS, authentication, body,
//! schema, rate limit, and then the route's own function, which authorizes, decides and commits.
//!
//! | | |
//! |---|---|
//! | [`operation`](macro@operation), [`Call`], [`Body`](trait@Body), [`View`](trait@View), [`Refuse`] | one operation, declared once |
//! | [`Service`], [`Route`], [`Request`], [`Reply`] | what a service answers |
//! | [`Host`], [`Cors`], [`MetricsRegistry`], [`LogSink`] | what it needs of its host |
//! | [`Schema`], [`Patch`] | what a body may say |
//! | [`Problem`] | everything that can be wrong, in one type |
//! | [`Authenticator`], [`Secret`], [`Policy`] | who the caller is, and what they may do |
//! | [`SignIn`], [`Html`], [`Form`], [`KeptPages`] | people in a browser: how they sign in, what they see and send |
//! | [`blobs`], [`image`] | files of a service; photos with nothing in them but the picture |
//! | [`language_model`], [`moderation`] | texts of language models, within a budget; texts that people should not have to read |
//! | [`payment_gateway`] | orders, payments and refunds, and a gateway in the process that charges nobody |
//! | [`EncryptedText`], [`FieldKeys`], [`Masking`] | personal data that rows keep encrypted, and lists show in part |
//! | [`Records`], [`Throttle`], [`CallLimit`], [`repeat()`] | requests that come again, too often, or at once |
//! | [`Background`], [`jobs`], [`outbox`], [`Events`] | what happens after the response, and who hears of it |
//! | [`audit!`], [`changed_fields`], [`backfill`] | rows that record who changed what; rows of older programs |
//! | [`names`], [`VersionCache`] | names of people and what is theirs; values kept by the version of a row |
//! | [`Core`], [`Ids`], [`Randomness`] | what would otherwise differ from run to run |
//! | [`SortedList`], [`Bookmarks`], [`csv`], [`Pieces`] | lists that a service sorts itself, tables for spreadsheets, and responses that are made while they are sent |
//!
//! This crate does not know any service, sockets, or how rows are stored.

// Derives use the name that this crate has in services.
extern crate self as monotable_kit;

mod audit;
pub mod backfill;
mod background;
pub mod blobs;
mod body;
mod bookmark;
mod box_future;
mod call;
mod call_limit;
#[doc(hidden)]
pub mod codegen;
mod commit;
pub mod csv;
pub mod demo;
mod encrypted;
mod events;
mod field_type;
mod handler;
mod http;
mod identity;
pub mod image;
pub mod jobs;
pub mod language_model;
mod log;
mod masking;
mod metrics;
pub mod moderation;
pub mod names;
mod openapi;
mod operation;
pub mod outbox;
mod page;
pub mod pages;
mod patch;
pub mod payment_gateway;
mod pieces;
mod policy;
pub mod prelude;
mod problem;
mod queue;
mod randomness;
mod records;
mod repeat;
mod reply;
mod route;
mod running;
mod schema;
mod sealed;
mod sign_in;
mod sorted;
mod state;
mod throttle;
mod upload;
mod version_cache;
mod view;
mod zip;
mod zone;

pub use audit::changed_fields;
pub use background::{Background, WorkReport};
pub use body::{Body, Path};
pub use bookmark::Bookmarks;
pub use box_future::BoxFuture;
pub use call::{Principal, Request, Viewer};
pub use call_limit::{CallCounters, CallLimit, CountsCalls, LimitsCalls, MinuteCalls};
pub use commit::{Commit, Refusals};
pub use encrypted::{EncryptedText, FieldKeyError, FieldKeys, FieldLocation};
pub use events::{EventStream, Events};
pub use field_type::{FieldType, NumberRange, Words};
pub use handler::Handler;
pub use http::{Cors, Host, TrustedProxy, TrustedProxyError};
pub use identity::{
    AnyOf, Authenticating, Authenticator, DevelopmentIdentity, IdentityError, Jwt, JwtSettings,
    KeySetAlgorithm, LocalIssuer, Secret, bearer,
};
pub use log::{LogSink, MemoryLog, NoLog, StandardError};
pub use masking::Masking;
pub use metrics::{CommitCounts, Counter, Level, Metrics, MetricsRegistry};
pub use monotable_kit_derive::{Body, FieldType, Path, Refusal, View, Words, operation};
pub use operation::Call;
pub use page::{PageRequest, Paged};
pub use pages::{Form, Html, KeptPage, KeptPages, QrCode};
pub use patch::{ApplyTo, Patch};
pub use pieces::Pieces;
pub use policy::Policy;
pub use problem::{FieldProblem, Problem, ProblemKind, code_of};
pub use queue::Queues;
pub use randomness::{Ids, Randomness, SystemRandomness};
pub use records::{
    KeepsRequests, OfRequest, RecordKeys, RecordScope, RecordedRequest, Records, RequestKey,
    RequestRecord,
};
pub use repeat::{repeat, repeat_for};
pub use reply::{Reply, ReplyBody};
pub use route::{Access, Answered, Refuse, Route, Service, ServiceName, TokenScheme};
pub use running::Core;
pub use schema::{Field, FieldCheck, Kind, ObjectCheck, Schema};
pub use sign_in::{
    AuthKey, Grant, NewSession, Person, SignIn, SignInRows, SignInSettings, SignInStore, Ticket,
    TicketRow, email_address,
};
pub use sorted::{SortedList, SortedPage};
pub use state::State;
pub use throttle::{Caller, Rate, Throttle, ThrottleSettings};
pub use upload::{UPLOAD_BODY_BYTES_MAX, Upload};
pub use version_cache::VersionCache;
pub use view::{
    Accepted, Answer, Created, Json, JsonText, Listed, NoContent, Page, Response, Saved, Typed,
    View, ViewFields,
};
pub use zip::{ZipFull, ZipWriter};
pub use zone::Zone;
