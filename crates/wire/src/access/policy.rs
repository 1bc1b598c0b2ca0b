//! Resource-based policies: documents in AWS's policy language, and their verdict on a request.
//!
//! `Effect`, `Principal`, `Action`, `NotAction`, `Resource` and `NotResource` are evaluated. A
//! statement with a `Condition` or a `NotPrincipal` is stored but has no effect: it neither allows
//! nor denies.

use std::collections::BTreeSet;

use super::pattern::matches_wildcards;
use super::{ACTION_PREFIX, EVERY_ACTION, Principal};
use crate::json::{Kind, Reader, Syntax};

/// The versions of the policy language.
const VERSIONS: [&str; 2] = ["2012-10-17", "2008-10-17"];

/// The decision of a policy about one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A statement denies the action, whatever else allows it.
    Denied,
    /// A statement allows the action, and none denies it.
    Allowed,
    /// No statement applies: the permissions of the key decide.
    Silent,
}

/// The reason why a text is not a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct InvalidPolicy(String);

impl InvalidPolicy {
    fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl From<Syntax> for InvalidPolicy {
    fn from(_: Syntax) -> Self {
        Self::new("the document is not JSON")
    }
}

/// A parsed policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PolicyDocument(Vec<Statement>);

impl PolicyDocument {
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidPolicy> {
        let mut reader = Reader::new(text.as_bytes())?;
        if reader.kind()? != Kind::Object {
            return Err(InvalidPolicy::new("the document is not a JSON object"));
        }
        let mut statements = Vec::new();
        read_members(&mut reader, |reader, name| match name {
            "Version" => {
                if VERSIONS.contains(&&*text_of(reader, "Version")?) {
                    Ok(())
                } else {
                    Err(InvalidPolicy::new("Version must be 2012-10-17 or 2008-10-17"))
                }
            }
            "Id" => text_of(reader, "Id").map(drop),
            "Statement" if reader.kind()? == Kind::Array => reader.array(|reader| {
                statements.push(Statement::read(reader)?);
                Ok(())
            }),
            "Statement" => {
                statements.push(Statement::read(reader)?);
                Ok(())
            }
            other => Err(InvalidPolicy::new(format!("{other} is not an element of a policy"))),
        })?;
        reader.end()?;
        if statements.is_empty() {
            Err(InvalidPolicy::new("a policy needs a Statement"))
        } else {
            Ok(Self(statements))
        }
    }

    /// Decides about an action on the resource with this ARN.
    pub(crate) fn verdict(
        &self,
        principal: Principal<'_>,
        action: &str,
        resource_arn: &str,
    ) -> Verdict {
        let mut verdict = Verdict::Silent;
        for statement in &self.0 {
            if statement.applies(principal, action, resource_arn) {
                match statement.effect {
                    Effect::Deny => return Verdict::Denied,
                    Effect::Allow => verdict = Verdict::Allowed,
                }
            }
        }
        verdict
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Allow,
    Deny,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Statement {
    effect: Effect,
    grantees: Vec<Grantee>,
    actions: Patterns,
    resources: Patterns,
    /// Whether the statement contains an element that is not evaluated, so that it has no effect.
    has_no_effect: bool,
}

/// The principals that a statement applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Grantee {
    Everyone,
    /// All users of an account. An allowance leaves it to the account's own permissions which of
    /// them may act; a denial applies to all of them.
    Account(String),
    /// A user by ARN.
    User(String),
}

/// `Action` and `Resource`, or `NotAction` and `NotResource`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Patterns {
    OneOf(Vec<String>),
    NoneOf(Vec<String>),
}

impl Patterns {
    fn match_text(&self, text: &str) -> bool {
        let any =
            |patterns: &[String]| patterns.iter().any(|pattern| matches_wildcards(pattern, text));
        match self {
            Self::OneOf(patterns) => any(patterns),
            Self::NoneOf(patterns) => !any(patterns),
        }
    }
}

/// The elements of a statement that have been read so far.
#[derive(Default)]
struct Elements {
    effect: Option<Effect>,
    grantees: Option<Vec<Grantee>>,
    actions: Option<Patterns>,
    resources: Option<Patterns>,
    has_no_effect: bool,
}

impl Statement {
    fn read(reader: &mut Reader<'_>) -> Result<Self, InvalidPolicy> {
        if reader.kind()? != Kind::Object {
            return Err(InvalidPolicy::new("a Statement is a JSON object"));
        }
        let mut elements = Elements::default();
        read_members(reader, |reader, name| elements.read(name, reader))?;
        let missing = |name: &str| InvalidPolicy::new(format!("a Statement needs {name}"));
        Ok(Self {
            effect: elements.effect.ok_or_else(|| missing("an Effect"))?,
            grantees: elements.grantees.ok_or_else(|| missing("a Principal"))?,
            actions: elements.actions.ok_or_else(|| missing("an Action"))?,
            resources: elements.resources.ok_or_else(|| missing("a Resource"))?,
            has_no_effect: elements.has_no_effect,
        })
    }

