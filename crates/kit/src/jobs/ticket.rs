//! The row that promises work.

use monotable::prelude::*;

use crate::problem::Problem;

ids! {
    /// The sort of work, such as `purge-team`.
    JobKind,
    /// Which work of its kind it is, such as the id of the team. A kind has it at most once at a time.
    JobId,
}

stamps!(pub PromiseStamps(version = ver, created = createdAt, updated = updatedAt));

/// Work that is promised, and how far it is. List it in `entities(…)` of the table, and create it in
/// the transaction of the command.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "JOB_TICKET")]
#[key(pk = "JOBS", sk = "{kind}#{job_id}")]
pub struct JobTicket {
    /// What sort of work.
    pub kind: JobKind,
    /// Which of its kind.
    pub job_id: JobId,
    /// What it is about, as JSON.
    pub argument: String,
    /// Where the last step ended, as JSON; absent before the first.
    pub cursor: Option<String>,
    /// When it is to be done, or when the lease of the worker that does it is over.
    pub due_at: Timestamp,
    /// Failures in a row.
    pub failures: u32,
    /// The code of the last failure's problem.
    pub last_problem: Option<String>,
    /// Its version, when it was promised, and when a worker last wrote it.
    #[stamps]
    #[serde(skip)]
    pub stamps: PromiseStamps,
}

impl JobTicket {
    /// Promises work.
    ///
    /// # Errors
    /// If the kind or the id can't be part of a key, or the argument can't be written as JSON.
    pub fn new(
        kind: &str,
        job_id: &str,
        argument: &impl Serialize,
        due_at: Timestamp,
    ) -> Result<Self, Problem> {
        let internal = |error: &dyn std::fmt::Display| Problem::internal(error.to_string());
        Ok(Self {
            kind: JobKind::new(kind).map_err(|error| internal(&error))?,
            job_id: JobId::new(job_id).map_err(|error| internal(&error))?,
            argument: serde_json::to_string(argument).map_err(|error| internal(&error))?,
            cursor: None,
            due_at,
            failures: 0,
            last_problem: None,
            stamps: PromiseStamps::default(),
        })
    }
}
