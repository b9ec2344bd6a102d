import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { CommandSender } from './command-sender.ts'
import { type Command, createScriptCommand, parseListReply } from './commands.ts'
import { OLD_NOTE_AGE, READ_DATA } from './edge-scripts.ts'
import { type Generation, parseGeneration, parsePurge } from './encoding.ts'
import { NOW } from './node-scripts.ts'
import { parseNote, type RecoveryNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import { parseData, parseRecordType } from './stored-json.ts'

/** The number of bytes at the start of a record that contain its type. */
export const TYPE_BYTES = 2048

/**
 * Reads everything about an id that explains the state of its edges.
 *
 * KEYS: record, pending purges, recovery notes, numbers, deleted numbers, reverse entries, and then the list
 * and the data of each edge. ARGV: which notes to return ('all', 'recent' or 'none'), a text that they must
 * contain, the number of edges, the name and the member of each edge, reverse entries.
 *
 * Returns the start and the end of the record, pending purges, the number of purges that are older than a
 * minute, recovery notes, the numbers of all and of old notes, the largest score of an old note, and then for
 * each edge its time, its data, its number and the number of its deletion (each empty if it does not exist),
 * and for each reverse entry whether it exists.
 */
export const READ_ID_SCRIPT = `${NOW}${READ_DATA}
local time = now()
local oldest = string.format('%.0f', time - ${OLD_NOTE_AGE})
local notes = {}
if ARGV[1] ~= 'none' then
  local first = ARGV[1] == 'recent' and '(' .. oldest or '-inf'
  for _, note in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], first, '+inf')) do
    if string.find(note, ARGV[2], 1, true) then table.insert(notes, note) end
  end
end
local reply = {
  redis.call('GETRANGE', KEYS[1], 0, ${TYPE_BYTES - 1}),
  redis.call('GETRANGE', KEYS[1], -20, -1),
  redis.call('ZRANGE', KEYS[2], 0, -1),
  redis.call('ZCOUNT', KEYS[2], '-inf', time - 60000000),
  notes,
  redis.call('ZCARD', KEYS[3]),
  redis.call('ZCOUNT', KEYS[3], '-inf', oldest),
  oldest,
}
local edges = tonumber(ARGV[3])
for at = 1, edges do
  local name, member = ARGV[2 + 2 * at], ARGV[3 + 2 * at]
  local list, data = KEYS[5 + 2 * at], KEYS[6 + 2 * at]
  local marked = redis.call('ZSCORE', list, member .. '+')
  local field = member .. ' ' .. name
  table.insert(reply, marked or redis.call('ZSCORE', list, member) or '')
  table.insert(reply, readData(data, member, marked))
  table.insert(reply, redis.call('HGET', KEYS[4], field) or '')
  table.insert(reply, redis.call('ZSCORE', KEYS[5], field) or '')
end
for at = 4 + 2 * edges, #ARGV do
  table.insert(reply, redis.call('SISMEMBER', KEYS[6], ARGV[at]))
end
return reply
`

/** The name and the member of an edge in the lists of an id. */
type ListedEdge = { readonly name: string; readonly member: string }

/** An edge as its list contains it. `time` is undefined if it is not there. */
export type ListedEdgeState = {
  readonly time: number | undefined
  readonly data: JsonObject | undefined
  /** Whether the member is marked as one with data, but the data is missing or damaged. */
  readonly isDamaged: boolean
  /** The number of a mirrored edge, and the number of its deletion; 0 if there is none. */
  readonly number: number
  readonly deletedNumber: number
}

/** The state of an id at one moment. */
export type IdState = {
  /** The type of the node; undefined if it does not exist. */
  readonly type: string | undefined
  /** The generation of the node; undefined if it does not exist. */
  readonly generation: Generation | undefined
  readonly purges: readonly Generation[]
  /** The number of purges that are older than a minute. */
  readonly oldPurges: number
  /** The requested recovery notes, without damaged ones. */
  readonly notes: readonly RecoveryNote[]
  readonly noteCount: number
  /** The number of notes whose writers probably do not work any more, and the largest score of such a note. */
  readonly oldNoteCount: number
  readonly maxOldScore: string
  readonly edges: readonly ListedEdgeState[]
  /** Whether each reverse entry exists. */
  readonly hasEntries: readonly boolean[]
}

const CELLS_BEFORE_EDGES = 8
const CELLS_PER_EDGE = 4

const decodeEdge = ([time = '', dataText = '', number = '', deletedNumber = '']: readonly string[]) => {
  const data = dataText === '' ? undefined : parseData(dataText)?.[1]
  return {
    time: time === '' ? undefined : Number(time),
    data,
    isDamaged: time !== '' && dataText !== '' && data === undefined,
    number: Number(number),
    deletedNumber: Number(deletedNumber),
  }
}

/** The parts of a state that are read only on request. */
type StateRequest = {
  readonly edges?: readonly ListedEdge[]
  readonly entries?: readonly string[]
  /** The recovery notes that name an edge to this member, whatever its name. */
  readonly notesAbout?: { readonly member: string; readonly age: 'recent' | 'all' }
}

const createStateCommand = (
  keys: RedisKeys,
  id: NodeId,
  { edges = [], entries = [], notesAbout }: StateRequest,
): Command =>
  createScriptCommand(
    READ_ID_SCRIPT,
    [
      keys.node(id),
      keys.pendingPurges(id),
      keys.recoveryNotes(id),
      keys.numbers(id),
      keys.deletedNumbers(id),
      keys.reverseEntries(id),
      ...edges.flatMap(({ name }) => [keys.list(id, name), keys.edgeData(id, name)]),
    ],
    [
      notesAbout?.age ?? 'none',
      notesAbout?.member ?? '',
      `${edges.length}`,
      ...edges.flatMap(({ name, member }) => [name, member]),
      ...entries,
    ],
  )

/** Reads the state of an id, with some of its edges, reverse entries and notes, at one moment. */
export const readIdState = async (
  sender: CommandSender,
  keys: RedisKeys,
  id: NodeId,
  request: StateRequest = {},
): Promise<IdState> => {
  const { edges = [] } = request
  const [reply] = await sender.send([createStateCommand(keys, id, request)])
  const cells = parseListReply(reply)
  const [recordStart, recordEnd, purges, oldPurges, notes, noteCount, oldNoteCount, maxOldScore] = cells
  const edgeCells = cells.slice(CELLS_BEFORE_EDGES).map(String)
  return {
    type: recordEnd === '' ? undefined : parseRecordType(String(recordStart)),
    generation: recordEnd === '' ? undefined : parseGeneration(String(recordEnd)),
    purges: parseListReply(purges).map(text => parsePurge(String(text))),
    oldPurges: Number(oldPurges),
    notes: parseListReply(notes).flatMap(text => parseNote(String(text)) ?? []),
    noteCount: Number(noteCount),
    oldNoteCount: Number(oldNoteCount),
    maxOldScore: String(maxOldScore),
    edges: edges.map((_, index) =>
      decodeEdge(edgeCells.slice(CELLS_PER_EDGE * index, CELLS_PER_EDGE * (index + 1))),
    ),
    hasEntries: edgeCells.slice(CELLS_PER_EDGE * edges.length).map(cell => cell === '1'),
  }
}
