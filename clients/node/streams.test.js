// DynamoDB Streams, time to live and tags through the JavaScript SDK.

import assert from "node:assert/strict";
import test from "node:test";
import {
  DeleteItemCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb-streams";
import { marshall } from "@aws-sdk/util-dynamodb";
import { client, createTable, refusal, streams } from "./endpoint.js";

const KEY = marshall({ pk: "a", sk: "b" });

test("every change is recorded with both images", async (t) => {
  const TableName = await createTable(t, {
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  for (const number of ["1", "2"]) {
    const Item = { ...KEY, number: { N: number }, binary: { B: Uint8Array.of(1, 2) } };
    await client.send(new PutItemCommand({ TableName, Item }));
  }
  await client.send(new DeleteItemCommand({ TableName, Key: KEY }));

  const listed = await streams.send(new ListStreamsCommand({ TableName }));
  const { StreamArn } = listed.Streams[0];
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  assert.equal(StreamDescription.StreamStatus, "ENABLED");
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({
      StreamArn,
      ShardId: StreamDescription.Shards[0].ShardId,
      ShardIteratorType: "TRIM_HORIZON",
    }),
  );
  const { Records, NextShardIterator } = await streams.send(
    new GetRecordsCommand({ ShardIterator }),
  );
  assert(NextShardIterator);
  assert.deepEqual(
    Records.map((record) => record.eventName),
    ["INSERT", "MODIFY", "REMOVE"],
  );
  const [insert, modify, remove] = Records.map((record) => record.dynamodb);
  assert.deepEqual(insert.Keys, KEY);
  assert.equal(insert.OldImage, undefined);
  assert.deepEqual(insert.NewImage.binary.B, Uint8Array.of(1, 2));
  assert.equal(modify.OldImage.number.N, "1");
  assert.equal(modify.NewImage.number.N, "2");
  assert.equal(remove.OldImage.number.N, "2");
  assert.equal(remove.NewImage, undefined);
  assert(insert.ApproximateCreationDateTime instanceof Date);
  assert(BigInt(insert.SequenceNumber) < BigInt(modify.SequenceNumber));
});

test("a stream that is not there is not found", async () => {
  const StreamArn =
    "arn:aws:dynamodb:us-east-1:000000000000:table/nowhere/stream/2026-01-01T00:00:00.000";
  const command = new DescribeStreamCommand({ StreamArn });
  await refusal(streams.send(command), ResourceNotFoundException);
});

test("expiry is enabled and described", async (t) => {
  const TableName = await createTable(t);
  const TimeToLiveSpecification = { Enabled: true, AttributeName: "ttl" };
  const updated = await client.send(
    new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }),
  );
  assert.deepEqual(updated.TimeToLiveSpecification, TimeToLiveSpecification);
  const described = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  assert.deepEqual(described.TimeToLiveDescription, {
    TimeToLiveStatus: "ENABLED",
    AttributeName: "ttl",
  });
});

test("tags are added and removed", async (t) => {
  const TableName = await createTable(t);
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const ResourceArn = Table.TableArn;
  const Tags = [
    { Key: "team", Value: "a" },
    { Key: "stage", Value: "test" },
  ];
  await client.send(new TagResourceCommand({ ResourceArn, Tags }));
  await client.send(new UntagResourceCommand({ ResourceArn, TagKeys: ["team"] }));
  const listed = await client.send(new ListTagsOfResourceCommand({ ResourceArn }));
  assert.deepEqual(listed.Tags, Tags.slice(1));
});
