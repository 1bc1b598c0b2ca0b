// Backups, exports, imports and bulk puts, with the directory that the server takes for all buckets: MONOTABLE_BUCKETS.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import test from "node:test";
import {
  BackupNotFoundException,
  CancelBulkOperationCommand,
  CreateBackupCommand,
  DeleteBackupCommand,
  DescribeBackupCommand,
  DescribeBulkOperationCommand,
  DescribeImportCommand,
  ImportTableCommand,
  ListBackupsCommand,
  ListBulkOperationsCommand,
  ListExportsCommand,
  ListImportsCommand,
  PutItemCommand,
  RestoreTableFromBackupCommand,
  ScanCommand,
  StartBulkPutItemsCommand,
  TableNotFoundException,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { bucketPath, createBucket, exportTable, finished } from "./buckets.js";
import { client, createTable, definition, deleteTable, refusal } from "./endpoint.js";

const ITEMS = 40;

async function createBooks(t) {
  const TableName = await createTable(t);
  for (let number = 0; number < ITEMS; number++) {
    const Item = {
      pk: { S: "shelf" },
      sk: { S: `book ${number}` },
      price: { N: `${number}.5` },
      cover: { B: Uint8Array.of(0, 255, number) },
      tags: { SS: ["a", "b"] },
    };
    await client.send(new PutItemCommand({ TableName, Item }));
  }
  return TableName;
}

async function scan(TableName) {
  return (await client.send(new ScanCommand({ TableName }))).Items;
}

test("a backup is listed, restored and deleted", async (t) => {
  const TableName = await createBooks(t);
  const made = await client.send(new CreateBackupCommand({ TableName, BackupName: "first" }));
  const { BackupArn } = made.BackupDetails;
  const details = await finished(async () => {
    const { BackupDescription } = await client.send(new DescribeBackupCommand({ BackupArn }));
    return [BackupDescription, BackupDescription.BackupDetails.BackupStatus];
  });
  assert.equal(details.SourceTableDetails.ItemCount, ITEMS);
  const listed = await client.send(new ListBackupsCommand({ TableName }));
  assert.deepEqual(
    listed.BackupSummaries.map((backup) => backup.BackupArn),
    [BackupArn],
  );
  const TargetTableName = `${TableName}-restored`;
  t.after(() => deleteTable(TargetTableName));
  await client.send(new RestoreTableFromBackupCommand({ BackupArn, TargetTableName }));
  await waitUntilTableExists(
    { client, minDelay: 1, maxWaitTime: 30 },
    { TableName: TargetTableName },
  );
  assert.deepEqual(await scan(TargetTableName), await scan(TableName));
  await client.send(new DeleteBackupCommand({ BackupArn }));
  await refusal(client.send(new DeleteBackupCommand({ BackupArn })), BackupNotFoundException);
  const nowhere = new CreateBackupCommand({ TableName: "nowhere", BackupName: "none" });
  await refusal(client.send(nowhere), TableNotFoundException);
});

test("a table is exported and imported", async (t) => {
  const TableName = await createBooks(t);
  const S3Bucket = createBucket();
  const done = await exportTable(TableName, S3Bucket);
  const { ExportArn, TableArn } = done;
  assert.equal(done.ItemCount, ITEMS);
  const exports = await client.send(new ListExportsCommand({ TableArn }));
  assert.equal(exports.ExportSummaries[0].ExportArn, ExportArn);

  const target = definition();
  t.after(() => deleteTable(target.TableName));
  const importing = await client.send(
    new ImportTableCommand({
      S3BucketSource: { S3Bucket, S3KeyPrefix: `${dirname(done.ExportManifest)}/data/` },
      InputFormat: "DYNAMODB_JSON",
      InputCompressionType: "GZIP",
      TableCreationParameters: target,
    }),
  );
  const { ImportArn } = importing.ImportTableDescription;
  const imported = await finished(async () => {
    const { ImportTableDescription } = await client.send(new DescribeImportCommand({ ImportArn }));
    return [ImportTableDescription, ImportTableDescription.ImportStatus];
  });
  assert.equal(imported.ImportStatus, "COMPLETED");
  assert.equal(imported.ImportedItemCount, ITEMS);
  const imports = await client.send(new ListImportsCommand({ TableArn: imported.TableArn }));
  assert.equal(imports.ImportSummaryList[0].ImportArn, ImportArn);
  assert.deepEqual(await scan(target.TableName), await scan(TableName));
});

test("items are put in bulk", async (t) => {
  const TableName = await createTable(t);
  const S3Bucket = createBucket();
  const lines = Array.from({ length: 200 }, (_, number) =>
    JSON.stringify({ Item: { pk: { S: "bulk" }, sk: { S: `${number}` } } }),
  );
  writeFileSync(bucketPath(S3Bucket, "part.json"), lines.join("\n"));
  const started = await client.send(
    new StartBulkPutItemsCommand({
      TableName,
      InputS3Configuration: { S3Bucket, InputFormat: "DYNAMODB_JSON" },
      OutputS3Configuration: { OutputType: ["ERROR"] },
    }),
  );
  const { BulkOperationArn } = started.BulkOperationDescription;
  const done = await finished(async () => {
    const described = await client.send(new DescribeBulkOperationCommand({ BulkOperationArn }));
    const { BulkOperationDescription } = described;
    return [BulkOperationDescription, BulkOperationDescription.BulkOperationStatus];
  });
  assert.equal(done.BulkOperationStatus, "COMPLETED");
  assert.equal((await scan(TableName)).length, 200);
  const listed = await client.send(new ListBulkOperationsCommand({}));
  const arns = listed.BulkOperationsSummaryList.map((operation) => operation.BulkOperationArn);
  assert(arns.includes(BulkOperationArn));
  const cancelled = await client.send(new CancelBulkOperationCommand({ BulkOperationArn }));
  assert.equal(cancelled.BulkOperationStatus, "COMPLETED");
});
