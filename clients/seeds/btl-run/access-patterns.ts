// The functions of the document, in its order and as it wrote them. What it leaves undefined comes
// from left-undefined.ts.

import { dynamodb, queryEventLogsForShard, sleep } from './left-undefined.ts';

// ## Get Match State

import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

async function getMatchState(matchId: string) {
  const result = await dynamodb.send(new GetItemCommand({
    TableName: 'btlrun_kv',
    Key: marshall({ pk: `match#${matchId}`, sk: 'state' }),
  }));
  
  if (!result.Item) return null;
  
  const item = unmarshall(result.Item);
  return JSON.parse(item.v);
}

// ## Put Match State with Optimistic Locking

import { PutItemCommand, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

async function updateMatchState(matchId: string, state: any, expectedVer?: number) {
  const newVer = (expectedVer || 0) + 1;
  
  try {
    await dynamodb.send(new PutItemCommand({
      TableName: 'btlrun_kv',
      Item: marshall({
        pk: `match#${matchId}`,
        sk: 'state',
        v: JSON.stringify(state),
        ct: 'application/json',
        ver: newVer,
      }),
      ConditionExpression: expectedVer !== undefined 
        ? 'ver = :expected' 
        : 'attribute_not_exists(pk)',
      ExpressionAttributeValues: expectedVer !== undefined
        ? marshall({ ':expected': expectedVer })
        : undefined,
    }));
    
    return newVer;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      throw new Error('Concurrent modification detected. Retry with latest version.');
    }
    throw error;
  }
}

// ## Append Event Log

async function appendEventLog(matchId: string, seq: number, event: any) {
  await dynamodb.send(new PutItemCommand({
    TableName: 'btlrun_kv',
    Item: marshall({
      pk: `match#${matchId}`,
      sk: `log#${seq.toString().padStart(6, '0')}`,
      v: JSON.stringify(event),
      ct: 'application/json',
    }),
  }));
}

// ## Query Event Logs (Pagination)

import { QueryCommand } from '@aws-sdk/client-dynamodb';

async function getEventLogs(matchId: string, afterSeq?: number, limit = 50) {
  const result = await dynamodb.send(new QueryCommand({
    TableName: 'btlrun_kv',
    KeyConditionExpression: 'pk = :pk AND sk >= :sk',
    ExpressionAttributeValues: marshall({
      ':pk': `match#${matchId}`,
      ':sk': afterSeq ? `log#${(afterSeq + 1).toString().padStart(6, '0')}` : 'log#',
    }),
    Limit: limit,
  }));
  
  return result.Items?.map(item => {
    const unmarshalled = unmarshall(item);
    return {
      seq: parseInt(unmarshalled.sk.replace('log#', '')),
      event: JSON.parse(unmarshalled.v),
    };
  }) || [];
}

// ## Batch Get (Multiple Items)

import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';

async function batchGetStates(matchIds: string[]) {
  const result = await dynamodb.send(new BatchGetItemCommand({
    RequestItems: {
      'btlrun_kv': {
        Keys: matchIds.map(id => marshall({
          pk: `match#${id}`,
          sk: 'state',
        })),
      },
    },
  }));
  
  return result.Responses?.['btlrun_kv']?.map(item => {
    const unmarshalled = unmarshall(item);
    return JSON.parse(unmarshalled.v);
  }) || [];
}

// ## Atomic Counter Increment

import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';

async function incrementCounter(key: string, amount = 1): Promise<number> {
  const result = await dynamodb.send(new UpdateItemCommand({
    TableName: 'btlrun_kv',
    Key: marshall({ pk: key, sk: 'count' }),
    UpdateExpression: 'ADD #val :inc',
    ExpressionAttributeNames: { '#val': 'v' },
    ExpressionAttributeValues: marshall({ ':inc': amount }),
    ReturnValues: 'UPDATED_NEW',
  }));
  
  return unmarshall(result.Attributes!).v;
}

// ## TTL for Rate Limiting

