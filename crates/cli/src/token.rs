//! `monotable token`

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::Args;
use monotable::model::time::Timestamp;
use monotable_kit::Principal;

use crate::identity::IdentityArguments;
use crate::serve::DATA_DEFAULT;

/// What `monotable token` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Who the token is for, as the services will call them
    user: String,
    /// Their e-mail address
    #[arg(long)]
    email: Option<String>,
    /// What else they are, such as admin
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// How long it is good for
    #[arg(long, default_value_t = 12)]
    hours: u64,
    /// The directory of the server's data
    #[arg(long, value_name = "DIR", default_value = DATA_DEFAULT)]
    data: PathBuf,
    #[command(flatten)]
    identity: IdentityArguments,
}

/// Prints a token for a user of the services.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let issuer = arguments.identity.local_issuer(&arguments.data)?;
    let issuer = issuer.lifetime(Duration::from_secs(arguments.hours * 60 * 60));
    let principal = Principal {
        id: arguments.user.clone(),
        email: arguments.email.clone(),
        email_verified: arguments.email.is_some(),
        roles: arguments.roles.clone(),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    let now = Timestamp::from_ms(i64::try_from(now.as_millis())?)?;
    println!("{}", issuer.token(&principal, now));
    Ok(())
}
