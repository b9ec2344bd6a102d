/**
 * Lua scripts, which the server runs atomically. All keys of a call belong to one id, and KEYS contains all
 * of them.
 */

/**
 * Reads a page of an edge list, after a position and between time limits. Indexes count from the oldest edge.
 * Time limits and positions are converted to indexes in O(log n), even if many edges have the same time. The
 * index of a position whose edge is deleted is found by bisection.
 *
 * KEYS: list, and its data if the data is requested too. ARGV: direction, maximum number of rows, minimum
 * time, maximum time, time of the position, member of the position; the last four may be empty. Returns
 * member and time of each edge, oldest first. If the data is requested, returns two lists: these members and
 * times, and the data of the edges that have data.
 */
export const READ_RANGE_SCRIPT = `
local list = KEYS[1]

local function position(time, member)
  for _, form in ipairs({ member, member .. '+' }) do
    local score = redis.call('ZSCORE', list, form)
    if score and tonumber(score) == tonumber(time) then
      local rank = redis.call('ZRANK', list, form)
      return rank, rank + 1
    end
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
local first, last = 0, redis.call('ZCARD', list) - 1
if ARGV[3] ~= '' then first = redis.call('ZCOUNT', list, '-inf', '(' .. ARGV[3]) end
if ARGV[4] ~= '' then last = redis.call('ZCOUNT', list, '-inf', ARGV[4]) - 1 end
if ARGV[5] ~= '' then
  local before, behind = position(ARGV[5], ARGV[6])
  if newest then last = math.min(last, before - 1) else first = math.max(first, behind) end
end

local taken = math.min(tonumber(ARGV[2]), last - first + 1)
local rows = {}
if taken > 0 then
  if newest then first = last - taken + 1 else last = first + taken - 1 end
  rows = redis.call('ZRANGE', list, first, last, 'WITHSCORES')
end
if #KEYS == 1 then return rows end

local data = {}
for at = 1, #rows, 2 do
  local target = string.match(rows[at], '^(%d+)%+$')
  if target then table.insert(data, redis.call('HGET', KEYS[2], target)) end
end
return { rows, data }
`

/**
 * Puts a node. KEYS: record, names, reverse. ARGV: the record, the beginning of every record of its type.
 * Returns 'done'; 'type' if the existing node has another type; 'purge' if edges of a deleted node with that
 * id still exist.
 */
export const PUT_NODE_SCRIPT = `
local old = redis.call('GET', KEYS[1])
if old then
  if string.sub(old, 1, #ARGV[2]) ~= ARGV[2] then return 'type' end
elseif redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then
  return 'purge'
end
redis.call('SET', KEYS[1], ARGV[1])
return 'done'
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

/**
 * Removes the record of a node, and renames its lists, so that reads do not find them before they are purged.
 *
 * KEYS: record, names, reverse, and then for each name the list, the deleted list and the data. ARGV: the
 * names. Returns 'names', and does nothing, if the names have changed; 'purge' if there are edges to purge;
 * otherwise 'done'.
 */
export const DELETE_NODE_SCRIPT = `
if redis.call('SCARD', KEYS[2]) ~= #ARGV then return 'names' end
for at = 1, #ARGV do
  if redis.call('SISMEMBER', KEYS[2], ARGV[at]) == 0 then return 'names' end
end
redis.call('DEL', KEYS[1])
for at = 4, #KEYS, 3 do
  if redis.call('EXISTS', KEYS[at]) == 1 then redis.call('RENAME', KEYS[at], KEYS[at + 1]) end
  redis.call('UNLINK', KEYS[at + 2])
end
return redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 and 'purge' or 'done'
`

/** Removes the name of a purged list. KEYS: record, names, deleted list. ARGV: the name. */
export const REMOVE_LIST_SCRIPT = `
if redis.call('EXISTS', KEYS[1], KEYS[3]) == 0 then redis.call('SREM', KEYS[2], ARGV[1]) end
`

/**
 * Puts and deletes edges of one source. Puts no edges if the source does not exist. So no list exists without
 * its source.
 *
 * KEYS: record of the source, names, and then the list and the data of each name. ARGV: the names, and then
 * for each edge the number of its name, its member, its time (empty to delete the edge) and its data (empty
 * for none). The member of an edge with data ends with a plus, so that a page shows which edges have data.
 */
export const WRITE_EDGES_SCRIPT = `
local lives = redis.call('EXISTS', KEYS[1]) == 1
for at = (#KEYS - 2) / 2 + 1, #ARGV, 4 do
  local number, member, time, data = tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local list, hash, marked = KEYS[2 * number + 1], KEYS[2 * number + 2], member .. '+'
  if time == '' then
    redis.call('ZREM', list, member, marked)
    redis.call('HDEL', hash, member)
  elseif lives then
    local form = data == '' and member or marked
    if redis.call('ZADD', list, time, form) == 1 then redis.call('SADD', KEYS[2], ARGV[number]) end
    if data == '' then
      if redis.call('HDEL', hash, member) == 1 then redis.call('ZREM', list, marked) end
    elseif redis.call('HSET', hash, member, data) == 1 then
      redis.call('ZREM', list, member)
    end
  end
end
return 'done'
`

/**
 * Adds reverse entries at a target, even if it is deleted: a purge then finds the edges by their entries.
 *
 * KEYS: record of the target, reverse. ARGV: entries. Returns whether the target exists.
 */
export const ADD_REVERSE_SCRIPT = `
for at = 1, #ARGV do redis.call('SADD', KEYS[2], ARGV[at]) end
return redis.call('EXISTS', KEYS[1])
`

/**
 * Reads some reverse entries of a deleted node. Returns none if the node exists, because its edges are then
 * valid.
 *
 * KEYS: record, reverse. ARGV: maximum number of entries.
 */
export const READ_REVERSE_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return {} end
return redis.call('SRANDMEMBER', KEYS[2], ARGV[1])
`

/**
 * Removes reverse entries of a deleted node. Does nothing if the node exists. KEYS: record, reverse. ARGV:
 * entries.
 */
export const REMOVE_REVERSE_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return end
for at = 1, #ARGV do redis.call('SREM', KEYS[2], ARGV[at]) end
`

export const SCRIPTS: readonly string[] = Object.freeze([
  READ_RANGE_SCRIPT,
  PUT_NODE_SCRIPT,
  REPLACE_NODE_SCRIPT,
  DELETE_NODE_SCRIPT,
  REMOVE_LIST_SCRIPT,
  WRITE_EDGES_SCRIPT,
  ADD_REVERSE_SCRIPT,
  READ_REVERSE_SCRIPT,
  REMOVE_REVERSE_SCRIPT,
])
