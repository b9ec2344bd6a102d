/** Lua that the server runs as one step. All keys of a call belong to one id, and each is named in KEYS. */

/**
 * Reads a page of an edge list that begins or ends somewhere within it. Places are counted from the oldest edge, so that
 * a window and a position each are a place, found in O(log n) however many edges share a time; an edge of the position
 * that is gone is looked for by halving.
 *
 * KEYS: list, and its data where that is asked for in the same step. ARGV: direction, most rows, least time, greatest
 * time, the position's time and member, each empty where there is none. Answers member and time of each edge, oldest
 * first; where data is asked for, a list of them, and one of the data of those edges that have some.
 */
export const READ_RANGE = `
local list = KEYS[1]

local function position(time, member)
  for _, form in ipairs({ member, member .. '+' }) do
    local score = redis.call('ZSCORE', list, form)
    if score and tonumber(score) == tonumber(time) then
      local place = redis.call('ZRANK', list, form)
      return place, place + 1
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

/**
 * Removes a record, and puts its lists aside, where no read finds them, to be purged.
 *
 * KEYS: record, names, reverse, and then of each name that is known the list, the dead list and the data. ARGV: those
 * names. Answers 'names' where they are others by now, and nothing was done; 'purge' where there are edges to purge; else
 * 'done'.
 */
export const DELETE_NODE = `
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

/** Forgets a list that was purged. KEYS: record, names, dead list. ARGV: its name. */
export const FORGET_LIST = `
if redis.call('EXISTS', KEYS[1], KEYS[3]) == 0 then redis.call('SREM', KEYS[2], ARGV[1]) end
`

/**
 * Puts and deletes edges of one source; puts none where the source is gone, since it takes its edges along. So there is
 * no list without its source.
 *
 * KEYS: source's record, names, and the list and the data of each name. ARGV: those names, and then for each edge the
 * number of its name, its member, its time (empty: to be deleted) and its data (empty: none). The member of an edge with
 * data is marked by a plus, since a page must tell, in one step, which edges have some.
 */
export const WRITE_EDGES = `
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
 * Remembers edges at their target, alive or not: those of a deleted one are its list of what to purge.
 *
 * KEYS: target's record, reverse. ARGV: entries. Answers whether the target is there.
 */
export const ADD_REVERSE = `
for at = 1, #ARGV do redis.call('SADD', KEYS[2], ARGV[at]) end
return redis.call('EXISTS', KEYS[1])
`

/**
 * Reads some of what a deleted node remembers; nothing where the node lives, since its edges are then to stay.
 *
 * KEYS: record, reverse. ARGV: most entries.
 */
export const READ_REVERSE = `
if redis.call('EXISTS', KEYS[1]) == 1 then return {} end
return redis.call('SRANDMEMBER', KEYS[2], ARGV[1])
`

/** Forgets entries of a deleted node, and none where the node lives. KEYS: record, reverse. ARGV: entries. */
export const FORGET_REVERSE = `
if redis.call('EXISTS', KEYS[1]) == 1 then return end
for at = 1, #ARGV do redis.call('SREM', KEYS[2], ARGV[at]) end
`

export const SCRIPTS: readonly string[] = Object.freeze([
  READ_RANGE,
  PUT_NODE,
  REPLACE_NODE,
  DELETE_NODE,
  FORGET_LIST,
  WRITE_EDGES,
  ADD_REVERSE,
  READ_REVERSE,
  FORGET_REVERSE,
])
