// Buckets, and exports into them, with the directory that the server takes for all buckets: MONOTABLE_BUCKETS.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  DescribeExportCommand,
  DescribeTableCommand,
  ExportTableToPointInTimeCommand,
} from "@aws-sdk/client-dynamodb";
import { client } from "./endpoint.js";

let buckets = 0;

/** Creates a bucket and returns its name. */
export function createBucket() {
  buckets += 1;
  const name = `node-${process.pid}-${buckets}`;
  mkdirSync(bucketPath(name));
  return name;
}

/** The path of a key in a bucket, or of the bucket. */
export function bucketPath(bucket, key = "") {
  return join(process.env.MONOTABLE_BUCKETS, bucket, key);
}

/** Describes a job until it is no longer in progress. */
export async function finished(describe) {
  for (;;) {
    const [description, status] = await describe();
    if (status !== "IN_PROGRESS" && status !== "CREATING") return description;
    await setTimeout(20);
  }
}

/** Exports a table, and returns the description of the export. */
export async function exportTable(TableName, S3Bucket) {
  const described = await client.send(new DescribeTableCommand({ TableName }));
  const { TableArn } = described.Table;
  const started = await client.send(new ExportTableToPointInTimeCommand({ TableArn, S3Bucket }));
  const { ExportArn } = started.ExportDescription;
  const done = await finished(async () => {
    const { ExportDescription } = await client.send(new DescribeExportCommand({ ExportArn }));
    return [ExportDescription, ExportDescription.ExportStatus];
  });
  assert.equal(done.ExportStatus, "COMPLETED");
  return done;
}
