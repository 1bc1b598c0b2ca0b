// Signatures: the keys of clients/keys.toml, which the server of this folder asks for.

import assert from "node:assert/strict";
import test from "node:test";
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { createTable, refusal } from "./endpoint.js";

const Key = marshall({ pk: "a", sk: "b" });

function clientOf(accessKeyId, secretAccessKey) {
  return new DynamoDBClient({ credentials: { accessKeyId, secretAccessKey } });
}

test("a key does what it is allowed and nothing else", async (t) => {
  const TableName = await createTable(t);
  const reader = clientOf("CLIENTSREADER", "reads-in-tests-only");
  await reader.send(new GetItemCommand({ TableName, Key }));
  const error = await refusal(reader.send(new PutItemCommand({ TableName, Item: Key })));
  assert.equal(error.name, "AccessDeniedException");
  assert.match(error.message, /reader/);
});

test("a wrong secret and an unknown key are refused", async (t) => {
  const TableName = await createTable(t);
  for (const [client, name] of [
    [clientOf("CLIENTSEVERYTHING", "not-the-secret"), "InvalidSignatureException"],
    [clientOf("STRANGER", "whatever"), "UnrecognizedClientException"],
  ]) {
    const error = await refusal(client.send(new GetItemCommand({ TableName, Key })));
    assert.equal(error.name, name);
  }
});
