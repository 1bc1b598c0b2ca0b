// How the document saves a state, for a match, a state and a version that it leaves undefined.

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { exponentialBackoff, getMatchState, updateMatchState } from './access-patterns.ts';

export async function save(matchId: string, state: any, version?: number) {
try {
  await updateMatchState(matchId, state, version);
} catch (error) {
  if (error instanceof ConditionalCheckFailedException) {
    // Concurrent modification - reload and retry
    const latest = await getMatchState(matchId);
    // Merge changes and retry
  } else if (error.name === 'ProvisionedThroughputExceededException') {
    // Throttled - implement exponential backoff
    await exponentialBackoff(async () => updateMatchState(matchId, state, version));
  } else {
    throw error;
  }
}
}
