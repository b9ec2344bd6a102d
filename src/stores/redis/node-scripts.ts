/**
 * Lua scripts, which the server runs atomically. All keys of a call belong to one id, and KEYS contains all
 * of them.
 */

/** Lua: returns the time in microseconds. A double represents it exactly. */
export const NOW = `
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
`

/** Lua: returns the generation at the end of a record. */
export const GENERATION_OF = `
local function generationOf(record)
  return string.match(string.sub(record, -20), '^,"(%d+)"%]$') or ''
end
`

/** Lua: returns a generation that follows another generation of the same id. */
const NEXT_GENERATION = `
local function nextGeneration(last)
  return string.format('%016.0f', math.max(now(), (tonumber(last) or 0) + 1))
end
`

/**
 * Puts a node. A node that exists keeps its generation. A node that was deleted recently gets a new one.
 *
 * KEYS: record, last generation, pending purges. ARGV: the record without its end, the beginning of every
 * record of its type. Returns 'type' if the existing node has another type. Otherwise returns 'done', the
 * generation, and the deleted generations that nobody has purged for two seconds.
 */
export const PUT_NODE_SCRIPT = `${NOW}${GENERATION_OF}${NEXT_GENERATION}
local old = redis.call('GET', KEYS[1])
local generation = ''
local hasPurges = redis.call('EXISTS', KEYS[3]) == 1
if old then
  if string.sub(old, 1, #ARGV[2]) ~= ARGV[2] then return { 'type' } end
  generation = generationOf(old)
else
  local last = redis.call('GET', KEYS[2])
  if last or hasPurges then generation = nextGeneration(last) end
end
redis.call('SET', KEYS[1], ARGV[1] .. (generation == '' and ']' or ',"' .. generation .. '"]'))
local purges = {}
if hasPurges then purges = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now() - 2000000) end
return { 'done', generation, purges }
`

/**
 * Replaces a record if it has not changed. KEYS: record. ARGV: old record, new record. Returns the record
 * before the call.
 */
export const REPLACE_NODE_SCRIPT = `
local old = redis.call('GET', KEYS[1])
if old == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
return old
`

/** Returns a record. KEYS: record. */
export const KEEP_NODE_SCRIPT = `
return redis.call('GET', KEYS[1])
`

/**
 * Deletes a node, or replaces it by a new generation. Renames its lists and its reverse entries, so that they
 * belong to the deleted generation until they are purged. So do its entries in collections.
 *
 * KEYS: record, last generation, pending purges, list names, reverse entries, numbers, deleted numbers,
 * deleted list names, deleted reverse entries, entries, deleted entries, and then for each name the list, the deleted list and the
 * data. ARGV: the generation, the text of this generation in keys, the new record without its end (empty to
 * delete the node), the names. Does nothing and returns 'changed' if the generation or the names have
 * changed. Otherwise returns 'done' or 'missing', the new generation, and all generations to purge.
 */
export const DELETE_NODE_SCRIPT = `${NOW}${GENERATION_OF}${NEXT_GENERATION}
local old = redis.call('GETRANGE', KEYS[1], -20, -1)
if old == '' then return { 'missing', '', redis.call('ZRANGE', KEYS[3], 0, -1) } end
local names = #ARGV - 3
if generationOf(old) ~= ARGV[1] or redis.call('SCARD', KEYS[4]) ~= names then return { 'changed' } end
for at = 4, #ARGV do
  if redis.call('SISMEMBER', KEYS[4], ARGV[at]) == 0 then return { 'changed' } end
end
if redis.call('EXISTS', KEYS[4], KEYS[5], KEYS[10]) > 0 then redis.call('ZADD', KEYS[3], now(), ARGV[2]) end
for at = 12, #KEYS, 3 do
  if redis.call('EXISTS', KEYS[at]) == 1 then redis.call('RENAME', KEYS[at], KEYS[at + 1]) end
  redis.call('UNLINK', KEYS[at + 2])
end
if names > 0 then redis.call('RENAME', KEYS[4], KEYS[8]) end
if redis.call('EXISTS', KEYS[5]) == 1 then redis.call('RENAME', KEYS[5], KEYS[9]) end
if redis.call('EXISTS', KEYS[10]) == 1 then redis.call('RENAME', KEYS[10], KEYS[11]) end
redis.call('UNLINK', KEYS[6], KEYS[7])
redis.call('SET', KEYS[2], ARGV[2], 'PX', 86400000)
local generation = ''
if ARGV[3] == '' then
  redis.call('DEL', KEYS[1])
else
  generation = nextGeneration(ARGV[1])
  redis.call('SET', KEYS[1], ARGV[3] .. ',"' .. generation .. '"]')
end
return { 'done', generation, redis.call('ZRANGE', KEYS[3], 0, -1) }
`
