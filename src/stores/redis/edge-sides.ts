import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey, EdgeRecord } from '../../store/contract.ts'
import { createScriptCommand, parseListReply, type ScriptCommand } from './commands.ts'
import { WRITE_REVERSE_SCRIPT, WRITE_SIDES_SCRIPT } from './edge-scripts.ts'
import { encodeReverseEntry, type Generation, type RedisKeys, toMember } from './encoding.ts'
import { encodeData } from './stored-json.ts'

/** A write of an edge between two generations of nodes. An edge without a record is deleted. */
export type EdgeWrite = {
  readonly edge: EdgeKey
  readonly record: EdgeRecord | undefined
  /** The other side of a mirrored edge, whose first side is `edge`. */
  readonly mirror: EdgeKey | undefined
  readonly sourceGeneration: Generation
  readonly targetGeneration: Generation
}

/** Returns the same write seen from the target of a mirrored edge; undefined for any other edge. */
export const toSecondWrite = ({
  edge,
  record,
  mirror,
  sourceGeneration,
  targetGeneration,
}: EdgeWrite): EdgeWrite | undefined =>
  mirror && {
    edge: mirror,
    record,
    mirror: edge,
    sourceGeneration: targetGeneration,
    targetGeneration: sourceGeneration,
  }

/** The content that is written at one end of an edge. */
export type Side = {
  /** The name of the list; undefined to write only the reverse entry. */
  readonly name: string | undefined
  readonly member: string
  readonly record: EdgeRecord | undefined
  readonly reverseEntry: string
  readonly number: string
}

/** Creates the side at the source of an edge. `number` is only used for a mirrored edge. */
export const createFirstSide = (
  { edge, record, mirror, targetGeneration }: EdgeWrite,
  number: string,
): Side => ({
  name: edge.name,
  member: toMember(edge.target, targetGeneration),
  record,
  reverseEntry:
    mirror === undefined
      ? ''
      : encodeReverseEntry({ source: mirror.source, generation: targetGeneration, name: mirror.name }),
  number: mirror === undefined ? '' : number,
})

/** Creates the side at the target: the mirror with its reverse entry, or only the reverse entry. */
export const createSecondSide = (
  { edge, record, mirror, sourceGeneration }: EdgeWrite,
  number: string,
): Side => ({
  name: mirror?.name,
  member: toMember(edge.source, sourceGeneration),
  record,
  reverseEntry: encodeReverseEntry({ source: edge.source, generation: sourceGeneration, name: edge.name }),
  number: mirror === undefined ? '' : number,
})

const encodeSide = (
  { name, member, record, reverseEntry, number }: Side,
  nameNumbers: ReadonlyMap<string, string>,
): readonly string[] => [
  name === undefined ? '' : (nameNumbers.get(name) ?? ''),
  member,
  record === undefined ? '' : `${record.time}`,
  name === undefined || record?.data === undefined ? '' : encodeData(record.time, record.data),
  reverseEntry,
  number,
]

/** Returns the number of each name, from 1, as scripts use it. */
const numberNames = (names: Iterable<string>): ReadonlyMap<string, string> =>
  new Map([...new Set(names)].map((name, index) => [name, `${index + 1}`]))

/** Creates the command that writes sides at one generation of a node. */
export const createSidesCommand = (
  keys: RedisKeys,
  id: NodeId,
  generation: Generation,
  sides: readonly Side[],
  note = '',
): ScriptCommand => {
  const isDeletion = sides[0]?.record === undefined
  const haveOneForm = sides.every(
    ({ name, record }) => name === undefined && (record === undefined) === isDeletion,
  )
  if (note === '' && haveOneForm)
    return createScriptCommand(
      WRITE_REVERSE_SCRIPT,
      [keys.node(id), keys.reverseEntries(id)],
      [generation, isDeletion ? 'SREM' : 'SADD', ...sides.map(({ reverseEntry }) => reverseEntry)],
    )
  const nameNumbers = numberNames(sides.flatMap(({ name }) => name ?? []))
  const names = [...nameNumbers.keys()]
  return createScriptCommand(
    WRITE_SIDES_SCRIPT,
    [
      keys.node(id),
      keys.listNames(id),
      keys.reverseEntries(id),
      keys.recoveryNotes(id),
      keys.numbers(id),
      keys.deletedNumbers(id),
      ...names.flatMap(name => [keys.list(id, name), keys.edgeData(id, name)]),
    ],
    [generation, note, `${names.length}`, ...names, ...sides.flatMap(side => encodeSide(side, nameNumbers))],
  )
}

/** The reply to a command of `createSidesCommand`. */
export type SidesReply = {
  /** The numbers of the mirrored sides, in their order. */
  readonly numbers: readonly number[]
  /** The largest score of the older recovery notes of the same node; undefined if there are none. */
  readonly oldNotes: string | undefined
}

/** Returns undefined if the node is not of the expected generation, so that nothing was written. */
export const parseSidesReply = (reply: unknown): SidesReply | undefined => {
  const [status, numbers, oldNotes] = parseListReply(reply)
  if (status !== 'done') return undefined
  return {
    numbers: parseListReply(numbers).map(Number),
    oldNotes: oldNotes === '' ? undefined : String(oldNotes),
  }
}

/** Groups items, in the order of their first appearance. */
export const groupBy = <TItem, TKey>(
  items: readonly TItem[],
  keyOf: (item: TItem) => TKey,
): ReadonlyMap<TKey, readonly TItem[]> => {
  const groups = new Map<TKey, TItem[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
