// Clients of the endpoint and tables that are gone after the test.
//
// The endpoint, the region and the keys come from AWS's own environment variables, which
// `cargo xtask test --only clients` sets. Without an endpoint nothing runs: these tests must
// never reach AWS.

import assert from "node:assert/strict";
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

assert(
  process.env.AWS_ENDPOINT_URL,
  "set AWS_ENDPOINT_URL, or run `cargo xtask test --only clients`",
);

export const client = new DynamoDBClient({});
export const streams = new DynamoDBStreamsClient({});
export const documents = DynamoDBDocumentClient.from(client);

let tables = 0;

/** The definition of a table with the keys `pk` and `sk` (strings) unless told otherwise. */
export function definition(settings = {}) {
  tables += 1;
  return {
    TableName: `table-${process.pid}-${tables}`,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keys("pk", "sk"),
    AttributeDefinitions: strings("pk", "sk"),
    ...settings,
  };
}

/** Creates a table, to be deleted after the test, and returns its name. */
export async function createTable(test, settings) {
  const table = definition(settings);
  await client.send(new CreateTableCommand(table));
  await waitUntilTableExists(
    { client, minDelay: 1, maxWaitTime: 30 },
    { TableName: table.TableName },
  );
  test.after(() => deleteTable(table.TableName));
  return table.TableName;
}

/** Deletes a table that may be gone already. */
export async function deleteTable(name) {
  try {
    await client.send(new DeleteTableCommand({ TableName: name }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** A key schema. */
export function keys(partition, sort) {
  const schema = [{ AttributeName: partition, KeyType: "HASH" }];
  if (sort) schema.push({ AttributeName: sort, KeyType: "RANGE" });
  return schema;
}

/** Attribute definitions, all of type S. */
export function strings(...names) {
  return names.map((name) => ({ AttributeName: name, AttributeType: "S" }));
}

/** A secondary index with all attributes unless told otherwise. */
export function index(name, partition, sort, projection = { ProjectionType: "ALL" }) {
  return { IndexName: name, KeySchema: keys(partition, sort), Projection: projection };
}

/** The error that a promise ends with, checked for its class. */
export async function refusal(promise, type) {
  const error = await promise.then(
    (answer) => assert.fail(`answered ${JSON.stringify(answer)}`),
    (error) => error,
  );
  if (type) assert(error instanceof type, `${error.name}: ${error.message}`);
  return error;
}
