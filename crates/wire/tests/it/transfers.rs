//! Exports, imports and bulk operations: files, states, errors, tokens.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use monotable_engine::{CreateTable, Database, ManualClock, Options};
use serde_json::{Value, json};

use crate::fixture::{VALIDATION, World, check_refusals, error_body};

const ACCOUNT: &str = "arn:aws:dynamodb:us-east-1:123456789012:table";

/// A world with a table `books` and a bucket `shelf`.
struct Library {
    world: World,
    buckets: tempfile::TempDir,
}

impl Library {
    fn new() -> Self {
        let clock = Arc::new(ManualClock::new(1_791_500_851_275));
        let database = Database::memory_with(Options { clock, ..Options::default() });
        let books = CreateTable::new("books").partition_key("id", "S").unwrap();
        database.create_table(books).unwrap();
        let buckets = tempfile::tempdir().unwrap();
        fs::create_dir(buckets.path().join("shelf")).unwrap();
        let world = World::with_buckets(database, Some(buckets.path().to_owned()));
        Self { world, buckets }
    }

    fn with_books() -> Self {
        let library = Self::new();
        for number in 0..300 {
            let item = json!({
                "id": {"S": format!("book \"{number}\"")}, "pages": {"N": format!("{number}00")},
                "authors": {"SS": ["A", "B"]}, "cover": {"B": "AP8="}, "out": {"BOOL": true},
                "more": {"M": {"empty": {"L": []}, "nothing": {"NULL": true}, "x y": {"NS": ["1.5", "-2"]}}},
            });
            library.world.put("books", &item.to_string());
        }
        library
    }

    fn bucket(&self) -> PathBuf {
        self.buckets.path().join("shelf")
    }

