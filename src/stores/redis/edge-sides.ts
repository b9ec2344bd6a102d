import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey, EdgeRecord } from '../../store/contract.ts'
import { type DerivedEntry, deriveEntry, listOfOrder } from '../../store/derived-entries.ts'
import { createScriptCommand, parseListReply, type ScriptCommand } from './commands.ts'
import { WRITE_REVERSE_SCRIPT, WRITE_SIDES_SCRIPT } from './edge-scripts.ts'
import { encodeReverseEntry, type Generation, toMember } from './encoding.ts'
import type { RedisKeys } from './redis-keys.ts'
import { encodeData } from './stored-json.ts'

/** A further order of a list: its name, and the field that gives the times of its entries. */
export type Order = Pick<DerivedEntry, 'name' | 'by'>

/** Returns the orders of a list among the lists of its source, to remove entries from them. */
export const findOrders = (list: string, listNames: readonly string[]): readonly Order[] =>
  listNames.flatMap(name => (listOfOrder(name) === list ? { name, by: undefined } : []))

/** A write of an edge between two generations of nodes. An edge without a record is deleted. */
export type EdgeWrite = {
  readonly edge: EdgeKey
  readonly record: EdgeRecord | undefined
  /** The other side of a mirrored edge, whose first side is `edge`. */
  readonly mirror: EdgeKey | undefined
  readonly sourceGeneration: Generation
  readonly targetGeneration: Generation
  /** The orders that contain the edge, and those that contain its mirror. They are written with their side. */
  readonly orders?: readonly Order[] | undefined
  readonly mirrorOrders?: readonly Order[] | undefined
}

/** Returns the same write seen from the target of a mirrored edge; undefined for any other edge. */
export const toSecondWrite = ({
  edge,
  record,
  mirror,
  sourceGeneration,
  targetGeneration,
  orders,
  mirrorOrders,
}: EdgeWrite): EdgeWrite | undefined =>
  mirror && {
    edge: mirror,
    record,
    mirror: edge,
    sourceGeneration: targetGeneration,
    targetGeneration: sourceGeneration,
    orders: mirrorOrders,
    mirrorOrders: orders,
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
const createFirstSide = ({ edge, record, mirror, targetGeneration }: EdgeWrite, number: string): Side => ({
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

/** The number of a side that is written only if the last side before it with another number is. */
const WITH_LAST_SIDE = '='

/** Creates the entries of an edge in further orders. */
const createOrderSides = (
  { source, target }: EdgeKey,
  orders: readonly Order[],
  { member, record }: Side,
): readonly Side[] =>
  orders.map(({ name, by }) => ({
    name,
    member,
    record:
      record && deriveEntry({ source, name, target, by }, { members: record.data ?? {}, time: record.time }),
    reverseEntry: '',
    number: WITH_LAST_SIDE,
  }))

/** Creates the side at the source of an edge, and its entries in the orders of the source. */
export const createFirstSides = (write: EdgeWrite, number: string): readonly Side[] => {
  const side = createFirstSide(write, number)
  return [side, ...createOrderSides(write.edge, write.orders ?? [], side)]
}

/** Creates the side at the target of an edge, and its entries in the orders of the target. */
export const createSecondSides = (write: EdgeWrite, number: string): readonly Side[] => {
  const side = createSecondSide(write, number)
  const { mirror, mirrorOrders = [] } = write
  return mirror === undefined ? [side] : [side, ...createOrderSides(mirror, mirrorOrders, side)]
}

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
