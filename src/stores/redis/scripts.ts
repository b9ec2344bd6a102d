/** Lua that the server runs as one step. All keys of a call belong to one id, and each is named in KEYS. */

/**
 * Walks one edge list. Places are counted from the oldest edge, so that a window and a position each are a place, found
 * in O(log n) however many edges share a time; an edge of the position that is gone is looked for by halving.
 *
 * KEYS: source's record, list, data. ARGV: direction, limit, least time, greatest time, the position's time and member,
 * each empty where there is none. Answers the size of the list, 1 where the walk has more, and then member, time and data
 * of each edge, oldest first.
 */
export const READ_RANGE = `
local list = KEYS[2]
if redis.call('EXISTS', KEYS[1]) == 0 then return { 0, 0 } end
local reply = { redis.call('ZCARD', list), 0 }

local function position(time, member)
  local score = redis.call('ZSCORE', list, member)
  if score and tonumber(score) == tonumber(time) then
    local place = redis.call('ZRANK', list, member)
    return place, place + 1
  end
  local low = redis.call('ZCOUNT', list, '-inf', '(' .. time)
  local high = redis.call('ZCOUNT', list, '-inf', time)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if redis.call('ZRANGE', list, middle, middle)[1] < member then low = middle + 1 else high = middle end
  end
  return low, low
end

local newest = ARGV[1] == 'newest'
local first, last = 0, reply[1] - 1
if ARGV[3] ~= '' then first = redis.call('ZCOUNT', list, '-inf', '(' .. ARGV[3]) end
if ARGV[4] ~= '' then last = redis.call('ZCOUNT', list, '-inf', ARGV[4]) - 1 end
if ARGV[5] ~= '' then
  local before, behind = position(ARGV[5], ARGV[6])
  if newest then last = math.min(last, before - 1) else first = math.max(first, behind) end
end

local taken = math.min(tonumber(ARGV[2]), last - first + 1)
if taken <= 0 then return reply end
if last - first + 1 > taken then reply[2] = 1 end
if newest then first = last - taken + 1 else last = first + taken - 1 end
local rows = redis.call('ZRANGE', list, first, last, 'WITHSCORES')
local has_data = redis.call('EXISTS', KEYS[3]) == 1
for at = 1, #rows, 2 do
  reply[#reply + 1] = rows[at]
  reply[#reply + 1] = rows[at + 1]
  reply[#reply + 1] = has_data and redis.call('HGET', KEYS[3], rows[at])
end
return reply
`

/**
 * Puts a node. KEYS: record, names, reverse. ARGV: the record, how every record of its type begins. Answers 'done';
 * 'type' where the node there is has another type; 'purge' where edges of a deleted node of that id are still there.
 */
export const PUT_NODE = `
local old = redis.call('GET', KEYS[1])
if old then
  if string.sub(old, 1, #ARGV[2]) ~= ARGV[2] then return 'type' end
elseif redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then
  return 'purge'
end
redis.call('SET', KEYS[1], ARGV[1])
return 'done'
`

/** Replaces a record by another, if it is still the one it was. KEYS: record. ARGV: old, new. Answers what was there. */
export const REPLACE_NODE = `
local old = redis.call('GET', KEYS[1])
if old == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
return old
`

/** Removes a record; its edges are left to be purged. KEYS: record, names, reverse. Answers whether there are any. */
export const DELETE_NODE = `
redis.call('DEL', KEYS[1])
return redis.call('EXISTS', KEYS[2], KEYS[3])
`

/**
 * Puts and deletes edges of one source; puts none where the source is gone, since it takes its edges along.
 *
 * KEYS: source's record, names, and the list and the data of each name. ARGV: those names, and then for each edge the
 * number of its name, its member, its time (empty: to be deleted) and its data (empty: none).
 */
export const WRITE_EDGES = `
local lives = redis.call('EXISTS', KEYS[1]) == 1
for at = (#KEYS - 2) / 2 + 1, #ARGV, 4 do
  local number, member, time, data = tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local list, hash = KEYS[2 * number + 1], KEYS[2 * number + 2]
  if time == '' then
    redis.call('ZREM', list, member)
    redis.call('HDEL', hash, member)
  elseif lives then
    if redis.call('ZADD', list, time, member) == 1 then redis.call('SADD', KEYS[2], ARGV[number]) end
    if data == '' then redis.call('HDEL', hash, member) else redis.call('HSET', hash, member, data) end
  end
end
return 'done'
`

/**
 * Remembers edges at their target, alive or not: those of a deleted one are its list of what to purge.
 *
 * KEYS: target's record, reverse. ARGV: entries. Answers whether the target is there.
 */
export const ADD_REVERSE = `
for at = 1, #ARGV do redis.call('SADD', KEYS[2], ARGV[at]) end
return redis.call('EXISTS', KEYS[1])
`

export const SCRIPTS: readonly string[] = Object.freeze([
  READ_RANGE,
  PUT_NODE,
  REPLACE_NODE,
  DELETE_NODE,
  WRITE_EDGES,
  ADD_REVERSE,
])
