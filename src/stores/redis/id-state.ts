import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject, type JsonObject } from '../../base/json.ts'
import type { CommandSender } from './command-sender.ts'
import { createScriptCommand, parseListReply } from './commands.ts'
import { type Generation, parseGeneration, parsePurge, type RedisKeys } from './encoding.ts'
import { NOW } from './node-scripts.ts'
import { decodeNote, type RecoveryNote, type SavedNote } from './recovery-note.ts'

/** The number of bytes at the start of a record that contain its type. */
export const TYPE_BYTES = 2048

/**
 * Reads everything about an id that explains the state of its edges.
 *
 * KEYS: record, pending purges, recovery notes, numbers, deleted numbers, reverse entries, and then the list
 * and the data of each edge. ARGV: the number of edges, the name and the member of each edge, reverse entries.
 * Returns the start and the end of the record, pending purges, recovery notes, the number of purges that are
 * older than a minute, the numbers of notes that are older than ten and than two seconds, and then for each edge its time, whether its member is marked, its data, its number and
 * the number of its deletion (each empty if it does not exist), and for each reverse entry whether it exists.
 */
export const READ_ID_SCRIPT = `${NOW}
local time = now()
local reply = {
  redis.call('GETRANGE', KEYS[1], 0, ${TYPE_BYTES - 1}),
  redis.call('GETRANGE', KEYS[1], -20, -1),
  redis.call('ZRANGE', KEYS[2], 0, -1),
  redis.call('ZRANGE', KEYS[3], 0, -1),
  redis.call('ZCOUNT', KEYS[2], '-inf', time - 60000000),
  redis.call('ZCOUNT', KEYS[3], '-inf', time - 10000000),
  redis.call('ZCOUNT', KEYS[3], '-inf', time - 2000000),
}
local edges = tonumber(ARGV[1])
for at = 1, edges do
  local name, member = ARGV[2 * at], ARGV[2 * at + 1]
  local list, data = KEYS[5 + 2 * at], KEYS[6 + 2 * at]
  local plain, marked = redis.call('ZSCORE', list, member), redis.call('ZSCORE', list, member .. '+')
  local field = member .. ' ' .. name
  table.insert(reply, marked or plain or '')
  table.insert(reply, marked and '+' or '')
  table.insert(reply, redis.call('HGET', data, member) or '')
  table.insert(reply, redis.call('HGET', KEYS[4], field) or '')
  table.insert(reply, redis.call('ZSCORE', KEYS[5], field) or '')
end
for at = 2 + 2 * edges, #ARGV do
  table.insert(reply, redis.call('SISMEMBER', KEYS[6], ARGV[at]))
end
return reply
`

/** The name and the member of an edge in the lists of an id. */
export type ListedEdge = { readonly name: string; readonly member: string }

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

/**
 * Parses the type at the start of a record. Returns '' for a damaged record, because the schema has no type of
 * this name.
 */
export const parseRecordType = (recordStart: string): string => {
  const text = /^\["(?:[^"\\]|\\.)*"/s.exec(recordStart)?.[0].slice(1)
  try {
    return text === undefined ? '' : String(JSON.parse(text))
  } catch {
    return ''
  }
}

/** A recovery note, from the oldest to the newest. */
type NoteState = SavedNote & {
  readonly note: RecoveryNote
  /** Whether the note is older than ten seconds. */
  readonly isOld: boolean
  /** Whether the note is younger than two seconds, so that its writer probably still works. */
  readonly isYoung: boolean
}

/** The state of an id at one moment. */
export type IdState = {
  /** The type of the node; undefined if it does not exist. */
  readonly type: string | undefined
  /** The generation of the node; undefined if it does not exist. */
  readonly generation: Generation | undefined
  readonly purges: readonly Generation[]
  readonly notes: readonly NoteState[]
  /** The number of purges that are older than a minute. */
  readonly oldPurges: number
  readonly edges: readonly ListedEdgeState[]
  /** Whether each reverse entry exists. */
  readonly hasEntries: readonly boolean[]
}

const CELLS_BEFORE_EDGES = 7
const CELLS_PER_EDGE = 5

/** Parses stored data with its time. Returns undefined if another program has damaged it. */
export const parseData = (text: string): JsonObject | undefined => {
  try {
    const cells: unknown = JSON.parse(text)
    const data: unknown = Array.isArray(cells) ? cells[1] : undefined
    return isNonArrayObject(data) ? (data as JsonObject) : undefined
  } catch {
    return undefined
  }
}

const decodeEdge = ([
  time = '',
  mark = '',
  dataText = '',
  number = '',
  deletedNumber = '',
]: readonly string[]) => {
  const data = mark === '' || dataText === '' ? undefined : parseData(dataText)
  return {
    time: time === '' ? undefined : Number(time),
    data,
    isDamaged: mark !== '' && data === undefined,
    number: Number(number),
    deletedNumber: Number(deletedNumber),
  }
}

/** Parses a recovery note. One that another program has damaged names nothing. */
const parseNote = (text: string): RecoveryNote => {
  try {
    return decodeNote(text)
  } catch {
    return { generation: '', puts: [], deletions: [] }
  }
}

const decodeNotes = (
  id: NodeId,
  texts: readonly unknown[],
  oldCount: number,
  settledCount: number,
): readonly NoteState[] =>
  texts.map(String).map((text, index) => ({
    source: id,
    text,
    note: parseNote(text),
    isOld: index < oldCount,
    isYoung: index >= settledCount,
  }))

/** Reads the state of an id, with some of its edges and reverse entries, at one moment. */
export const readIdState = async (
  sender: CommandSender,
  keys: RedisKeys,
  id: NodeId,
  edges: readonly ListedEdge[] = [],
  entries: readonly string[] = [],
): Promise<IdState> => {
  const command = createScriptCommand(
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
    [`${edges.length}`, ...edges.flatMap(({ name, member }) => [name, member]), ...entries],
  )
  const [reply] = await sender.send([command])
  const cells = parseListReply(reply)
  const [recordStart, recordEnd, purges, notes, oldPurges, oldNotes, settledNotes] = cells
  const edgeCells = cells.slice(CELLS_BEFORE_EDGES).map(String)
  return {
    type: recordEnd === '' ? undefined : parseRecordType(String(recordStart)),
    generation: recordEnd === '' ? undefined : parseGeneration(String(recordEnd)),
    purges: parseListReply(purges).map(text => parsePurge(String(text))),
    notes: decodeNotes(id, parseListReply(notes), Number(oldNotes), Number(settledNotes)),
    oldPurges: Number(oldPurges),
    edges: edges.map((_, index) =>
      decodeEdge(edgeCells.slice(CELLS_PER_EDGE * index, CELLS_PER_EDGE * (index + 1))),
    ),
    hasEntries: edgeCells.slice(CELLS_PER_EDGE * edges.length).map(cell => cell === '1'),
  }
}
