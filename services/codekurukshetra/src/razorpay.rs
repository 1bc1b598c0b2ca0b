//! The options of the command line for Razorpay.

use monotable_host::{
    BoxError, OptionValues, Razorpay, RazorpaySettings, RemoteSecret, ServiceOption,
};

const KEY_ID: &str = "hackathon-razorpay-key-id";
const KEY_SECRET: &str = "hackathon-razorpay-key-secret";
const WEBHOOK_SECRET: &str = "hackathon-razorpay-webhook-secret";
const URL: &str = "hackathon-razorpay-url";
/// The variables that hold the secrets, unless files do.
const KEY_SECRET_VARIABLE: &str = "MONOTABLE_RAZORPAY_KEY_SECRET";
const WEBHOOK_SECRET_VARIABLE: &str = "MONOTABLE_RAZORPAY_WEBHOOK_SECRET";

/// Returns the options of the command line.
pub(crate) fn options() -> [ServiceOption; 4] {
    let key_id = ServiceOption::new(
        KEY_ID,
        "ID",
        "Let teams pay through Razorpay: the id of the API key. Without it they pay at a simulated gateway, which \
         charges nobody",
    );
    let key_secret = ServiceOption::new(
        KEY_SECRET,
        "FILE",
        "The file with the secret of that key [default: the variable MONOTABLE_RAZORPAY_KEY_SECRET]",
    );
    let webhook_secret = ServiceOption::new(
        WEBHOOK_SECRET,
        "FILE",
        "The file with the secret of the webhook, which Razorpay sends to \
         /codekurukshetra/hackathon/payment/webhook [default: the variable \
         MONOTABLE_RAZORPAY_WEBHOOK_SECRET]",
    );
    let url = ServiceOption::new(
        URL,
        "URL",
        "The address of Razorpay's API, if a proxy is in front of it [default: https://api.razorpay.com]",
    );
    [
        key_id,
        key_secret.requires(KEY_ID).file(),
        webhook_secret.requires(KEY_ID).file(),
        url.requires(KEY_ID),
    ]
}

/// Returns the account that the options name, if they name one.
///
/// # Errors
/// Fails if a secret is missing or unusable.
pub(crate) fn of_options(values: &OptionValues) -> Result<Option<Razorpay>, BoxError> {
    let Some(key_id) = values.text(KEY_ID) else { return Ok(None) };
    let secret = |option, variable| {
        let secret = RemoteSecret::read(values.text(option), variable);
        let secret = secret.map_err(|error| format!("--{option}: {error}"))?;
        secret.ok_or_else(|| {
            format!("--{KEY_ID} needs a secret: name a file with --{option}, or set {variable}")
        })
    };
    let mut settings = RazorpaySettings::new(
        key_id,
        secret(KEY_SECRET, KEY_SECRET_VARIABLE)?,
        secret(WEBHOOK_SECRET, WEBHOOK_SECRET_VARIABLE)?,
    );
    if let Some(url) = values.text(URL) {
        url.clone_into(&mut settings.base_url);
    }
    let razorpay = Razorpay::new(settings);
    Ok(Some(razorpay.map_err(|error| format!("Razorpay: {error}"))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_what_counts_without_the_options() {
        let options = options();
        let help = |name| options.iter().find(|option| option.name == name).unwrap().help;
        assert!(help(KEY_SECRET).contains(KEY_SECRET_VARIABLE));
        assert!(help(WEBHOOK_SECRET).contains(WEBHOOK_SECRET_VARIABLE));
        let secret = || RemoteSecret::new("secret").unwrap();
        let settings = RazorpaySettings::new("rzp_test_1", secret(), secret());
        assert!(help(URL).contains(&settings.base_url));
    }

    #[test]
    fn an_account_needs_its_secrets() {
        let configured = |values: &[(&str, &str)]| {
            let found = of_options(&values.iter().copied().collect());
            found.map(|found| found.is_some()).map_err(|error| error.to_string())
        };
        assert_eq!(configured(&[]), Ok(false));
        let error = configured(&[(KEY_ID, "rzp_test_1")]).unwrap_err();
        assert!(error.contains(KEY_SECRET_VARIABLE), "{error}");
        let missing = [(KEY_ID, "rzp_test_1"), (KEY_SECRET, "/nowhere/at-all")];
        let error = configured(&missing).unwrap_err();
        assert!(error.contains(&format!("--{KEY_SECRET}: the file")), "{error}");
    }
}