    fn write(&self, key: &str, bytes: &[u8]) {
        let path = self.bucket().join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn call(&self, operation: &str, body: &Value) -> Value {
        let response = self.world.call(operation, body.to_string().as_bytes());
        serde_json::from_str(&response).unwrap()
    }

    /// Starts an export and waits for it.
    fn export(&self, more: &Value) -> Value {
        let mut body = json!({"TableArn": format!("{ACCOUNT}/books"), "S3Bucket": "shelf"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let started = self.call("ExportTableToPointInTime", &body);
        let started = &started["ExportDescription"];
        assert_eq!(started["ExportStatus"], "IN_PROGRESS", "{started}");
        self.world.finish_jobs();
        let arn = &started["ExportArn"];
        self.call("DescribeExport", &json!({"ExportArn": arn}))["ExportDescription"].clone()
    }

    /// Starts an import into a table with the key `id` and waits for it.
    fn import(&self, table: &str, format: &str, prefix: &str, more: &Value) -> Value {
        let mut body = json!({
            "S3BucketSource": {"S3Bucket": "shelf", "S3KeyPrefix": prefix},
            "InputFormat": format,
            "TableCreationParameters": {
                "TableName": table, "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            },
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let started = self.call("ImportTable", &body);
        let started = &started["ImportTableDescription"];
        assert_eq!(started["ImportStatus"], "IN_PROGRESS", "{started}");
        self.world.finish_jobs();
        let arn = &started["ImportArn"];
        self.call("DescribeImport", &json!({"ImportArn": arn}))["ImportTableDescription"].clone()
    }

    fn items(&self, table: &str) -> Value {
        self.call("Scan", &json!({"TableName": table}))["Items"].clone()
    }
}

fn gunzip(path: &Path) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn an_export_has_the_files_and_manifests_of_aws() {
    let library = Library::with_books();
    let export = library.export(&json!({"S3Prefix": "daily"}));
    assert_eq!(export["ExportStatus"], "COMPLETED", "{export}");
    assert_eq!((&export["ItemCount"], &export["ExportType"]), (&json!(300), &json!("FULL_EXPORT")));
    let id = export["ExportArn"].as_str().unwrap().rsplit('/').next().unwrap();
    let folder = format!("daily/AWSDynamoDB/{id}");
    assert_eq!(export["ExportManifest"], format!("{folder}/manifest-summary.json"));
    let directory = library.bucket().join(&folder);
    let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
    assert_eq!(read("_started"), "");
    let summary: Value = serde_json::from_str(&read("manifest-summary.json")).unwrap();
    assert_eq!(summary["version"], "2020-06-30");
    assert_eq!(summary["exportTime"], "2026-10-08T23:07:31.275Z");
    assert_eq!(
        (&summary["itemCount"], &summary["outputFormat"]),
        (&json!(300), &json!("DYNAMODB_JSON"))
    );
    assert_eq!(
        (&summary["s3SseAlgorithm"], &summary["s3SseKmsKeyId"]),
        (&json!("AES256"), &json!(null))
    );
    assert_eq!(summary["manifestFilesS3Key"], format!("{folder}/manifest-files.json"));
    let (mut items, mut found) = (0, Vec::new());
    for line in read("manifest-files.json").lines() {
        let file: Value = serde_json::from_str(line).unwrap();
        let key = file["dataFileS3Key"].as_str().unwrap();
        let stem =
            key.strip_prefix(&format!("{folder}/data/")).unwrap().strip_suffix(".json.gz").unwrap();
        assert_eq!(stem.len(), 26, "{stem}");
        assert!(file["etag"].as_str().unwrap().ends_with("-1"));
        for line in gunzip(&library.bucket().join(key)).lines() {
            found.push(serde_json::from_str::<Value>(line).unwrap()["Item"].clone());
        }
        items += file["itemCount"].as_u64().unwrap();
    }
    assert_eq!((items, found.len()), (300, 300));
    assert_eq!(Value::from(found), library.items("books"));
    assert_eq!(read("manifest-summary.checksum").len(), 24);
}

#[test]
fn an_export_can_be_imported() {
    for (format, compression) in [("DYNAMODB_JSON", "GZIP"), ("ION", "GZIP")] {
        let library = Library::with_books();
        let export = library.export(&json!({"ExportFormat": format}));
        let id = export["ExportArn"].as_str().unwrap().rsplit('/').next().unwrap();
        let prefix = format!("AWSDynamoDB/{id}/data/");
        let more = json!({"InputCompressionType": compression});
        let import = library.import("again", format, &prefix, &more);
        assert_eq!(import["ImportStatus"], "COMPLETED", "{import}");
        assert_eq!((&import["ImportedItemCount"], &import["ErrorCount"]), (&json!(300), &json!(0)));
        assert_eq!(library.items("again"), library.items("books"), "{format}");
    }
}

#[test]
fn a_filter_chooses_items_and_attributes() {
    let library = Library::with_books();
    let filter = json!({"FilterExpression": "pages < :most", "ProjectionExpression": "id, #p",
        "ExpressionAttributeNames": {"#p": "pages"},
        "ExpressionAttributeValues": {":most": {"N": "500"}}});
    let export = library.export(&json!({"FilterSpecification": filter, "ClientToken": "one"}));
    assert_eq!(export["ItemCount"], 5, "{export}");
    assert_eq!(export["FilterSpecification"], filter);
    let body = json!({"TableArn": format!("{ACCOUNT}/books"), "S3Bucket": "shelf",
        "FilterSpecification": {"FilterExpression": "pages <"}});
    let refused = library.call("ExportTableToPointInTime", &body);
    assert!(refused["__type"].as_str().unwrap().ends_with(VALIDATION), "{refused}");
}

#[test]
fn a_token_starts_one_export() {
    let library = Library::with_books();
    let body =
        json!({"TableArn": format!("{ACCOUNT}/books"), "S3Bucket": "shelf", "ClientToken": "t"});
    let first = library.call("ExportTableToPointInTime", &body);
    library.world.finish_jobs();
    let again = library.call("ExportTableToPointInTime", &body);
    assert_eq!(again["ExportDescription"]["ExportArn"], first["ExportDescription"]["ExportArn"]);
    let other = json!({"TableArn": format!("{ACCOUNT}/books"), "S3Bucket": "shelf", "ClientToken": "t",
        "S3Prefix": "x"});
    let conflict = library.call("ExportTableToPointInTime", &other);
    assert!(
        conflict["__type"].as_str().unwrap().ends_with("ExportConflictException"),
        "{conflict}"
    );
    let listed = library.call("ListExports", &json!({}));
    assert_eq!(listed["ExportSummaries"].as_array().unwrap().len(), 1);
}

#[test]
fn lists_have_pages_newest_first() {
    let library = Library::with_books();
    let arns: Vec<Value> =
        (0..5).map(|_| library.export(&json!({}))["ExportArn"].clone()).collect();
    let first = library.call("ListExports", &json!({"MaxResults": 2}));
    let rest = library.call("ListExports", &json!({"NextToken": first["NextToken"]}));
    let seen: Vec<Value> = [&first, &rest]
        .iter()
        .flat_map(|page| page["ExportSummaries"].as_array().unwrap())
        .map(|summary| summary["ExportArn"].clone())
        .collect();
    let mut expected = arns;
    expected.sort_by_key(|arn| std::cmp::Reverse(arn.to_string()));
    assert_eq!(seen, expected);
    assert!(rest.get("NextToken").is_none());
}

#[test]
fn wrong_items_are_counted_and_the_others_imported() {
    let library = Library::new();
    library.write(
        "in/1.json",
        b"{\"Item\":{\"id\":{\"S\":\"a\"}}}\n{\"Item\":{\"id\":{\"N\":\"1\"}}}\n{\"Item\":{\"x\":{\"S\":\"a\"}}}\n\n{\"Item\":{\"id\":{\"S\":\"b\"}}}\n",
    );
    // Nothing after invalid JSON is read.
    library.write(
        "in/2.json",
        b"{\"Item\":{\"id\":{\"S\":\"c\"}}}\nnonsense\n{\"Item\":{\"id\":{\"S\":\"d\"}}}\n",
    );
    // The later item with the same key replaces the first, and neither counts as an error.
    library.write("in/3.json", b"{\"Item\":{\"id\":{\"S\":\"a\"},\"v\":{\"N\":\"2\"}}}");
    let import = library.import("letters", "DYNAMODB_JSON", "in/", &json!({}));
    assert_eq!(import["ImportStatus"], "FAILED", "{import}");
    assert_eq!(import["FailureCode"], "ItemValidationError");
    assert_eq!(import["ErrorCount"], 3);
    assert_eq!(
        (&import["ProcessedItemCount"], &import["ImportedItemCount"]),
        (&json!(7), &json!(4))
    );
    let table = library.call("DescribeTable", &json!({"TableName": "letters"}));
    assert_eq!(table["Table"]["TableStatus"], "ACTIVE");
    assert_eq!(table["Table"]["ItemCount"], 3);
    let a = library.call("GetItem", &json!({"TableName": "letters", "Key": {"id": {"S": "a"}}}));
    assert_eq!(a["Item"]["v"]["N"], "2");
}

#[test]
fn csv_and_compressed_objects_are_read() {
    let library = Library::new();
    library.write("csv/a.csv.gz", &gzip("id;pages;title\nx;12;\"a; \"\"b\"\"\"\ny;;\n"));
    let more =
        json!({"InputCompressionType": "GZIP", "InputFormatOptions": {"Csv": {"Delimiter": ";"}}});
    let import = library.import("books2", "CSV", "csv/", &more);
    assert_eq!(import["ImportStatus"], "COMPLETED", "{import}");
    let item = library.call("GetItem", &json!({"TableName": "books2", "Key": {"id": {"S": "x"}}}));
    assert_eq!(
        item["Item"],
        json!({"id": {"S": "x"}, "pages": {"S": "12"}, "title": {"S": "a; \"b\""}})
    );
    // Two frames of Zstandard, uncompressed inside: `{"Item":{"id":{"S":"z1"}}}` and the same with
    // z2.
    let frame = |id: &str| {
        let text = format!("{{\"Item\":{{\"id\":{{\"S\":\"{id}\"}}}}}}\n");
        let block = ((text.len() as u32) << 3) | 1;
        [
            &[0x28, 0xb5, 0x2f, 0xfd, 0x20, text.len() as u8],
            &block.to_le_bytes()[..3],
            text.as_bytes(),
        ]
        .concat()
    };
    library.write("z/a.json.zst", &[frame("z1"), frame("z2")].concat());
    let more = json!({"InputCompressionType": "ZSTD"});
    let import = library.import("zstd", "DYNAMODB_JSON", "z/", &more);
    assert_eq!(
        (&import["ImportStatus"], &import["ImportedItemCount"]),
        (&json!("COMPLETED"), &json!(2)),
        "{import}"
    );
    // The object is not compressed as the request claims, which is one error.
    let import =
        library.import("wrong", "DYNAMODB_JSON", "csv/", &json!({"InputCompressionType": "ZSTD"}));
    assert_eq!((&import["ImportStatus"], &import["ErrorCount"]), (&json!("FAILED"), &json!(1)));
}

#[test]
fn an_import_without_objects_leaves_no_table() {
    let library = Library::new();
    let import = library.import("nothing", "CSV", "nowhere/", &json!({}));
    assert_eq!(
        (&import["ImportStatus"], &import["FailureCode"]),
        (&json!("FAILED"), &json!("S3NoSuchKey"))
    );
    let table = library.call("DescribeTable", &json!({"TableName": "nothing"}));
    assert!(table["__type"].as_str().unwrap().ends_with("ResourceNotFoundException"));
}

#[test]
fn bulk_operations_put_into_a_table_in_use() {
    let library = Library::new();
    let lines: String = (0..2500)
        .map(|number| format!("{{\"Item\":{{\"id\":{{\"S\":\"{number}\"}}}}}}\n"))
        .collect();
    library.write(
        "bulk/1.json",
        format!("{lines}{{\"Item\":{{\"id\":{{\"N\":\"1\"}}}}}}\n").as_bytes(),
    );
    library.write("bulk/2.json", b"{\"Item\":{\"id\":{\"S\":\"last\"}}}\n");
    let input =
        json!({"S3Bucket": "shelf", "S3KeyPrefix": "bulk/", "InputFormat": "DYNAMODB_JSON"});
    let output = json!({"S3Bucket": "shelf", "S3KeyPrefix": "out", "OutputType": ["ERROR"]});
    let body = json!({"TableName": "books", "InputS3Configuration": input, "OutputS3Configuration": output, "ClientToken": "t"});
    let started = library.call("StartBulkPutItems", &body)["BulkOperationDescription"].clone();
    assert_eq!(started["BulkOperationStatus"], "IN_PROGRESS", "{started}");
    library.world.finish_jobs();
    let arn = started["BulkOperationArn"].clone();
    let described = library.call("DescribeBulkOperation", &json!({"BulkOperationArn": arn}));
    let described = &described["BulkOperationDescription"];
    assert_eq!(described["BulkOperationStatus"], "COMPLETED_WITH_ERRORS", "{described}");
    assert_eq!(
        (&described["ProcessedItemCount"], &described["FailedItemCount"]),
        (&json!(2502), &json!(1))
    );
    assert_eq!(described["InputS3Configuration"], input);
    let table = library.call("DescribeTable", &json!({"TableName": "books"}));
    assert_eq!(table["Table"]["ItemCount"], 2501);
    let id = arn.as_str().unwrap().rsplit('/').next().unwrap();
    let errors =
        fs::read_to_string(library.bucket().join(format!("out/AWSDynamoDB/{id}/ERROR.json")))
            .unwrap();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let again = library.call("StartBulkPutItems", &body);
    assert_eq!(again["BulkOperationDescription"]["BulkOperationArn"], arn);
    let mut other = body;
    other["PerformanceTier"] = json!("ACCELERATED");
    let mismatch = library.call("StartBulkPutItems", &other);
    assert!(mismatch["__type"].as_str().unwrap().ends_with("IdempotentParameterMismatchException"));
    let cancelled = library.call("CancelBulkOperation", &json!({"BulkOperationArn": arn}));
    assert_eq!(cancelled["BulkOperationStatus"], "COMPLETED_WITH_ERRORS");
    let listed = library.call("ListBulkOperations", &json!({}));
    assert_eq!(listed["BulkOperationsSummaryList"][0]["BulkOperationArn"], arn);
}

#[test]
fn wrong_requests_are_refused() {
    let null = |path: &str| {
        format!(
            "1 validation error detected: Value null at '{path}' failed to satisfy constraint: \
             Member must not be null"
        )
    };
    let export = |more: &str| format!(r#"{{"TableArn":"{ACCOUNT}/plain"{more}}}"#);
    let no_bucket =
        "The S3 bucket shelf is not supported by this server: it was started without --buckets DIR";
    let bucket_rule = r"1 validation error detected: Value '../x' at 's3Bucket' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$";
    let units = "1 validation error detected: Value '1000' at 'maxWriteRequestUnits' failed to satisfy \
        constraint: Member must have value greater than or equal to 1024";
    let bulk = r#"{"TableName":"plain","InputS3Configuration":{"S3Bucket":"shelf","InputFormat":"ION"},
        "OutputS3Configuration":{"OutputType":["ERROR"]},"MaxWriteRequestUnits":1000}"#;
    check_refusals(&[
        ("ExportTableToPointInTime", r#"{"S3Bucket":"shelf"}"#, VALIDATION, &null("tableArn")),
        ("ExportTableToPointInTime", &export(""), VALIDATION, &null("s3Bucket")),
        ("ExportTableToPointInTime", &export(r#","S3Bucket":"../x""#), VALIDATION, bucket_rule),
        ("ExportTableToPointInTime", &export(r#","S3Bucket":"shelf""#), VALIDATION, no_bucket),
        (
            "ExportTableToPointInTime",
            &format!(r#"{{"TableArn":"{ACCOUNT}/nowhere","S3Bucket":"shelf"}}"#),
            "TableNotFoundException",
            &format!("Table not found: {ACCOUNT}/nowhere"),
        ),
        ("DescribeExport", "{}", VALIDATION, &null("exportArn")),
        ("DescribeImport", "{}", VALIDATION, &null("importArn")),
        ("DescribeBulkOperation", "{}", VALIDATION, &null("bulkOperationArn")),
        ("StartBulkPutItems", bulk, VALIDATION, units),
    ]);
    let library = Library::new();
    let outside = json!({"TableArn": format!("{ACCOUNT}/books"), "S3Bucket": "shelf", "S3Prefix": "../other"});
    let refused = library.world.call("ExportTableToPointInTime", outside.to_string().as_bytes());
    assert!(refused.contains(VALIDATION), "{refused}");
    let taken = json!({"InputFormat": "CSV", "S3BucketSource": {"S3Bucket": "shelf"},
        "TableCreationParameters": {"TableName": "books", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}});
    let taken = library.world.call("ImportTable", taken.to_string().as_bytes());
    assert_eq!(taken, error_body("ResourceInUseException", "Table already exists: books"));
}
