// Match state
pk: `match#{matchId}`
sk: `state`

// Event logs (sortable by sequence)
pk: `match#{matchId}`
sk: `log#{seq.toString().padStart(6, '0')}`

// Daily summaries
pk: `match#{matchId}`
sk: `summary#{day}`

// Invite code mapping
pk: `invite#{code}`
sk: `meta`

// User profiles
pk: `user#{userId}`
sk: `profile`

// Rate limiting counters
pk: `rate#{userId}`
sk: `{route}#{window}`

// Locks
pk: `lock#match#{matchId}`
sk: `v`

// Idempotency
pk: `idem#{matchId}`
sk: `{idemKey}`

// Token budget tracking
pk: `budget#{matchId}`
sk: `tokens`
