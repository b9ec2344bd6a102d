import { WRITE_SIDES_SCRIPT } from './edge-scripts.ts'
import { NODE_ENTRIES_SCRIPT } from './entry-scripts.ts'
import { DELETE_NODE_SCRIPT, PUT_NODE_SCRIPT, REPLACE_NODE_SCRIPT } from './node-scripts.ts'

/**
 * Begins an attempt to write a batch. KEYS: batch. ARGV: the digest, the time to keep it in milliseconds, the
 * name of the attempt, the text that completes the batch. The text is kept, unless an earlier one is. Returns
 * 'conflict' if the id belongs to another batch, 'written' if the batch was written, otherwise 'begun' and the
 * earlier text (empty if there is none, or if it is the same).
 */
export const BEGIN_BATCH_SCRIPT = `
local digest = redis.call('HGET', KEYS[1], 'digest')
if digest and digest ~= ARGV[1] then return { 'conflict' } end
if redis.call('HEXISTS', KEYS[1], 'written') == 1 then return { 'written' } end
redis.call('HSET', KEYS[1], 'digest', ARGV[1], ARGV[3], '')
redis.call('HSETNX', KEYS[1], 'kept', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
local kept = redis.call('HGET', KEYS[1], 'kept')
return { 'begun', kept ~= ARGV[4] and kept or '' }
`

/** Replaces the text that completes a batch. KEYS: batch. ARGV: the attempt, which must have begun, the text. */
export const KEEP_BATCH_SCRIPT = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], 'kept', ARGV[2]) end
return ''
`

/** Removes an attempt that wrote nothing, and the batch with its last one. KEYS: batch. ARGV: the attempt. */
export const ABANDON_BATCH_SCRIPT = `
if redis.call('HDEL', KEYS[1], ARGV[1]) == 1 and redis.call('HLEN', KEYS[1]) == 2 then
  redis.call('DEL', KEYS[1])
end
return ''
`

/** Marks a batch as written. KEYS: batch. ARGV: the digest, the time to keep it in milliseconds. */
export const FINISH_BATCH_SCRIPT = `
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'written', '')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return ''
`

/**
 * Lua: returns whether a step of a batch is 'new', 'known' or in 'conflict' with another digest, and the
 * result of a known step. A known step is written again, so that waiting for a replica includes its first
 * write.
 */
export const FIND_STEP = `
local function findStep(key, digest)
  local text = redis.call('GET', key)
  if not text then return 'new', '' end
  local space = string.find(text, ' ', 1, true)
  if string.sub(text, space + 1) ~= digest then return 'conflict', '' end
  redis.call('SET', key, text, 'KEEPTTL')
  return 'known', string.sub(text, 1, space - 1)
end
`

/** Lua: saves the result of a step, a text without spaces. */
export const SAVE_STEP = `
local function saveStep(key, digest, keepMs, result)
  redis.call('SET', key, result .. ' ' .. digest, 'PX', keepMs)
end
`

/** Parses the text of a step, as `SAVE_STEP` saves it. */
export const parseStep = (text: string): { readonly result: string; readonly digest: string } => {
  const space = text.indexOf(' ')
  return { result: text.slice(0, space), digest: text.slice(space + 1) }
}

/**
 * Runs one of the scripts that write a node or sides of edges, unless the batch has run it before.
 *
 * KEYS: the step of the batch, and then those of the script. ARGV: the digest, the time to keep it in
 * milliseconds, the script, and then those of the script. Returns 'new' and the reply of the script, or
 * 'conflict', or 'known', the result and the generations to purge. The result of a node is its generation;
 * the result of sides is the score of their recovery note.
 */
export const BATCH_STEP_SCRIPT = `${FIND_STEP}${SAVE_STEP}
local function put(KEYS, ARGV)${PUT_NODE_SCRIPT}end
local function replace(KEYS, ARGV)${REPLACE_NODE_SCRIPT}end
local function delete(KEYS, ARGV)${DELETE_NODE_SCRIPT}end
local function entries(KEYS, ARGV)${NODE_ENTRIES_SCRIPT}end
local function sides(KEYS, ARGV)${WRITE_SIDES_SCRIPT}end

local keys, args = {}, {}
for at = 2, #KEYS do keys[at - 1] = KEYS[at] end
for at = 4, #ARGV do args[at - 3] = ARGV[at] end
local kind = ARGV[3]
local status, result = findStep(KEYS[1], ARGV[1])
if status ~= 'new' then
  local purgesKey = kind == 'delete' and keys[3] or args[1] == 'delete' and keys[6]
  local purges = purgesKey and redis.call('ZRANGE', purgesKey, 0, -1) or {}
  return { status, result, purges }
end

local reply
if kind == 'put' then
  reply = put(keys, args)
  if reply[1] == 'done' then result = reply[2] else result = nil end
elseif kind == 'replace' then
  reply = replace(keys, args)
  if reply ~= args[1] then result = nil end
elseif kind == 'delete' then
  reply = delete(keys, args)
  -- A missing node that the batch also puts is put by the next script.
  if reply[1] == 'changed' or (reply[1] == 'missing' and args[3] ~= '') then result = nil else result = reply[2] end
elseif kind == 'entries' then
  reply = entries(keys, args)
  result = reply[2] and reply[2][1]
else
  reply = sides(keys, args)
  if reply[1] == 'done' then result = redis.call('ZSCORE', keys[4], args[2]) or '' else result = nil end
end
if result then saveStep(KEYS[1], ARGV[1], ARGV[2], result) end
return { 'new', reply }
`
