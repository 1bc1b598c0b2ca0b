// The document's table definition, inside the stack that it leaves undefined.

import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';

export function defineTable(this: Construct) {
const table = new dynamodb.Table(this, 'btlrunKV', {
  tableName: 'btlrun_kv',
  partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
  sortKey: { name: 'sk', type: dynamodb.AttributeType.STRING },
  billingMode: dynamodb.BillingMode.PAY_PER_REQUEST, // On-demand for unpredictable traffic
  timeToLiveAttribute: 'ttl',
  pointInTimeRecovery: true,
  removalPolicy: cdk.RemovalPolicy.RETAIN, // Protect production data
});
return table;
}
