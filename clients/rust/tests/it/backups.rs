//! Backups, exports and imports, with the directory that the server takes for all buckets: `MONOTABLE_BUCKETS`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::primitives::DateTime;
use aws_sdk_dynamodb::types::{
    BackupStatus, BillingMode, ExportDescription, ExportStatus, ExportType, ImportStatus,
    ImportTableDescription, IncrementalExportSpecification, InputCompressionType, InputFormat,
    KeyType, S3BucketSource, TableCreationParameters, TableStatus,
};

use crate::endpoint::{Item, client, create_table, item, key, n, string, unique_name};

const ITEMS: usize = 30;

/// Waits before a job is described again.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// Creates a table with items, and returns its name and its ARN.
async fn create_books(client: &Client) -> (String, String) {
    let name = create_table(client).await;
    for number in 0..ITEMS {
        let book = item("shelf", &format!("book {number:02}"), [("price", n(number))]);
        client.put_item().table_name(&name).set_item(Some(book)).send().await.unwrap();
    }
    let described = client.describe_table().table_name(&name).send().await.unwrap();
    let arn = described.table().and_then(|table| table.table_arn()).unwrap().to_owned();
    (name, arn)
}

async fn scan(client: &Client, table: &str) -> Vec<Item> {
    client.scan().table_name(table).send().await.unwrap().items.unwrap_or_default()
}

/// Creates a bucket, and returns its name and its directory.
fn create_bucket() -> (String, PathBuf) {
    let name = format!("rust-{}-{}", std::process::id(), unique_name());
    let path = Path::new(&std::env::var("MONOTABLE_BUCKETS").unwrap()).join(&name);
    std::fs::create_dir(&path).unwrap();
    (name, path)
}

async fn exported(client: &Client, arn: &str) -> ExportDescription {
    loop {
        let described = client.describe_export().export_arn(arn).send().await.unwrap();
        let export = described.export_description.unwrap();
        if export.export_status() != Some(&ExportStatus::InProgress) {
            return export;
        }
        pause().await;
    }
}

async fn imported(client: &Client, arn: &str) -> ImportTableDescription {
    loop {
        let described = client.describe_import().import_arn(arn).send().await.unwrap();
        let import = described.import_table_description.unwrap();
        if import.import_status() != Some(&ImportStatus::InProgress) {
            return import;
        }
        pause().await;
    }
}

#[tokio::test]
async fn a_backup_is_listed_restored_and_deleted() {
    let client = client();
    let (name, _) = create_books(&client).await;
    let made = client.create_backup().table_name(&name).backup_name("first").send().await.unwrap();
    let arn = made.backup_details().unwrap().backup_arn().to_owned();
    loop {
        let described = client.describe_backup().backup_arn(&arn).send().await.unwrap();
        let described = described.backup_description.unwrap();
        if described.backup_details().unwrap().backup_status() == &BackupStatus::Available {
            let source = described.source_table_details().unwrap();
            assert_eq!(source.item_count(), Some(ITEMS as i64));
            break;
        }
        pause().await;
    }
    let listed = client.list_backups().table_name(&name).send().await.unwrap();
    let arns: Vec<_> = listed.backup_summaries().iter().map(|backup| backup.backup_arn()).collect();
    assert_eq!(arns, [Some(&*arn)]);

    let target = unique_name();
    let restore = client.restore_table_from_backup().target_table_name(&target).backup_arn(&arn);
    restore.clone().send().await.unwrap();
    loop {
        let described = client.describe_table().table_name(&target).send().await.unwrap();
        if described.table().unwrap().table_status() == Some(&TableStatus::Active) {
            break;
        }
        pause().await;
    }
    assert_eq!(scan(&client, &target).await, scan(&client, &name).await);
    let again = restore.send().await.unwrap_err().into_service_error();
    assert!(again.is_table_already_exists_exception(), "{again:?}");
    client.delete_backup().backup_arn(&arn).send().await.unwrap();
    let gone = client.describe_backup().backup_arn(&arn).send().await.unwrap_err();
    assert!(gone.into_service_error().is_backup_not_found_exception());
}

#[tokio::test]
async fn a_table_is_exported_and_imported() {
    let client = client();
    let (name, table_arn) = create_books(&client).await;
    let (bucket, directory) = create_bucket();
    let export = client.export_table_to_point_in_time().table_arn(&table_arn).s3_bucket(&bucket);
    let started = export.send().await.unwrap().export_description.unwrap();
    let done = exported(&client, started.export_arn().unwrap()).await;
    assert_eq!(done.export_status(), Some(&ExportStatus::Completed), "{done:?}");
    assert_eq!(done.item_count(), Some(ITEMS as i64));
    let manifest = Path::new(done.export_manifest().unwrap());
    assert!(directory.join(manifest).is_file());
    let listed = client.list_exports().table_arn(&table_arn).send().await.unwrap();
    assert_eq!(listed.export_summaries()[0].export_arn(), done.export_arn());

    let target = unique_name();
    let source = S3BucketSource::builder().s3_bucket(&bucket);
    let source = source.s3_key_prefix(format!("{}/data/", manifest.parent().unwrap().display()));
    let table = TableCreationParameters::builder()
        .table_name(&target)
        .billing_mode(BillingMode::PayPerRequest)
        .set_key_schema(Some(vec![key("pk", KeyType::Hash), key("sk", KeyType::Range)]))
        .set_attribute_definitions(Some(vec![string("pk"), string("sk")]));
    let import = client
        .import_table()
        .s3_bucket_source(source.build().unwrap())
        .input_format(InputFormat::DynamodbJson)
        .input_compression_type(InputCompressionType::Gzip)
        .table_creation_parameters(table.build().unwrap());
    let started = import.send().await.unwrap().import_table_description.unwrap();
    let done = imported(&client, started.import_arn().unwrap()).await;
    assert_eq!(done.import_status(), Some(&ImportStatus::Completed), "{done:?}");
    assert_eq!((done.imported_item_count(), done.error_count()), (ITEMS as i64, 0));
    let listed = client.list_imports().table_arn(done.table_arn().unwrap()).send().await.unwrap();
    assert_eq!(listed.import_summary_list()[0].import_arn(), done.import_arn());
    assert_eq!(scan(&client, &target).await, scan(&client, &name).await);
}

#[tokio::test]
async fn a_time_that_can_not_be_exported_is_refused() {
    let client = client();
    let (_, table_arn) = create_books(&client).await;
    let (bucket, _) = create_bucket();
    let window = IncrementalExportSpecification::builder().export_from_time(DateTime::from_secs(1));
    let export = client
        .export_table_to_point_in_time()
        .table_arn(&table_arn)
        .s3_bucket(&bucket)
        .export_type(ExportType::IncrementalExport)
        .incremental_export_specification(window.build());
    let refused = export.send().await.unwrap_err().into_service_error();
    assert!(refused.is_invalid_export_time_exception(), "{refused:?}");
}
