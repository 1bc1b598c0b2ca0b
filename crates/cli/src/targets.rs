//! `monotable targets`: what stores lack for a service, what its reads and writes cost there, and
//! the permissions that it needs in Amazon's.

mod cost;
mod policy;

use anyhow::Result;
use clap::{Args, ValueEnum};
use monotable_host::{Service, TableMeta};

use self::cost::Costs;
use crate::services;

const AFTER_HELP: &str = "\
Units are DynamoDB's: a read unit is 4 KB read consistently or 8 KB read eventually consistently, a write unit is 1 KB written to \
a table or to an index; a transaction takes both twice. The figures follow from the design; what a server \
has used is in its metrics.";

/// The arguments of `monotable targets`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Show these services: all, or names separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    services: Vec<String>,
    /// The size of a row, including the names of its attributes
    #[arg(long, value_name = "BYTES", default_value = "500", value_parser = clap::value_parser!(u32).range(1..=409_600))]
    row_bytes: u32,
    /// The rows of a list that is read
    #[arg(long, value_name = "NUMBER", default_value = "20", value_parser = clap::value_parser!(u32).range(1..))]
    rows: u32,
    /// What is printed
    #[arg(long, value_enum, default_value_t = Output::Costs)]
    output: Output,
    /// The environment in the names of the tables in a policy
    #[arg(long, value_name = "NAME", default_value = "dev")]
    environment: String,
    /// The region in a policy
    #[arg(long, value_name = "NAME", default_value = "*")]
    region: String,
    /// The account in a policy
    #[arg(long, value_name = "NUMBER", default_value = "*")]
    account: String,
}

/// The kinds of output.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Output {
    /// What each store lacks, and the units of each access pattern
    Costs,
    /// An IAM policy for a server of these services
    Policy,
    /// An IAM policy for a server with --create-tables
    SetupPolicy,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let chosen = services::chosen(&arguments.services)?;
    let text = match arguments.output {
        Output::Costs => {
            let costs = Costs { row_bytes: arguments.row_bytes, rows: arguments.rows };
            chosen.iter().map(|service| described(&**service, &costs)).collect()
        }
        Output::Policy => arguments.policy(&chosen, policy::SERVING),
        Output::SetupPolicy => arguments.policy(&chosen, policy::SETTING_UP),
    };
    print!("{text}");
    Ok(())
}

impl Arguments {
    fn policy(&self, services: &[Box<dyn Service>], table_actions: &[&[&str]]) -> String {
        let prefix = format!("arn:aws:dynamodb:{}:{}:table/", self.region, self.account);
        let names = services.iter().map(|service| {
            let name = service.table_name().replace("{environment}", &self.environment);
            (format!("{prefix}{name}"), service.table())
        });
        policy::write(&names.collect::<Vec<_>>(), table_actions)
    }
}

/// Describes a service on all stores.
fn described(service: &dyn Service, costs: &Costs) -> String {
    let table = service.table();
    let mut text = format!("{} ({})\n", service.name(), table.table_name);
    text += "  embedded, Amazon DynamoDB: lack nothing\n  ScyllaDB Alternator lacks:\n";
    for lack in lacks_on_alternator(table) {
        text += &format!("    {lack}\n");
    }
    text + &costs.describe(table) + "\n"
}

/// Lists what services need and ScyllaDB Alternator lacks.
pub(crate) fn alternator_refusal(services: &[Box<dyn Service>]) -> String {
    let mut text = "--backend alternator lacks what the services need:".to_owned();
    for service in services {
        for lack in lacks_on_alternator(service.table()) {
            text += &format!("\n  {}: {lack}", service.name());
        }
    }
    text + "\nUse --backend dynamodb, or the embedded database"
}

/// Lists what a table needs and Alternator lacks.
fn lacks_on_alternator(table: &TableMeta) -> Vec<String> {
    let mut lacks = vec![
        "transactions: each command writes all its rows, or none, together with the record of its \
         Idempotency-Key"
            .to_owned(),
    ];
    for entity in table.entities {
        for unique in entity.unique {
            lacks.push(format!("transactions: {} of {} is unique", unique.name, entity.name));
        }
        for mirror in entity.mirrors {
            lacks.push(format!("transactions: {} has a mirror, {}", entity.name, mirror.entity));
        }
    }
    for index in table.indexes {
        if index.partition.len() > 1 || index.sort.len() > 1 {
            lacks.push(format!("index keys of several attributes: {}", index.name));
        }
    }
    lacks
}
