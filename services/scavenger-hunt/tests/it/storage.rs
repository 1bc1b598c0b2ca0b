//! How the service reaches its table: in the same process. `clients/rust` runs these tests with another module of
//! this name, which goes through AWS's SDK.

pub(crate) use monotable_testkit::service::in_process as backend;