async function setRateLimit(userId: string, route: string, count: number, ttlSeconds = 60) {
  const window = Math.floor(Date.now() / 1000 / ttlSeconds);
  const ttl = Math.floor(Date.now() / 1000) + ttlSeconds + 10; // +10s buffer
  
  await dynamodb.send(new PutItemCommand({
    TableName: 'btlrun_kv',
    Item: marshall({
      pk: `rate#${userId}`,
      sk: `${route}#${window}`,
      v: count,
      ttl, // DynamoDB will auto-delete after expiration
    }),
  }));
}

// ## Delete Item

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';

async function deleteItem(pk: string, sk: string) {
  await dynamodb.send(new DeleteItemCommand({
    TableName: 'btlrun_kv',
    Key: marshall({ pk, sk }),
  }));
}

// ## Hot Partition Prevention

// Shard logs across multiple partitions
function getShardedLogKey(matchId: string, seq: number, shardCount = 4) {
  const shard = seq % shardCount;
  return {
    pk: `match#${matchId}#shard${shard}`,
    sk: `log#${seq.toString().padStart(6, '0')}`,
  };
}

// Query all shards when reading
async function getAllEventLogs(matchId: string, shardCount = 4) {
  const promises = Array.from({ length: shardCount }, (_, i) =>
    queryEventLogsForShard(matchId, i)
  );
  
  const results = await Promise.all(promises);
  return results.flat().sort((a, b) => a.seq - b.seq);
}

// ## Compression for Large Values

import { gzip, gunzip } from 'zlib';
import { promisify } from 'util';

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

async function putLargeValue(pk: string, sk: string, value: any) {
  const json = JSON.stringify(value);
  
  if (json.length > 10_000) {
    const compressed = await gzipAsync(Buffer.from(json));
    
    await dynamodb.send(new PutItemCommand({
      TableName: 'btlrun_kv',
      Item: marshall({
        pk,
        sk,
        v: compressed,
        ct: 'application/json',
        meta: { compressed: true },
      }),
    }));
  } else {
    // Store uncompressed
    await dynamodb.send(new PutItemCommand({
      TableName: 'btlrun_kv',
      Item: marshall({ pk, sk, v: json, ct: 'application/json' }),
    }));
  }
}

async function getLargeValue(pk: string, sk: string) {
  const result = await dynamodb.send(new GetItemCommand({
    TableName: 'btlrun_kv',
    Key: marshall({ pk, sk }),
  }));
  
  if (!result.Item) return null;
  
  const item = unmarshall(result.Item);
  
  if (item.meta?.compressed) {
    const decompressed = await gunzipAsync(item.v);
    return JSON.parse(decompressed.toString());
  }
  
  return JSON.parse(item.v);
}

// ## Lightweight Lock Pattern

async function acquireLock(matchId: string, ttlSeconds = 30): Promise<boolean> {
  const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
  
  try {
    await dynamodb.send(new PutItemCommand({
      TableName: 'btlrun_kv',
      Item: marshall({
        pk: `lock#match#${matchId}`,
        sk: 'v',
        v: 'locked',
        ttl,
      }),
      ConditionExpression: 'attribute_not_exists(pk)',
    }));
    
    return true; // Lock acquired
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return false; // Lock already held
    }
    throw error;
  }
}

async function releaseLock(matchId: string) {
  await deleteItem(`lock#match#${matchId}`, 'v');
}

// ## Error Handling

async function exponentialBackoff(fn: () => Promise<any>, maxRetries = 3) {
  for (let i = 0; i < maxRetries; i++) {
    try {
      return await fn();
    } catch (error) {
      if (i === maxRetries - 1) throw error;
      await sleep(Math.pow(2, i) * 100); // 100ms, 200ms, 400ms
    }
  }
}

export {
  getMatchState,
  updateMatchState,
  appendEventLog,
  getEventLogs,
  batchGetStates,
  incrementCounter,
  setRateLimit,
  deleteItem,
  getShardedLogKey,
  getAllEventLogs,
  putLargeValue,
  getLargeValue,
  acquireLock,
  releaseLock,
  exponentialBackoff,
};
