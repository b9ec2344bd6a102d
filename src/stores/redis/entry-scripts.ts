import { OLD_NOTE_AGE, READ_SIDES_SCRIPT, WRITE_SIDES_SCRIPT } from './edge-scripts.ts'
import {
  DELETE_NODE_SCRIPT,
  GENERATION_OF,
  KEEP_NODE_SCRIPT,
  NOW,
  PUT_NODE_SCRIPT,
  REPLACE_NODE_SCRIPT,
} from './node-scripts.ts'
import { ARE_SIDES_EQUAL, NEXT_PART } from './script-parts.ts'

/**
 * Lua: saves the times of a node's entries in collections, and a recovery note if an entry may be unfinished.
 * `cells` has the name of each collection and the time, which is empty if there is no entry. An entry has a new
 * number if its time changes: the last number plus one, or the clock, whichever is larger. With `isRepeated`, entries
 * that have not changed are written again.
 *
 * Returns the generation, the largest score of old recovery notes (empty if there are none), and the number of
 * each entry (empty if there never was one), or no numbers if no entry has to be written.
 */
export const SAVE_ENTRIES = `
local function saveEntries(entries, notes, note, cells, first, last, generation, isRepeated)
  local time = now()
  local hasNotes = redis.call('EXISTS', notes) == 1
  local reply, isUnfinished = { generation, '' }, false
  for at = first, last, 2 do
    local name, position = cells[at], cells[at + 1]
    local number, old = string.match(redis.call('HGET', entries, name) or '', '^(%d+) (.*)$')
    if position ~= (old or '') then
      number = string.format('%016.0f', math.max(time, (tonumber(number) or 0) + 1))
      redis.call('HSET', entries, name, number .. ' ' .. position)
      isUnfinished = true
    elseif number and (hasNotes or isRepeated) then
      isUnfinished = true
    end
    table.insert(reply, number or '')
  end
  if not isUnfinished then return { generation, '' } end
  local limit = string.format('%.0f', time - ${OLD_NOTE_AGE})
  if hasNotes and redis.call('ZCOUNT', notes, '-inf', limit) > 0 then reply[2] = limit end
  redis.call('ZADD', notes, time, note)
  return reply
end
`

/**
 * Runs one of the scripts that write a node, and saves the times of its entries in collections if it was written.
 *
 * KEYS: record, entries, recovery notes, and then those of the script. ARGV: the script, the recovery note, the
 * number of entries, the name of the collection and the time of each entry, and then those of the script.
 * Returns the reply of the script, and then the reply of `saveEntries` if the node was written.
 */
export const NODE_ENTRIES_SCRIPT = `${NOW}${GENERATION_OF}${SAVE_ENTRIES}
local function put(KEYS, ARGV)${PUT_NODE_SCRIPT}end
local function replace(KEYS, ARGV)${REPLACE_NODE_SCRIPT}end
local function keep(KEYS, ARGV)${KEEP_NODE_SCRIPT}end
local function delete(KEYS, ARGV)${DELETE_NODE_SCRIPT}end

local kind, last = ARGV[1], 3 + 2 * ARGV[3]
local keys, args = {}, {}
for at = 4, #KEYS do keys[at - 3] = KEYS[at] end
for at = last + 1, #ARGV do args[at - last] = ARGV[at] end

local reply, generation
if kind == 'put' or kind == 'delete' then
  if kind == 'put' then reply = put(keys, args) else reply = delete(keys, args) end
  if reply[1] == 'done' then generation = reply[2] end
else
  if kind == 'keep' then reply = keep(keys, args) else reply = replace(keys, args) end
  if reply == args[1] then generation = generationOf(reply) end
end
if not generation then return { reply } end
return { reply, saveEntries(KEYS[2], KEYS[3], ARGV[2], ARGV, 4, last, generation, kind == 'keep') }
`

/**
 * Reads the entries of a node as they should be. KEYS: record, entries. Returns the end of the record (empty if
 * there is no node), and then the name of each collection, and its number and time.
 */
export const READ_ENTRIES_SCRIPT = `
return { redis.call('GETRANGE', KEYS[1], -20, -1), redis.call('HGETALL', KEYS[2]) }
`

/**
 * Gives an entry a number above another one, if the entry has not changed. KEYS: record, entries. ARGV: the
 * generation, the collection, the number and the time as one text, the other number.
 */
export const RAISE_ENTRY_SCRIPT = `${NOW}${GENERATION_OF}
local record = redis.call('GETRANGE', KEYS[1], -20, -1)
if record == '' or generationOf(record) ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then return 0 end
local number = string.format('%016.0f', math.max(now(), tonumber(ARGV[4]) + 1))
redis.call('HSET', KEYS[2], ARGV[2], number .. ' ' .. string.match(ARGV[3], ' (.*)$'))
return 1
`

/**
 * Writes, moves and removes entries of a collection in one shard, each if its generation and number are larger
 * than those of the last entry of the node. The last entry of a node is remembered for a day after its removal,
 * so that late steps of other writers do not write it again.
 *
 * KEYS: list, last entries, removals. ARGV: five texts for each entry: the padded id, the generation, the
 * number, the time (empty to remove the entry), and the last entry that is replaced even if it is larger (may be
 * empty). Returns for each entry the last entry if it remains, otherwise an empty text.
 */
export const WRITE_ENTRIES_SCRIPT = `${NOW}
local function versionOf(suffix)
  local generation, number = string.match(suffix, '^~?(%d*)@(%d+)$')
  return string.rep('0', 16 - #generation) .. generation .. number
end

local reply, time = {}, now()
for at = 1, #ARGV, 5 do
  local id, generation, score, expected = ARGV[at], ARGV[at + 1], ARGV[at + 3], ARGV[at + 4]
  local suffix = (generation == '' and '' or '~' .. generation) .. '@' .. ARGV[at + 2]
  local last = redis.call('HGET', KEYS[2], id)
  if last and last ~= expected and versionOf(last) >= versionOf(suffix) then
    table.insert(reply, last == suffix and '' or last)
  else
    if last then redis.call('ZREM', KEYS[1], id .. last) end
    redis.call('HSET', KEYS[2], id, suffix)
    if score == '' then
      redis.call('ZADD', KEYS[3], time, id)
    else
      redis.call('ZADD', KEYS[1], score, id .. suffix)
      if last then redis.call('ZREM', KEYS[3], id) end
    end
    table.insert(reply, '')
  end
end

local old = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', time - 86400000000, 'LIMIT', 0, 10)
for at = 1, #old do
  redis.call('HDEL', KEYS[2], old[at])
  redis.call('ZREM', KEYS[3], old[at])
end
return reply
`

/**
 * Writes entries of orders if their edges are as they were read. Keys and arguments come in parts: those that
 * compare sides, and those of `WRITE_SIDES_SCRIPT`. Returns 'changed' or 'done'.
 */
export const DERIVE_ORDERS_SCRIPT = `
local function readSides(KEYS, ARGV)${READ_SIDES_SCRIPT}end
local function writeSides(KEYS, ARGV)${WRITE_SIDES_SCRIPT}end
${ARE_SIDES_EQUAL}${NEXT_PART}
local keys, args = nextPart()
if not areSidesEqual(keys, args) then return 'changed' end
return writeSides(nextPart())[1]
`
