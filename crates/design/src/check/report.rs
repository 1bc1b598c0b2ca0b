//! Collects broken rules. A `const` evaluation cannot build lists, so a check always reports into
//! one variable: the compiler takes the first broken rule that is not allowed, and the list of
//! findings repeats the check for each further one.

use super::verdict::{Message, Verdict};
use crate::meta::Allow;
use crate::rules::Rule;
use crate::text;

/// Takes one broken rule out of those that a check meets.
pub(crate) struct Report {
    /// How many more to pass over.
    skip: usize,
    /// Whether allowed rules are included.
    takes_allowed: bool,
    verdict: Verdict,
    permission: Option<&'static Allow>,
}

impl Report {
    /// Takes the first rule that is not allowed.
    pub(crate) const fn first() -> Self {
        Self { skip: 0, takes_allowed: false, verdict: Verdict::FINE, permission: None }
    }

    /// Takes the broken rule after `skip` others, allowed or not.
    pub(crate) const fn nth(skip: usize) -> Self {
        Self { skip, takes_allowed: true, verdict: Verdict::FINE, permission: None }
    }

    /// Returns whether the rule to take has been found.
    pub(crate) const fn is_full(&self) -> bool {
        !self.verdict.is_fine()
    }

    /// Returns whether the message about a broken rule is needed, given the permissions that may
    /// apply. Called once for each broken rule, before the message is composed.
    pub(crate) const fn wants(&mut self, rule: &'static Rule, allows: &[&'static [Allow]]) -> bool {
        if self.is_full() {
            return false;
        }
        let permission = permission(rule, allows);
        if permission.is_some() && !self.takes_allowed {
            return false;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        self.permission = permission;
        true
    }

    /// Takes the message.
    pub(crate) const fn add(&mut self, message: Message) {
        self.verdict = Verdict::broken(message);
    }

    /// Returns the outcome.
    pub(crate) const fn verdict(self) -> Verdict {
        self.verdict
    }

    /// With which permission the rule is broken, if there is one.
    pub(crate) const fn permission(&self) -> Option<&'static Allow> {
        self.permission
    }
}

/// Returns the first permission to break a rule. A permission without a reason does not count.
pub(crate) const fn permission(rule: &Rule, allows: &[&'static [Allow]]) -> Option<&'static Allow> {
    let mut list = 0;
    while list < allows.len() {
        let mut at = 0;
        while at < allows[list].len() {
            let allow = &allows[list][at];
            if text::equal(allow.rule, rule.code) && !allow.because.is_empty() {
                return Some(allow);
            }
            at += 1;
        }
        list += 1;
    }
    None
}
