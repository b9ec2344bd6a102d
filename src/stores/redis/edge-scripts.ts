import { GENERATION_OF, NOW } from './node-scripts.ts'

/** The age from which other processes take the write of a recovery note for unfinished, in microseconds. */
export const OLD_NOTE_AGE = 10_000_000

/**
 * Removes edges to a deleted node from the lists of one source.
 *
 * KEYS: numbers, list names, and then the list and the data of each name. ARGV: the member of the deleted node,
 * the names. Returns the names of the further orders of these lists, which may have entries of the edges.
 */
export const REMOVE_EDGES_SCRIPT = `
local lists, orders = {}, {}
for at = 2, #ARGV do
  redis.call('ZREM', KEYS[2 * at - 1], ARGV[1], ARGV[1] .. '+')
  redis.call('HDEL', KEYS[2 * at], ARGV[1])
  redis.call('HDEL', KEYS[1], ARGV[1] .. ' ' .. ARGV[at])
  lists[ARGV[at]] = true
end
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  if lists[string.match(name, '^([^#]*)#')] then table.insert(orders, name) end
end
return orders
`

/**
 * Writes sides of edges at one node: entries of its lists, and its reverse entries. Does nothing if the node
 * is not of the expected generation. So no list exists without its node.
 *
 * KEYS: record, list names, reverse entries, recovery notes, numbers, deleted numbers, and then the list and
 * the data of each name. ARGV: the generation, the recovery note (may be empty), the number of names, the
 * names, and then six texts for each side:
 * - the number of its name, or empty if only a reverse entry is written
 * - the member of the other end
 * - the time, or empty to delete the side
 * - the data, or empty if there is none. The member of an edge with data ends with a plus, so that a page
 * shows which edges have data.
 * - the reverse entry, or empty
 * - the number of a mirrored edge: 'new' for the next one; 'N' to write the side only if N is larger than its
 * number; 'K>N' to write it with the number N only if its number is K; empty for any other edge; '=' for an entry
 * of an order, which is written only if its side before it is
 *
 * Returns 'changed' if the generation is another one. Otherwise returns 'done', the number of each mirrored
 * side after the call (negative if it was not K), and the largest score of old recovery notes, or empty if there
 * are none.
 */
export const WRITE_SIDES_SCRIPT = `${NOW}${GENERATION_OF}
local record = redis.call('GETRANGE', KEYS[1], -20, -1)
if record == '' or generationOf(record) ~= ARGV[1] then return { 'changed' } end
local first, numbers, time = 4 + ARGV[3], {}, now()

local function writeNumber(field, number, isDeletion)
  local last = redis.call('HGET', KEYS[5], field) or redis.call('ZSCORE', KEYS[6], field)
  last = tonumber(last or 0)
  local target
  if number == 'new' then
    target = math.max(last + 1, time)
  else
    local condition, value = string.match(number, '^(%d+)>(%d+)$')
    if condition and tonumber(condition) ~= last then return -last, false end
    target = tonumber(value or number)
    if target <= last then return last, false end
  end
  if isDeletion then
    redis.call('HDEL', KEYS[5], field)
    redis.call('ZADD', KEYS[6], target, field)
    redis.call('PEXPIRE', KEYS[6], 86400000)
  else
    redis.call('HSET', KEYS[5], field, string.format('%.0f', target))
    redis.call('ZREM', KEYS[6], field)
  end
  return target, true
end

local function writeEntry(number, member, score, data)
  local name, list, hash = ARGV[3 + number], KEYS[5 + 2 * number], KEYS[6 + 2 * number]
  local marked = member .. '+'
  if score == '' then
    redis.call('ZREM', list, member, marked)
    redis.call('HDEL', hash, member)
    return
  end
  local form = data == '' and member or marked
  if redis.call('ZADD', list, score, form) == 1 then redis.call('SADD', KEYS[2], name) end
  if data == '' then
    if redis.call('HDEL', hash, member) == 1 then redis.call('ZREM', list, marked) end
  elseif redis.call('HSET', hash, member, data) == 1 then
    redis.call('ZREM', list, member)
  end
end

local applies = true
for at = first, #ARGV, 6 do
  local name, member, score, reverse, number = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 4], ARGV[at + 5]
  if number ~= '=' then applies = true end
  if number ~= '' and number ~= '=' then
    number, applies = writeNumber(member .. ' ' .. ARGV[3 + name], number, score == '')
    table.insert(numbers, string.format('%.0f', number))
  elseif number == '' and name ~= '' and score == '' then
    redis.call('HDEL', KEYS[5], member .. ' ' .. ARGV[3 + name])
  end
  if applies then
    if reverse ~= '' then redis.call(score == '' and 'SREM' or 'SADD', KEYS[3], reverse) end
    if name ~= '' then writeEntry(tonumber(name), member, score, ARGV[at + 3]) end
  end
end

if #numbers > 0 then
  local old = redis.call('ZRANGEBYSCORE', KEYS[6], '-inf', time - 86400000000, 'LIMIT', 0, 10)
  for at = 1, #old do redis.call('ZREM', KEYS[6], old[at]) end
end
local oldNotes = ''
if ARGV[2] ~= '' then
  local limit = string.format('%.0f', time - ${OLD_NOTE_AGE})
  if redis.call('ZCOUNT', KEYS[4], '-inf', limit) > 0 then oldNotes = limit end
  redis.call('ZADD', KEYS[4], time, ARGV[2])
end
return { 'done', numbers, oldNotes }
`

