// How the document uses its lock.

import { acquireLock, releaseLock } from './access-patterns.ts';

const matchId = 'locked';

// Usage
if (await acquireLock(matchId)) {
  try {
    // Perform exclusive operation
  } finally {
    await releaseLock(matchId);
  }
}