    fn applies(&self, principal: Principal<'_>, action: &str, resource_arn: &str) -> bool {
        // Names of actions are case-insensitive, ARNs are not.
        let action = format!("dynamodb:{action}").to_ascii_lowercase();
        !self.has_no_effect
            && self.grantees.iter().any(|grantee| grantee.includes(self.effect, principal))
            && self.actions.match_text(&action)
            && self.resources.match_text(resource_arn)
    }
}

impl Elements {
    fn read(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), InvalidPolicy> {
        match name {
            "Sid" => drop(text_of(reader, name)?),
            "Effect" => {
                self.effect = Some(match &*text_of(reader, name)? {
                    "Allow" => Effect::Allow,
                    "Deny" => Effect::Deny,
                    _ => return Err(InvalidPolicy::new("Effect must be Allow or Deny")),
                });
            }
            "Principal" => set(&mut self.grantees, read_grantees(reader)?, name)?,
            "NotPrincipal" => {
                set(&mut self.grantees, read_grantees(reader)?, name)?;
                self.has_no_effect = true;
            }
            "Action" => set(&mut self.actions, Patterns::OneOf(actions_of(reader, name)?), name)?,
            "NotAction" => {
                set(&mut self.actions, Patterns::NoneOf(actions_of(reader, name)?), name)?;
            }
            "Resource" => set(&mut self.resources, Patterns::OneOf(texts_of(reader, name)?), name)?,
            "NotResource" => {
                set(&mut self.resources, Patterns::NoneOf(texts_of(reader, name)?), name)?;
            }
            "Condition" => {
                reader.skip()?;
                self.has_no_effect = true;
            }
            _ => {
                let text = format!("{name} is not an element of a Statement");
                return Err(InvalidPolicy::new(text));
            }
        }
        Ok(())
    }
}

impl Grantee {
    fn of_aws(text: String) -> Self {
        if text == "*" {
            return Self::Everyone;
        }
        let root = text.strip_prefix("arn:aws:iam::").and_then(|rest| rest.strip_suffix(":root"));
        match root.unwrap_or(&text) {
            account if account.bytes().all(|byte| byte.is_ascii_digit()) => {
                Self::Account(account.to_owned())
            }
            _ => Self::User(text),
        }
    }

