//! The behaviour that every backend must share: one list of cases, each on an empty table.
//!
//! The cases know no backend; where a store is known to differ, that is data given to [`run`].

mod batches;
mod queries;
mod scans;
mod singles;
mod subject;
mod tables;
mod transactions;
mod values;

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use monotable_model::backend::{Backend, Capabilities};

use self::subject::Subject;

/// A case: what it shows, what it needs, and how it is run.
struct Case {
    name: &'static str,
    needs: Needs,
    run: fn(Subject) -> Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// Which ability a backend must have for a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    Transactions,
    MultiAttributeIndexKeys,
}

impl Needs {
    fn are_met_by(self, capabilities: Capabilities) -> bool {
        match self {
            Self::Nothing => true,
            Self::Transactions => capabilities.transactions,
            Self::MultiAttributeIndexKeys => capabilities.multi_attribute_index_keys,
        }
    }
}

macro_rules! cases {
    ($($needs:ident { $($module:ident::$case:ident,)* })*) => {
        const CASES: &[Case] = &[$($(Case {
            name: concat!(stringify!($module), "::", stringify!($case)),
            needs: Needs::$needs,
            run: |subject| Box::pin($module::$case(subject)),
        },)*)*];
    };
}

cases! {
    Nothing {
        singles::a_row_is_read_back_by_its_key,
        singles::a_read_reports_its_units,
        singles::a_put_replaces_the_whole_row_and_returns_the_old_one,
        singles::a_put_under_a_failed_condition_changes_nothing,
        singles::a_failed_condition_returns_the_row_if_requested,
        singles::an_update_changes_and_returns_the_new_row,
        singles::an_update_of_no_row_creates_it,
        singles::an_update_that_changes_nothing_creates_the_row,
        singles::an_update_under_a_condition_sees_the_row,
        singles::an_update_of_a_key_is_refused,
        singles::a_delete_returns_the_old_row,
        singles::a_delete_under_a_condition_sees_the_row,
        singles::a_check_outside_a_transaction_is_refused,
        singles::a_missing_table_is_named,
        singles::a_key_of_the_wrong_type_is_refused,
        queries::rows_come_in_the_order_of_the_sort_key,
        queries::key_conditions_bound_the_sort_key,
        queries::pages_join_without_gap_or_repetition,
        queries::filters_leave_short_pages,
        queries::filters_take_every_condition,
        queries::an_index_has_only_the_rows_with_its_keys,
        queries::an_index_of_keys_has_only_keys,
        queries::a_local_index_can_be_read_consistently,
        queries::a_global_index_can_not_be_read_consistently,
        queries::an_unknown_index_is_refused,
        queries::numbers_sort_by_value,
        queries::a_page_ends_at_a_megabyte,
        scans::pages_join_to_all_rows,
        scans::segments_join_to_all_rows,
        scans::filters_leave_short_pages,
        scans::an_index_is_scanned,
        batches::puts_and_deletes_happen_together,
        batches::missing_rows_are_left_out,
        batches::missing_rows_are_paid_for,
        batches::too_many_rows_are_refused_in_our_words,
        batches::a_row_twice_is_refused,
        batches::keys_beyond_the_size_limit_are_unprocessed,
        tables::a_created_table_is_described_as_requested,
        tables::a_table_without_sort_key_and_indexes_works,
        tables::a_table_with_number_and_binary_keys_works,
        tables::a_missing_table_has_no_description,
        tables::a_table_is_created_once,
        values::every_type_is_read_back,
        values::numbers_keep_38_digits,
        values::numbers_are_distinguished_by_value_only,
        values::empty_strings_and_binaries_are_values,
        values::empty_keys_are_refused,
        values::any_name_is_an_attribute,
        values::the_largest_row_fits,
        values::a_row_that_is_too_large_is_refused,
        values::a_row_can_not_grow_too_large,
        values::the_deepest_row_fits,
    }
    Transactions {
        transactions::all_kinds_of_actions_happen_together,
        transactions::every_action_costs_twice,
        transactions::reasons_come_in_the_order_of_the_actions,
        transactions::a_cancelled_transaction_changes_nothing,
        transactions::a_malformed_action_is_a_reason,
        transactions::too_many_rows_are_refused_in_our_words,
        transactions::a_row_both_checked_and_written_is_refused,
        transactions::a_row_twice_is_refused,
        transactions::an_update_of_nothing_is_refused,
        transactions::a_token_makes_a_repeat_harmless,
        transactions::a_token_belongs_to_its_transaction,
        transactions::rows_are_read_as_of_one_moment_in_order,
        transactions::a_missing_table_is_named,
    }
    MultiAttributeIndexKeys {
        queries::index_keys_can_have_several_attributes,
    }
}

/// Where a store is known to do otherwise than Amazon DynamoDB is documented to do.
pub(crate) struct Difference {
    /// The case that fails there.
    pub(crate) case: &'static str,
    /// What the store does, and what AWS documents.
    pub(crate) reason: &'static str,
}

/// The results of the cases.
pub(crate) struct Report {
    lines: Vec<String>,
    passed: usize,
    skipped: usize,
}

impl Report {
    /// Panics unless every case went as expected.
    pub(crate) fn expect_all_passed(&self) {
        assert!(self.lines.is_empty(), "\n{}\n", self.lines.join("\n"));
        assert!(self.passed > 0, "no case was run");
        println!("{} cases passed, {} need what the backend lacks", self.passed, self.skipped);
    }
}

/// Runs every case that the backend has the abilities for. A case that is a known difference must
/// fail; if it passes, the difference is gone.
pub(crate) async fn run(backend: Arc<dyn Backend>, differences: &[Difference]) -> Report {
    let mut report = Report { lines: Vec::new(), passed: 0, skipped: 0 };
    for difference in differences {
        if CASES.iter().all(|case| case.name != difference.case) {
            report.lines.push(format!("{}: there is no such case", difference.case));
        }
    }
    for (number, case) in CASES.iter().enumerate() {
        if !case.needs.are_met_by(backend.capabilities()) {
            report.skipped += 1;
            continue;
        }
        let subject = Subject::new(Arc::clone(&backend), number).await;
        let outcome = tokio::spawn((case.run)(subject)).await;
        let difference = differences.iter().find(|difference| difference.case == case.name);
        match (outcome, difference) {
            (Ok(()), None) | (Err(_), Some(_)) => report.passed += 1,
            (Err(failed), None) => {
                report.lines.push(format!("{}: {}", case.name, message(failed.into_panic())));
            }
            (Ok(()), Some(Difference { reason, .. })) => {
                report
                    .lines
                    .push(format!("{}: passes, though said to differ: {reason}", case.name));
            }
        }
    }
    report
}

fn message(panic: Box<dyn Any + Send>) -> String {
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast_ref::<&str>().copied().unwrap_or("no message").to_owned(),
    }
}
