import { FIND_STEP, SAVE_STEP } from './batch-scripts.ts'
import { OLD_NOTE_AGE, READ_SIDES_SCRIPT, WRITE_SIDES_SCRIPT } from './edge-scripts.ts'
import { SAVE_ENTRIES } from './entry-scripts.ts'
import { DELETE_NODE_SCRIPT, GENERATION_OF, NOW } from './node-scripts.ts'
import { ARE_SIDES_EQUAL, NEXT_PART } from './script-parts.ts'

/**
 * Reads everything at one source on which the conditions of a batch depend.
 *
 * KEYS: the step of the batch, record, last generation, pending purges, list names, recovery notes, and then
 * those of `READ_SIDES_SCRIPT`. ARGV: the digest, and then those of `READ_SIDES_SCRIPT`. Returns whether the step is
 * new, its result, the record, the last generation (both empty if there is none), the time in microseconds,
 * the generations to purge, those of them that nobody has purged for two seconds, the names of the lists, the
 * largest score of old recovery notes (empty if there are none), and the reply of `READ_SIDES_SCRIPT`.
 */
export const READ_SOURCE_SCRIPT = `${FIND_STEP}${NOW}
local function readSides(KEYS, ARGV)${READ_SIDES_SCRIPT}end

local keys, args = {}, {}
for at = 7, #KEYS do keys[at - 6] = KEYS[at] end
for at = 2, #ARGV do args[at - 1] = ARGV[at] end
local status, result = findStep(KEYS[1], ARGV[1])
local time = now()
local noteLimit = string.format('%.0f', time - ${OLD_NOTE_AGE})
return {
  status,
  result,
  redis.call('GET', KEYS[2]) or '',
  redis.call('GET', KEYS[3]) or '',
  string.format('%.0f', time),
  redis.call('ZRANGE', KEYS[4], 0, -1),
  redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', time - 2000000),
  redis.call('SMEMBERS', KEYS[5]),
  redis.call('ZCOUNT', KEYS[6], '-inf', noteLimit) > 0 and noteLimit or '',
  readSides(keys, args),
}
`

/**
 * Writes a batch to one source if the source is as it was read, and if the batch is new. Keys and arguments
 * come in parts. An empty part is omitted. The parts:
 * - the step of the batch, record, last generation; the digest, the time to keep it in milliseconds, the
 *   expected record, the expected generation, the expected last generation, the new record (empty if it stays)
 * - of `READ_SIDES_SCRIPT`, to compare sides; the number of expected cells, the cells without the first one,
 *   and then the arguments
 * - of `DELETE_NODE_SCRIPT`
 * - of `WRITE_SIDES_SCRIPT`
 * - entries, recovery notes; the new generation, the recovery note, and the cells of `saveEntries`
 *
 * An expected record of `*` matches every record of the expected generation. The last generation is compared
 * if the record must be missing. Returns 'changed' if something differs, 'conflict', or 'known' and its
 * result, the score of the recovery note. Otherwise returns 'done', the generations to purge, the reply of
 * `WRITE_SIDES_SCRIPT`, and the reply of `saveEntries`.
 */
export const CONDITIONAL_WRITE_SCRIPT = `${FIND_STEP}${SAVE_STEP}${GENERATION_OF}${NOW}${SAVE_ENTRIES}
local function readSides(KEYS, ARGV)${READ_SIDES_SCRIPT}end
local function deleteNode(KEYS, ARGV)${DELETE_NODE_SCRIPT}end
local function writeSides(KEYS, ARGV)${WRITE_SIDES_SCRIPT}end
${ARE_SIDES_EQUAL}${NEXT_PART}
local own, main = nextPart()
local status, result = findStep(own[1], main[1])
if status ~= 'new' then return { status, result } end

if main[3] == '*' then
  local recordEnd = redis.call('GETRANGE', own[2], -20, -1)
  if recordEnd == '' or generationOf(recordEnd) ~= main[4] then return { 'changed' } end
elseif (redis.call('GET', own[2]) or '') ~= main[3] then
  return { 'changed' }
elseif main[3] == '' and (redis.call('GET', own[3]) or '') ~= main[5] then
  return { 'changed' }
end

local keys, args = nextPart()
if #keys > 0 and not areSidesEqual(keys, args) then return { 'changed' } end

local purges, sides = {}, { 'done', {}, '' }
keys, args = nextPart()
if #keys > 0 then
  local reply = deleteNode(keys, args)
  if reply[1] == 'changed' then return { 'changed' } end
  purges = reply[3]
end
if main[6] ~= '' then redis.call('SET', own[2], main[6]) end
keys, args = nextPart()
if #keys > 0 then
  sides = writeSides(keys, args)
  result = redis.call('ZSCORE', keys[4], args[2]) or ''
end
saveStep(own[1], main[1], main[2], result)
local entries = { '', '' }
keys, args = nextPart()
if #keys > 0 then entries = saveEntries(keys[1], keys[2], args[2], args, 3, #args, args[1]) end
return { 'done', purges, sides, entries }
`