    fn includes(&self, effect: Effect, principal: Principal<'_>) -> bool {
        match self {
            Self::Everyone => true,
            Self::Account(account) => effect == Effect::Deny && account == principal.account,
            Self::User(arn) => *arn == principal.user_arn(),
        }
    }
}

/// Reads the members of an object, each of which may appear only once, so that every reader sees
/// the same value.
fn read_members<'a>(
    reader: &mut Reader<'a>,
    mut read: impl FnMut(&mut Reader<'a>, &str) -> Result<(), InvalidPolicy>,
) -> Result<(), InvalidPolicy> {
    let mut names = BTreeSet::new();
    reader.object(|reader, name| {
        if names.insert(name.to_string()) {
            read(reader, &name)
        } else {
            Err(InvalidPolicy::new(format!("{name} appears twice")))
        }
    })
}

/// Sets an element that has two forms, such as `Action` and `NotAction`.
fn set<T>(element: &mut Option<T>, value: T, name: &str) -> Result<(), InvalidPolicy> {
    let name = name.strip_prefix("Not").unwrap_or(name);
    match element.replace(value) {
        None => Ok(()),
        Some(_) => {
            Err(InvalidPolicy::new(format!("a Statement has {name} or Not{name}, not both")))
        }
    }
}

/// Reads `Principal`: `*`, or an object whose member `AWS` names accounts and users. Principals of
/// other kinds never send requests to this server.
fn read_grantees(reader: &mut Reader<'_>) -> Result<Vec<Grantee>, InvalidPolicy> {
    if reader.kind()? != Kind::Object {
        return match &*text_of(reader, "Principal")? {
            "*" => Ok(vec![Grantee::Everyone]),
            _ => Err(InvalidPolicy::new("Principal must be * or an object")),
        };
    }
    let mut grantees = None;
    read_members(reader, |reader, kind| {
        let names = texts_of(reader, kind)?;
        let known = grantees.get_or_insert_with(Vec::new);
        match kind {
            "AWS" => known.extend(names.into_iter().map(Grantee::of_aws)),
            "Service" | "Federated" | "CanonicalUser" => {}
            other => {
                return Err(InvalidPolicy::new(format!("{other} is not a kind of principals")));
            }
        }
        Ok(())
    })?;
    grantees.ok_or_else(|| InvalidPolicy::new("Principal must not be empty"))
}

/// Reads actions of DynamoDB, or `*`, in lower case.
fn actions_of(reader: &mut Reader<'_>, name: &str) -> Result<Vec<String>, InvalidPolicy> {
    let mut actions = texts_of(reader, name)?;
    for action in &mut actions {
        action.make_ascii_lowercase();
        let bare = action.strip_prefix(ACTION_PREFIX);
        if *action != EVERY_ACTION && bare.is_none_or(str::is_empty) {
            let text = format!("{name} must be * or begin with {ACTION_PREFIX}");
            return Err(InvalidPolicy::new(text));
        }
    }
    Ok(actions)
}

fn text_of(reader: &mut Reader<'_>, name: &str) -> Result<String, InvalidPolicy> {
    match reader.kind()? {
        Kind::String => Ok(reader.string()?.into_owned()),
        _ => Err(InvalidPolicy::new(format!("{name} must be a string"))),
    }
}

/// Reads a string or a list of strings.
fn texts_of(reader: &mut Reader<'_>, name: &str) -> Result<Vec<String>, InvalidPolicy> {
    if reader.kind()? != Kind::Array {
        return Ok(vec![text_of(reader, name)?]);
    }
    let mut texts = Vec::new();
    reader.array(|reader| {
        texts.push(text_of(reader, name)?);
        Ok::<_, InvalidPolicy>(())
    })?;
    if texts.is_empty() {
        Err(InvalidPolicy::new(format!("{name} must not be empty")))
    } else {
        Ok(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: Principal<'_> =
        Principal { name: "ann", account: "123456789012", region: "us-east-1" };
    const TABLE: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/league";

    fn verdict(statements: &str, action: &str, resource_arn: &str) -> Verdict {
        let text = format!(r#"{{"Version":"2012-10-17","Statement":{statements}}}"#);
        PolicyDocument::parse(&text).unwrap().verdict(ANN, action, resource_arn)
    }

    fn statement(effect: &str, principal: &str, action: &str, resource: &str) -> String {
        format!(
            r#"{{"Effect":"{effect}","Principal":{principal},"Action":{action},"Resource":"{resource}"}}"#
        )
    }

    #[test]
    fn a_statement_is_about_principals_actions_and_resources() {
        use Verdict::{Allowed, Denied, Silent};
        let ann = r#"{"AWS":"arn:aws:iam::123456789012:user/ann"}"#;
        let bob = r#"{"AWS":["arn:aws:iam::123456789012:user/bob"]}"#;
        let account = r#"{"AWS":"123456789012"}"#;
        let root = r#"{"AWS":["arn:aws:iam::123456789012:root"]}"#;
        let service = r#"{"Service":"lambda.amazonaws.com"}"#;
        let get = r#""dynamodb:GetItem""#;
        let reads = r#"["dynamodb:Get*","dynamodb:Quer?"]"#;
        for (effect, principal, action, resource, expected) in [
            ("Allow", ann, get, TABLE, Allowed),
            ("Allow", r#""*""#, get, TABLE, Allowed),
            ("Allow", r#"{"AWS":"*"}"#, r#""DYNAMODB:getitem""#, "*", Allowed),
            ("Allow", ann, reads, TABLE, Allowed),
            ("Allow", ann, r#""dynamodb:Query""#, TABLE, Silent),
            ("Allow", ann, get, "arn:aws:dynamodb:*:*:table/lea*", Allowed),
            ("Allow", ann, get, "arn:aws:dynamodb:us-east-1:123456789012:table/other", Silent),
            ("Allow", bob, get, TABLE, Silent),
            ("Allow", service, get, TABLE, Silent),
            ("Allow", account, get, TABLE, Silent),
            ("Allow", root, get, TABLE, Silent),
            ("Deny", account, get, TABLE, Denied),
            ("Deny", root, get, TABLE, Denied),
            ("Deny", r#""*""#, r#""*""#, "*", Denied),
            ("Deny", bob, get, TABLE, Silent),
        ] {
            let text = statement(effect, principal, action, resource);
            assert_eq!(verdict(&text, "GetItem", TABLE), expected, "{text}");
        }
        assert_eq!(
            verdict(&statement("Allow", ann, reads, TABLE), "Query", &format!("{TABLE}/index/a")),
            Silent,
            "an index is a resource of its own"
        );
    }

    #[test]
    fn a_denial_takes_precedence() {
        let allow = statement("Allow", r#""*""#, r#""dynamodb:*""#, "*");
        let deny = statement("Deny", r#""*""#, r#""dynamodb:DeleteItem""#, "*");
        for both in [format!("[{allow},{deny}]"), format!("[{deny},{allow}]")] {
            assert_eq!(verdict(&both, "GetItem", TABLE), Verdict::Allowed);
            assert_eq!(verdict(&both, "DeleteItem", TABLE), Verdict::Denied);
        }
    }

    #[test]
    fn exclusions_match_everything_else() {
        let text = r#"{"Effect":"Deny","Principal":"*","NotAction":"dynamodb:GetItem",
            "NotResource":"*/index/*"}"#;
        assert_eq!(verdict(text, "GetItem", TABLE), Verdict::Silent);
        assert_eq!(verdict(text, "PutItem", TABLE), Verdict::Denied);
        assert_eq!(verdict(text, "Query", &format!("{TABLE}/index/a")), Verdict::Silent);
    }

    #[test]
    fn statements_with_conditions_or_excluded_principals_have_no_effect() {
        for element in [
            r#""Principal":"*","Condition":{"Bool":{"aws:SecureTransport":"false"}}"#,
            r#""NotPrincipal":{"AWS":"arn:aws:iam::123456789012:user/bob"}"#,
        ] {
            for effect in ["Allow", "Deny"] {
                let text = format!(
                    r#"{{"Effect":"{effect}",{element},"Action":"dynamodb:*","Resource":"*"}}"#
                );
                assert_eq!(verdict(&text, "GetItem", TABLE), Verdict::Silent, "{text}");
            }
        }
    }

    #[test]
    fn what_is_not_a_policy_is_refused() {
        for (text, reason) in [
            ("", "the document is not JSON"),
            ("[]", "the document is not a JSON object"),
            ("{}", "a policy needs a Statement"),
            (r#"{"Statement":[]}"#, "a policy needs a Statement"),
            (r#"{"Statement":[1]}"#, "a Statement is a JSON object"),
            (r#"{"Statements":[]}"#, "Statements is not an element of a policy"),
            (r#"{"Version":"2020-01-01"}"#, "Version must be 2012-10-17 or 2008-10-17"),
            (r#"{"Statement":{"Effect":"Maybe"}}"#, "Effect must be Allow or Deny"),
            (r#"{"Statement":{"Effect":"Allow"}}"#, "a Statement needs a Principal"),
            (r#"{"Statement":{"Effekt":"Allow"}}"#, "Effekt is not an element of a Statement"),
            (r#"{"Statement":{"Principal":"ann"}}"#, "Principal must be * or an object"),
            (r#"{"Statement":{"Action":[1]}}"#, "Action must be a string"),
            (r#"{"Statement":{"Action":[]}}"#, "Action must not be empty"),
            (r#"{"Statement":{"NotResource":[]}}"#, "NotResource must not be empty"),
            (r#"{"Statement":{"Action":"GetItem"}}"#, "Action must be * or begin with dynamodb:"),
            (
                r#"{"Statement":{"Action":["*","s3:Get"]}}"#,
                "Action must be * or begin with dynamodb:",
            ),
            (r#"{"Statement":{"Principal":{}}}"#, "Principal must not be empty"),
            (r#"{"Statement":{"Principal":{"AWS":[]}}}"#, "AWS must not be empty"),
            (r#"{"Statement":{"Principal":{"User":"ann"}}}"#, "User is not a kind of principals"),
            (r#"{"Statement":{"Principal":{"AWS":"*","AWS":"1"}}}"#, "AWS appears twice"),
            (r#"{"Statement":{"Effect":"Deny","Effect":"Allow"}}"#, "Effect appears twice"),
            (r#"{"Statement":{"Action":"*","Action":"*"}}"#, "Action appears twice"),
            (r#"{"Version":"2012-10-17","Version":"2012-10-17"}"#, "Version appears twice"),
        ] {
            assert_eq!(PolicyDocument::parse(text).unwrap_err().to_string(), reason, "{text}");
        }
    }

    #[test]
    fn an_element_and_its_negation_cannot_be_combined() {
        let everyone = r#"{"AWS":"*"}"#;
        for (name, value) in [("Action", r#""*""#), ("Resource", r#""*""#), ("Principal", everyone)]
        {
            let text = format!(r#"{{"Statement":{{"Not{name}":{value},"{name}":{value}}}}}"#);
            let reason = format!("a Statement has {name} or Not{name}, not both");
            assert_eq!(PolicyDocument::parse(&text).unwrap_err().to_string(), reason);
        }
    }
}