/**
 * Adds or removes reverse entries at one generation of a node. It does the same as `WRITE_SIDES_SCRIPT` for
 * sides that are only reverse entries, in a fraction of the time.
 *
 * KEYS: record, reverse entries. ARGV: the generation, `SADD` or `SREM`, the reverse entries.
 */
export const WRITE_REVERSE_SCRIPT = `${GENERATION_OF}
local record = redis.call('GETRANGE', KEYS[1], -20, -1)
if record == '' or generationOf(record) ~= ARGV[1] then return { 'changed' } end
for at = 3, #ARGV do redis.call(ARGV[2], KEYS[2], ARGV[at]) end
return { 'done', {}, '' }
`

/** Lua: returns the data of a side, or a question mark if the member is marked but has no data. */
export const READ_DATA = `
local function readData(hash, member, marked)
  return redis.call('HGET', hash, member) or (marked and '?') or ''
end
`

/**
 * Reads sides of edges at one node.
 *
 * KEYS: record, numbers, deleted numbers, and then the list and the data of each name. ARGV: the number of
 * names, the names, and then for each side the number of its name and the member of the other end. Returns
 * the end of the record (empty if there is no node), and then the time, the data and the number of each side;
 * each is empty if it does not exist.
 */
export const READ_SIDES_SCRIPT = `${READ_DATA}
local reply = { redis.call('GETRANGE', KEYS[1], -20, -1) }
for at = 2 + ARGV[1], #ARGV, 2 do
  local number, member = tonumber(ARGV[at]), ARGV[at + 1]
  local list, hash, field = KEYS[2 + 2 * number], KEYS[3 + 2 * number], member .. ' ' .. ARGV[1 + number]
  local marked = redis.call('ZSCORE', list, member .. '+')
  table.insert(reply, marked or redis.call('ZSCORE', list, member) or '')
  table.insert(reply, readData(hash, member, marked))
  table.insert(reply, redis.call('HGET', KEYS[2], field) or redis.call('ZSCORE', KEYS[3], field) or '')
end
return reply
`

/**
 * Removes a recovery note if the node still has the generation of the note, and some edges are still missing
 * and others still exist.
 *
 * KEYS: record, recovery notes, and then one list for each edge. ARGV: the generation, the note, the number of
 * missing edges, the member of each edge, the missing ones first. Returns 'changed' if the note remains.
 */
export const CLEAR_NOTE_SCRIPT = `${GENERATION_OF}
local record = redis.call('GETRANGE', KEYS[1], -20, -1)
if record == '' or generationOf(record) ~= ARGV[1] then return 'changed' end
for at = 3, #KEYS do
  local list, member = KEYS[at], ARGV[at + 1]
  local exists = redis.call('ZSCORE', list, member) or redis.call('ZSCORE', list, member .. '+')
  if (at - 2 <= tonumber(ARGV[3])) == (exists ~= false) then return 'changed' end
end
return redis.call('ZREM', KEYS[2], ARGV[2])
`
