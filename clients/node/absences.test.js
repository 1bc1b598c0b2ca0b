// What the server has not: questions are answered truly, changes are refused plainly.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import * as dynamodbStreams from "@aws-sdk/client-dynamodb-streams";
import { client, createTable, refusal } from "./endpoint.js";

const {
  DeleteResourcePolicyCommand,
  DescribeContinuousBackupsCommand,
  DescribeContributorInsightsCommand,
  DescribeKinesisStreamingDestinationCommand,
  DescribeTableCommand,
  DescribeTableReplicaAutoScalingCommand,
  UpdateContinuousBackupsCommand,
  UpdateContributorInsightsCommand,
} = dynamodb;

const ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/nowhere";
const BACKUP = `${ARN}/backup/01489173575360-b308cd7d`;
const BULK = `${ARN}/bulk-operation/01489173575360-b308cd7d`;

const LISTS = [
  [dynamodb.ListGlobalTablesCommand, "GlobalTables"],
  [dynamodb.ListContributorInsightsCommand, "ContributorInsightsSummaries"],
];

const NOT_FOUND = [
  [dynamodb.DescribeBackupCommand, { BackupArn: BACKUP }, dynamodb.BackupNotFoundException],
  [dynamodb.DescribeExportCommand, { ExportArn: BACKUP }, dynamodb.ExportNotFoundException],
  [dynamodb.DescribeImportCommand, { ImportArn: BACKUP }, dynamodb.ImportNotFoundException],
  [
    dynamodb.DescribeGlobalTableCommand,
    { GlobalTableName: "nowhere" },
    dynamodb.GlobalTableNotFoundException,
  ],
  [
    dynamodb.DescribeGlobalTableSettingsCommand,
    { GlobalTableName: "nowhere" },
    dynamodb.GlobalTableNotFoundException,
  ],
  [dynamodb.GetResourcePolicyCommand, { ResourceArn: ARN }, dynamodb.ResourceNotFoundException],
  [
    dynamodb.DescribeBulkOperationCommand,
    { BulkOperationArn: BULK },
    dynamodb.ResourceNotFoundException,
  ],
  [
    dynamodb.CancelBulkOperationCommand,
    { BulkOperationArn: BULK },
    dynamodb.ResourceNotFoundException,
  ],
  [
    dynamodb.RestoreTableToPointInTimeCommand,
    { TargetTableName: "target", SourceTableName: "nowhere", UseLatestRestorableTime: true },
    dynamodb.TableNotFoundException,
  ],
];

const REFUSED = [
  [
    dynamodb.CreateGlobalTableCommand,
    { GlobalTableName: "nowhere", ReplicationGroup: [{ RegionName: "eu-west-1" }] },
  ],
  [dynamodb.UpdateGlobalTableCommand, { GlobalTableName: "nowhere", ReplicaUpdates: [] }],
  [dynamodb.UpdateGlobalTableSettingsCommand, { GlobalTableName: "nowhere" }],
  [dynamodb.EnableKinesisStreamingDestinationCommand, { TableName: "nowhere", StreamArn: ARN }],
  [dynamodb.DisableKinesisStreamingDestinationCommand, { TableName: "nowhere", StreamArn: ARN }],
  [dynamodb.UpdateKinesisStreamingDestinationCommand, { TableName: "nowhere", StreamArn: ARN }],
  [dynamodb.UpdateTableReplicaAutoScalingCommand, { TableName: "nowhere" }],
  [
    dynamodb.SearchVectorsCommand,
    { TableName: "nowhere", IndexName: "by-meaning", SearchVector: [{ N: "1" }], TopK: 1 },
  ],
];

for (const [Command, member] of LISTS) {
  test(`${Command.name} is empty`, async () => {
    const answer = await client.send(new Command({}));
    assert.deepEqual(answer[member], []);
  });
}

for (const [Command, input, type] of NOT_FOUND) {
  test(`${Command.name} finds nothing`, async () => {
    await refusal(client.send(new Command(input)), type);
  });
}

for (const [Command, input] of REFUSED) {
  test(`${Command.name} is refused`, async () => {
    const error = await refusal(client.send(new Command(input)));
    assert.equal(error.name, "ValidationException");
    assert.match(error.message, /is not supported/);
  });
}

test("questions about a table are answered", async (t) => {
  const TableName = await createTable(t);
  const ask = (Command) => client.send(new Command({ TableName }));
  const backups = await ask(DescribeContinuousBackupsCommand);
  assert.equal(
    backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus,
    "DISABLED",
  );
  const insights = await ask(DescribeContributorInsightsCommand);
  assert.equal(insights.ContributorInsightsStatus, "DISABLED");
  const kinesis = await ask(DescribeKinesisStreamingDestinationCommand);
  assert.deepEqual(kinesis.KinesisDataStreamDestinations, []);
  const scaling = await ask(DescribeTableReplicaAutoScalingCommand);
  assert.equal(scaling.TableAutoScalingDescription.TableName, TableName);
});

test("what is the case anyway is granted", async (t) => {
  const TableName = await createTable(t);
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: false };
  await client.send(
    new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }),
  );
  const ContributorInsightsAction = "DISABLE";
  await client.send(new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction }));
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  await client.send(new DeleteResourcePolicyCommand({ ResourceArn: Table.TableArn }));
});

test("no command of the SDK is left out of these tests", () => {
  const folder = new URL(".", import.meta.url);
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join();
  const forgotten = Object.keys({ ...dynamodb, ...dynamodbStreams })
    .filter((name) => /^[A-Z].*Command$/.test(name))
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(sources));
  assert.deepEqual(forgotten, []);
});
