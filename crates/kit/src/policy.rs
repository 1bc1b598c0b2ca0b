//! Policies: tables of the actions that each role may perform.
//!
//! This module does not know how users get roles, or what an action does.

use std::fmt::{Debug, Write};

/// The actions of each role. Other actions are not allowed.
///
/// ```
/// use monotable_kit::Policy;
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Action { See, Rename }
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Role { Owner, Player }
///
/// const POLICY: Policy<Action, Role> = Policy::new(&[
///     (Action::See, &[Role::Owner, Role::Player]),
///     (Action::Rename, &[Role::Owner]),
/// ]);
/// assert!(POLICY.allows(Action::Rename, Role::Owner));
/// assert!(!POLICY.allows(Action::Rename, Role::Player));
/// ```
pub struct Policy<A: 'static, R: 'static> {
    rules: &'static [(A, &'static [R])],
}

impl<A: Copy + PartialEq, R: Copy + PartialEq> Policy<A, R> {
    /// Creates a policy of these rules. An action with several rules is allowed by each of them.
    pub const fn new(rules: &'static [(A, &'static [R])]) -> Self {
        Self { rules }
    }

    /// Returns whether a role may perform an action.
    pub fn allows(&self, action: A, role: R) -> bool {
        self.roles(action).any(|allowed| allowed == role)
    }

    /// Returns the roles that may perform an action.
    pub fn roles(&self, action: A) -> impl Iterator<Item = R> {
        let rules = self.rules.iter().filter(move |(ruled, _)| *ruled == action);
        rules.flat_map(|(_, roles)| roles.iter().copied())
    }

    /// Lists the actions, in the order of the rules.
    pub fn actions(&self) -> impl Iterator<Item = A> {
        self.rules.iter().map(|(action, _)| *action)
    }

    /// Returns every action with every role, and whether it is allowed: for tests that try them
    /// all.
    pub fn matrix(&self, actions: &[A], roles: &[R]) -> Vec<(A, R, bool)> {
        let pairs =
            actions.iter().flat_map(|action| roles.iter().map(move |role| (*action, *role)));
        pairs.map(|(action, role)| (action, role, self.allows(action, role))).collect()
    }
}

impl<A: Copy + PartialEq + Debug, R: Copy + PartialEq + Debug> Policy<A, R> {
    /// Returns the table in Markdown, for documents: one line per action, one column per role.
    pub fn document(&self, actions: &[A], roles: &[R]) -> String {
        let mut text = String::from("| |");
        for role in roles {
            // Writing to a text does not fail.
            let _ = write!(text, " {role:?} |");
        }
        text.push_str("\n|---|");
        text.push_str(&"---|".repeat(roles.len()));
        for action in actions {
            let _ = write!(text, "\n| {action:?} |");
            for role in roles {
                text.push_str(if self.allows(*action, *role) { " yes |" } else { " |" });
            }
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const POLICY: Policy<&str, char> =
        Policy::new(&[("see", &['o', 'p']), ("rename", &['o']), ("see", &['s'])]);

    #[test]
    fn what_is_not_listed_is_denied() {
        assert!(!POLICY.allows("delete", 'o'));
        assert!(!POLICY.allows("rename", 'p'));
        assert_eq!(POLICY.roles("delete").count(), 0);
        assert_eq!(POLICY.roles("see").collect::<String>(), "ops");
        assert_eq!(POLICY.actions().collect::<Vec<_>>(), ["see", "rename", "see"]);
    }

    #[test]
    fn every_pair_is_listed() {
        let matrix = POLICY.matrix(&["rename", "delete"], &['o', 'p']);
        let expected = [("rename", 'o', true), ("rename", 'p', false)];
        assert_eq!(matrix[..2], expected);
        assert!(matrix[2..].iter().all(|(action, _, allowed)| *action == "delete" && !allowed));
    }

    #[test]
    fn the_document_is_a_table() {
        expect![[r#"
            | | 'o' | 'p' |
            |---|---|---|
            | "see" | yes | yes |
            | "rename" | yes | |
        "#]]
        .assert_eq(&POLICY.document(&["see", "rename"], &['o', 'p']));
    }
}
