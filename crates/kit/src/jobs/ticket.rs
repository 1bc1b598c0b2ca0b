//! The row that schedules a job.

use monotable::prelude::*;

use crate::problem::Problem;

ids! {
    /// The kind of a job, such as `purge-team`.
    JobKind,
    /// The id of a job within its kind, such as the id of the team. A kind has it at most once at a
    /// time.
    JobId,
}

stamps!(pub PromiseStamps(version = ver, created = createdAt, updated = updatedAt));

/// A scheduled job, and its progress. List it in `entities(…)` of the table, and create it in the
/// transaction of the command.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "JOB_TICKET")]
#[key(pk = "JOBS", sk = "{kind}#{job_id}")]
pub struct JobTicket {
    /// The kind of the job.
    pub kind: JobKind,
    /// The id of the job within its kind.
    pub job_id: JobId,
    /// The argument of the job, as JSON.
    pub argument: String,
    /// The end of the last step, as JSON; absent before the first.
    pub cursor: Option<String>,
    /// The time at which the job is due, or at which the lease of its worker expires.
    pub due_at: Timestamp,
    /// Failures in a row.
    pub failures: u32,
    /// The code of the last failure's problem.
    pub last_problem: Option<String>,
    /// Its version, when it was created, and when a worker last wrote it.
    #[stamps]
    #[serde(skip)]
    pub stamps: PromiseStamps,
}

impl JobTicket {
    /// Creates a ticket.
    ///
    /// # Errors
    /// Fails if the kind or the id can't be part of a key, or the argument can't be written as
    /// JSON.
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
