// What the snippets of the document use and do not define. The endpoint comes from AWS's own
// environment variables.

import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

export const dynamodb = new DynamoDBClient({});

export const sleep = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function queryEventLogsForShard(matchId: string, shard: number) {
  const { Items } = await dynamodb.send(
    new QueryCommand({
      TableName: 'btlrun_kv',
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :log)',
      ExpressionAttributeValues: marshall({
        ':pk': `match#${matchId}#shard${shard}`,
        ':log': 'log#',
      }),
    }),
  );
  return (Items ?? []).map((item) => {
    const { sk, v } = unmarshall(item);
    return { seq: Number(sk.slice('log#'.length)), event: JSON.parse(v) };
  });
}
