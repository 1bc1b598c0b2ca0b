//! `monotable serve`: the flags that services declare themselves.

use std::collections::BTreeSet;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use monotable_host::{OptionKind, OptionValues, ServiceOption};

/// The values of the flags that services declare.
pub(crate) struct OptionArguments {
    values: OptionValues,
}

impl OptionArguments {
    /// Returns the values for the services.
    pub(crate) fn values(&self) -> &OptionValues {
        &self.values
    }

    /// Returns the first flag that has no effect without a service. Flags with a default always
    /// have a value, so they are not included.
    pub(crate) fn flag_for_services(&self) -> Option<String> {
        let is_given = |option: &ServiceOption| {
            option.default.is_none() && self.values.text(option.name).is_some()
        };
        options().find(is_given).map(|option| format!("--{}", option.name))
    }
}

/// Lists the options of all services. An option of several services is one flag.
fn options() -> impl Iterator<Item = ServiceOption> {
    let mut known = BTreeSet::new();
    let options = super::all().into_iter().flat_map(|service| service.options());
    options.filter(move |option| known.insert(option.name))
}

/// Creates the flag of an option.
fn argument(option: ServiceOption) -> Arg {
    let hint = match option.kind {
        OptionKind::File => ValueHint::AnyPath,
        OptionKind::Text | OptionKind::Number(_) => ValueHint::Unknown,
    };
    let mut argument = Arg::new(option.name)
        .long(option.name)
        .value_name(option.value_name)
        .help(option.help)
        .help_heading(option.heading)
        .value_hint(hint);
    if let Some(value) = option.default {
        argument = argument.default_value(value);
    }
    if let Some(name) = option.requires {
        argument = argument.requires(name);
    }
    argument.value_parser(move |text: &str| option.check(text).map(|()| text.to_owned()))
}

impl Args for OptionArguments {
    fn augment_args(command: Command) -> Command {
        command.args(options().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OptionArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = options().filter_map(|option| {
            let value = matches.get_one::<String>(option.name)?;
            Some((option.name, value.clone()))
        });
        Ok(Self { values: given.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        options: OptionArguments,
    }

    fn parse(flags: &[&str]) -> Result<OptionArguments, String> {
        let parsed = Program::try_parse_from([&["monotable"], flags].concat());
        parsed.map(|program| program.options).map_err(|error| error.to_string())
    }

    #[test]
    fn options_have_the_values_that_are_given_or_their_defaults() {
        let options = parse(&[]).unwrap();
        assert_eq!(options.values().text("hacktracker-list-shards"), Some("1"));
        assert_eq!(options.values().text("narrator"), None);
        assert_eq!(options.flag_for_services(), None);
        let flags = ["--narrator", "http://127.0.0.1:1", "--narrator-model", "m"];
        let options = parse(&[&flags[..], &["--hacktracker-list-shards", "8"]].concat()).unwrap();
        assert_eq!(options.values().text("hacktracker-list-shards"), Some("8"));
        assert_eq!(options.values().text("narrator-model"), Some("m"));
        assert_eq!(options.flag_for_services().as_deref(), Some("--narrator"));
    }

    #[test]
    fn wrong_values_are_refused_with_their_flags() {
        for (flags, text) in [
            (
                &["--hacktracker-list-shards", "65"][..],
                "invalid value '65' for '--hacktracker-list-shards <NUMBER>': 65 is not in 1..=64",
            ),
            (
                &["--narrator-tokens", "many"],
                "invalid value 'many' for '--narrator-tokens <NUMBER>': invalid digit found in string",
            ),
            (&["--narrator-tokens", "1200"], "--narrator <URL>"),
            (&["--narrator", "http://127.0.0.1:1"], "--narrator-model <NAME>"),
        ] {
            let error = parse(flags).err().unwrap();
            assert!(error.contains(text), "{flags:?}: {error}");
        }
    }
}
