// Tables through the JavaScript SDK: create, describe, change, list, delete, and wait for them.

import assert from "node:assert/strict";
import test from "node:test";
import {
  CreateTableCommand,
  DeleteResourcePolicyCommand,
  DeleteTableCommand,
  DescribeEndpointsCommand,
  DescribeLimitsCommand,
  DescribeTableCommand,
  GetResourcePolicyCommand,
  ListTablesCommand,
  paginateListTables,
  PolicyNotFoundException,
  PutResourcePolicyCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  TableStatus,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { client, createTable, definition, index, keys, refusal, strings } from "./endpoint.js";

async function describe(TableName) {
  return (await client.send(new DescribeTableCommand({ TableName }))).Table;
}

test("a new table describes itself", async (t) => {
  const name = await createTable(t, {
    AttributeDefinitions: strings("pk", "sk", "city"),
    GlobalSecondaryIndexes: [index("by-city", "city", "sk")],
    LocalSecondaryIndexes: [
      index("local", "pk", "city", { ProjectionType: "INCLUDE", NonKeyAttributes: ["score"] }),
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
  });
  const table = await describe(name);
  assert.equal(table.TableStatus, TableStatus.ACTIVE);
  assert.deepEqual(table.KeySchema, keys("pk", "sk"));
  assert.equal(table.ItemCount, 0);
  assert(table.CreationDateTime instanceof Date);
  assert(table.TableArn.endsWith(`table/${name}`));
  assert(table.LatestStreamArn.startsWith(`${table.TableArn}/stream/`));
  assert.equal(table.GlobalSecondaryIndexes[0].IndexStatus, "ACTIVE");
  assert.deepEqual(table.LocalSecondaryIndexes[0].Projection.NonKeyAttributes, ["score"]);
});

test("a table is changed", async (t) => {
  const name = await createTable(t, {
    BillingMode: "PROVISIONED",
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  });
  await client.send(
    new UpdateTableCommand({
      TableName: name,
      ProvisionedThroughput: { ReadCapacityUnits: 2, WriteCapacityUnits: 3 },
    }),
  );
  const { ProvisionedThroughput } = await describe(name);
  assert.equal(ProvisionedThroughput.ReadCapacityUnits, 2);
  assert.equal(ProvisionedThroughput.WriteCapacityUnits, 3);

  await client.send(new UpdateTableCommand({ TableName: name, BillingMode: "PAY_PER_REQUEST" }));
  assert.equal((await describe(name)).BillingModeSummary.BillingMode, "PAY_PER_REQUEST");

  const Create = index("by-email", "email");
  await client.send(
    new UpdateTableCommand({
      TableName: name,
      AttributeDefinitions: strings("email"),
      GlobalSecondaryIndexUpdates: [{ Create }],
    }),
  );
  assert.equal((await describe(name)).GlobalSecondaryIndexes[0].IndexName, "by-email");
});

test("the waiters see tables come and go", async () => {
  const table = definition();
  await client.send(new CreateTableCommand(table));
  const known = { TableName: table.TableName };
  const came = await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 30 }, known);
  assert.equal(came.state, "SUCCESS");
  const { TableDescription } = await client.send(new DeleteTableCommand(known));
  assert.equal(TableDescription.TableStatus, TableStatus.DELETING);
  const went = await waitUntilTableNotExists({ client, minDelay: 1, maxWaitTime: 30 }, known);
  assert.equal(went.state, "SUCCESS");
});

test("tables are listed page by page", async (t) => {
  const names = [];
  for (let count = 0; count < 5; count += 1) names.push(await createTable(t));
  const listed = [];
  for await (const page of paginateListTables({ client, pageSize: 2 }, {})) {
    assert(page.TableNames.length <= 2);
    listed.push(...page.TableNames);
  }
  assert(names.every((name) => listed.includes(name)));
  assert.equal(new Set(listed).size, listed.length);

  const first = await client.send(new ListTablesCommand({ Limit: 1 }));
  assert.equal(first.LastEvaluatedTableName, first.TableNames[0]);
});

test("the same table is not created twice", async (t) => {
  const name = await createTable(t);
  const again = new CreateTableCommand(definition({ TableName: name }));
  const error = await refusal(client.send(again), ResourceInUseException);
  assert.equal(error.name, "ResourceInUseException");
  assert.equal(error.$metadata.httpStatusCode, 400);
});

test("a table that is not there is not found", async () => {
  for (const Command of [DescribeTableCommand, DeleteTableCommand]) {
    const error = await refusal(
      client.send(new Command({ TableName: "nowhere" })),
      ResourceNotFoundException,
    );
    assert.equal(error.message, "Requested resource not found: Table: nowhere not found");
    assert.equal(error.$fault, "client");
  }
});

test("the limits of the account are told", async () => {
  const limits = await client.send(new DescribeLimitsCommand({}));
  assert(limits.AccountMaxReadCapacityUnits > 0);
  assert(limits.TableMaxWriteCapacityUnits > 0);
});

test("the endpoint tells its own address", async () => {
  const { Endpoints } = await client.send(new DescribeEndpointsCommand({}));
  assert.equal(`http://${Endpoints[0].Address}`, process.env.AWS_ENDPOINT_URL);
  assert(Endpoints[0].CachePeriodInMinutes > 0);
});

test("a table's policy is stored with a revision, returned and removed", async (t) => {
  const { TableArn: ResourceArn } = await describe(await createTable(t));
  const Policy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Principal: "*", Action: "dynamodb:GetItem", Resource: ResourceArn },
    ],
  });
  const { RevisionId } = await client.send(new PutResourcePolicyCommand({ ResourceArn, Policy }));
  const stored = await client.send(new GetResourcePolicyCommand({ ResourceArn }));
  assert.deepEqual([stored.Policy, stored.RevisionId], [Policy, RevisionId]);
  const removed = new DeleteResourcePolicyCommand({ ResourceArn, ExpectedRevisionId: RevisionId });
  assert.equal((await client.send(removed)).RevisionId, RevisionId);
  await refusal(client.send(new GetResourcePolicyCommand({ ResourceArn })), PolicyNotFoundException);
});
