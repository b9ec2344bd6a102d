/**
 * Reads a page of an edge list, after a position and between time limits. Indexes count from the oldest edge.
 * Time limits and positions are converted to indexes in O(log n), even if many edges have the same time. The
 * index of a position whose edge is deleted is found by bisection. A target that was deleted and put again
 * can have an old member, until it is purged, before its current one.
 *
 * KEYS: list, and its data if the data is requested too. ARGV: direction, maximum number of rows, minimum
 * time, maximum time, time of the position, padded id of the position; the last four may be empty. Returns
 * member and time of each edge, oldest first. If the data is requested, returns two lists: these members and
 * times, and the data of the edges that have data.
 */
export const READ_RANGE_SCRIPT = `
local list = KEYS[1]

local function find(time, id)
  for _, form in ipairs({ id, id .. '+' }) do
    local score = redis.call('ZSCORE', list, form)
    if score and tonumber(score) == tonumber(time) then return redis.call('ZRANK', list, form) end
  end
  local low = redis.call('ZCOUNT', list, '-inf', '(' .. time)
  local high = redis.call('ZCOUNT', list, '-inf', time)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if redis.call('ZRANGE', list, middle, middle)[1] < id then low = middle + 1 else high = middle end
  end
  return low
end

local function position(time, id)
  local before = find(time, id)
  local behind = before
  -- An edge to the same target at another time is behind the position, not at it.
  local high = redis.call('ZCOUNT', list, '-inf', time)
  while behind < high and string.sub(redis.call('ZRANGE', list, behind, behind)[1], 1, #id) == id do
    behind = behind + 1
  end
  return before, behind
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
  local field = string.match(rows[at], '^(.*)%+$')
  if field then table.insert(data, redis.call('HGET', KEYS[2], field)) end
end
return { rows, data }
`

/**
 * Reads edges of one list with their data. The reply has two texts for each edge: its time, or empty if it does not
 * exist, and its data, or empty if it has none.
 *
 * KEYS: list, its data. ARGV: the members, without the plus.
 */
export const READ_EDGES_SCRIPT = `
local found = {}
for at, member in ipairs(ARGV) do
  local time, data = redis.call('ZSCORE', KEYS[1], member), ''
  if not time then
    time = redis.call('ZSCORE', KEYS[1], member .. '+')
    if time then data = redis.call('HGET', KEYS[2], member) or 'missing' end
  end
  found[2 * at - 1], found[2 * at] = time or '', data
end
return found
`
