//! "Compression for Large Values": binary payloads next to text ones.

use monotable::dynamodb::PutItem;
use monotable::{AttributeValue, Item, item, map};

use super::{TABLE, create};
use crate::support::literal::Literal;
use crate::support::reading::{get, lower_key};
use crate::support::stores::on_both_stores;

/// `{"blob":"aaa…"}` with 12,000 letters, compressed by gzip.
const COMPRESSED: [u8; 61] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x41, 0x0d, 0x00, 0x20,
    0x0c, 0x04, 0x30, 0x2f, 0x27, 0x63, 0x6e, 0xd8, 0x7b, 0x09, 0x02, 0x08, 0xde, 0xb1, 0xc1, 0xa3,
    0xed, 0x49, 0xcf, 0xee, 0x54, 0x16, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x7c, 0x20, 0xf7, 0x01, 0xe5, 0x91, 0x6c, 0xbf, 0xeb, 0x2e, 0x00, 0x00,
];

/// Returns the row of a value over 10 KB.
fn compressed_row() -> Item {
    let printed = "{
        pk,
        sk,
        v: compressed,
        ct: 'application/json',
        meta: { compressed: true },
      }";
    Literal::new(printed)
        .bind("pk", "match#m1")
        .bind("sk", "state")
        .bind("compressed", AttributeValue::B(COMPRESSED.to_vec()))
        .item()
}

/// Returns the row of a small value.
fn plain_row() -> Item {
    let printed = "{ pk, sk, v: json, ct: 'application/json' }";
    Literal::new(printed)
        .bind("pk", "match#m2")
        .bind("sk", "state")
        .bind("json", r#"{"day":1}"#)
        .item()
}

#[test]
fn a_compressed_value_is_kept_as_binary() {
    on_both_stores(|db| {
        create(db);
        db.put_item(PutItem::new(TABLE, compressed_row())).unwrap();
        let expected = item! {
            "pk" => "match#m1", "sk" => "state", "v" => AttributeValue::B(COMPRESSED.to_vec()),
            "ct" => "application/json", "meta" => map! { "compressed" => true },
        };
        assert_eq!(get(db, TABLE, lower_key("match#m1", "state")), Some(expected));
    });
}

#[test]
fn a_small_value_is_kept_as_text_without_meta() {
    on_both_stores(|db| {
        create(db);
        db.put_item(PutItem::new(TABLE, plain_row())).unwrap();
        let stored = get(db, TABLE, lower_key("match#m2", "state")).unwrap();
        assert_eq!(stored["v"], r#"{"day":1}"#.into());
        assert!(!stored.contains_key("meta"));
    });
}

#[test]
fn every_byte_value_survives() {
    on_both_stores(|db| {
        create(db);
        let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(100_000).collect();
        let mut row = compressed_row();
        row.insert("v".to_owned(), AttributeValue::B(bytes.clone()));
        db.put_item(PutItem::new(TABLE, row)).unwrap();
        let stored = get(db, TABLE, lower_key("match#m1", "state")).unwrap();
        assert_eq!(stored["v"].as_b(), Some(bytes.as_slice()));
    });
}
