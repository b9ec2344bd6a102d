/**
 * Makes sure that a missing node gets a new generation when it is put, as if it had been deleted now. So
 * entries of older generations can never belong to it.
 *
 * KEYS: record, last generation. ARGV: the generation. Returns whether the node is missing.
 */
export const RETIRE_GENERATION_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('SET', KEYS[2], ARGV[1], 'PX', 86400000) end
return 1
`

/**
 * Removes an entry from a list of a missing node. KEYS: record, list, data. ARGV: the member. Returns the
 * number of removed entries.
 */
export const REMOVE_ORPHAN_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HDEL', KEYS[3], ARGV[1])
return redis.call('ZREM', KEYS[2], ARGV[1], ARGV[1] .. '+')
`

/**
 * Removes a reverse entry at a missing node. KEYS: record, reverse entries. ARGV: the entry. Returns the
 * number of removed entries.
 */
export const REMOVE_ORPHAN_ENTRY_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
return redis.call('SREM', KEYS[2], ARGV[1])
`
