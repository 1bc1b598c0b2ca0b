//! One of the five seeds as a model: every entity and access pattern declared, checked, and written down
//! as a design document under docs/designs. The models of the others are their services' own.
//!
//! After a change of a model, `UPDATE_EXPECT=1 cargo test -p monotable designs` writes the documents anew.

/// Declares an entity with the stamps that most rows have: when it was written, and how often.
macro_rules! row {
    ($(#[$attribute:meta])* pub struct $name:ident { $($fields:tt)* }) => {
        #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$attribute])*
        pub struct $name {
            $($fields)*
            #[stamps]
            #[serde(skip)]
            pub stamps: Stamps,
        }
    };
}

mod exercise;
#[allow(unreachable_pub, reason = "the models read like those of libraries")]
pub(crate) mod scavenger_hunt;

use expect_test::{ExpectFile, expect_file};
use monotable::design::{Design, check, meta::TableMeta};
use monotable::prelude::*;

/// Holds a design's document, and that its JSON form loses nothing.
fn check_document(design: &Design, document: ExpectFile) {
    document.assert_eq(&design.to_markdown());
    assert_eq!(Design::from_json(&design.to_json()).as_ref(), Ok(design));
}

/// A rule that is not followed has a reason.
fn check_findings(table: &'static TableMeta) {
    for finding in check::findings(table) {
        assert!(finding.because.is_some(), "{finding:?}");
    }
}

macro_rules! designs {
    ($($name:ident: $table:path => $document:literal;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn its_document_is_up_to_date() {
                let document = expect_file![concat!("../../../../docs/designs/", $document, ".md")];
                check_document(&<$table>::design(), document);
            }

            #[test]
            fn every_rule_is_followed_or_allowed() {
                check_findings(<$table as Table>::META);
            }

            #[tokio::test]
            async fn it_opens_on_the_embedded_engine() {
                let settings = <$table>::settings().variable("uniqueId", "test");
                let store = settings.open(Embedded::memory()).await.unwrap();
                store.verify_table().await.unwrap();
            }
        }
    )*};
}

designs! {
    scavenger_hunt_design: scavenger_hunt::ScavengerHunt => "scavenger-hunt";
}
