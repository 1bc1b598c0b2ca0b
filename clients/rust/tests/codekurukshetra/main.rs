//! CodeKurukshetra's own tests, with its table behind AWS's SDK and our endpoint.
#![allow(dead_code, reason = "the tests of what is the same in every storage stay where they are")]

#[path = "../it/endpoint.rs"]
mod endpoint;
#[path = "../it/storage.rs"]
mod storage;

#[path = "../../../../services/codekurukshetra/tests/it/payment_defects.rs"]
mod payment_defects;
#[path = "../../../../services/codekurukshetra/tests/it/payments.rs"]
mod payments;
#[path = "../../../../services/codekurukshetra/tests/it/registration.rs"]
mod registration;
#[path = "../../../../services/codekurukshetra/tests/it/scenarios.rs"]
mod scenarios;
#[path = "../../../../services/codekurukshetra/tests/it/world.rs"]
mod world;
