import type { NodeId } from '../../base/ids.ts'
import type { EdgeWrite, Order } from './edge-sides.ts'
import { type Generation, toMember } from './encoding.ts'
import { parseJson } from './stored-json.ts'

/**
 * An edge in a recovery note: its name, the member of its target, and the name of its mirror. If further orders
 * contain the edge or its mirror, also these orders, because the process that completes the edge has no schema.
 */
export type NoteItem = readonly [
  name: string,
  member: string,
  mirrorName: string | null,
  orders?: readonly NoteOrder[],
  mirrorOrders?: readonly NoteOrder[],
]

/** An order in a recovery note: its name, and the field and the factor that give the times of its entries. */
export type NoteOrder = readonly [name: string, field: string | null, factor: 1 | 1000]

/**
 * Names edges at one generation of a source whose second sides may be unfinished, or collections in which the
 * entry of a node may be unfinished. A note is saved with the first sides or the node, and removed when the second
 * sides or the entries agree with them.
 */
export type RecoveryNote = {
  readonly generation: Generation
  readonly puts: readonly NoteItem[]
  readonly deletions: readonly NoteItem[]
  readonly collections: readonly string[]
}

/** A recovery note that is saved at a source. */
export type SavedNote = { readonly source: NodeId; readonly text: string }

/** Old recovery notes at a source, which no process has completed in time. */
export type OldNotes = { readonly source: NodeId; readonly maxScore: string }

const toNoteOrder = ({ name, by }: Order): NoteOrder => [name, by?.field ?? null, by?.factor ?? 1]

const toOrder = ([name, field, factor]: NoteOrder): Order => ({
  name,
  by: field === null ? undefined : { field, factor },
})

const toItem = ({ edge, mirror, targetGeneration, orders = [], mirrorOrders = [] }: EdgeWrite): NoteItem => {
  const member = toMember(edge.target, targetGeneration)
  const mirrorName = mirror?.name ?? null
  if (orders.length + mirrorOrders.length === 0) return [edge.name, member, mirrorName]
  return [edge.name, member, mirrorName, orders.map(toNoteOrder), mirrorOrders.map(toNoteOrder)]
}

/** Returns the orders that contain the edge of a note, and those that contain its mirror. */
export const ordersOfItem = ([, , , orders = [], mirrorOrders = []]: NoteItem): Pick<
  EdgeWrite,
  'orders' | 'mirrorOrders'
> => ({ orders: orders.map(toOrder), mirrorOrders: mirrorOrders.map(toOrder) })

/** Creates the text of a note for writes of one source. The stamp makes the text unique. */
export const encodeNote = (generation: Generation, writes: readonly EdgeWrite[]): string =>
  JSON.stringify([
    crypto.randomUUID(),
    generation,
    writes.filter(({ record }) => record !== undefined).map(toItem),
    writes.filter(({ record }) => record === undefined).map(toItem),
  ])

/** Creates the text of a note for the entries of a node, whatever its generation. */
export const encodeEntryNote = (collections: readonly string[]): string =>
  JSON.stringify([crypto.randomUUID(), collections])

const isNoteOrder = (order: unknown): order is NoteOrder => {
  const [name, field, factor]: readonly unknown[] = Array.isArray(order) ? order : []
  const hasNames = typeof name === 'string' && (field === null || typeof field === 'string')
  return hasNames && (factor === 1 || factor === 1000)
}

const isItem = (item: unknown): item is NoteItem => {
  const [name, member, mirrorName, ...orders]: readonly unknown[] = Array.isArray(item) ? item : []
  const hasNames = typeof name === 'string' && (mirrorName === null || typeof mirrorName === 'string')
  const hasOrders = orders.every(list => Array.isArray(list) && list.every(isNoteOrder))
  return hasNames && hasOrders && typeof member === 'string' && /^\d{19}(?:~\d+)?$/.test(member)
}

/** Parses a note. Returns undefined if another program has damaged it. */
export const parseNote = (text: string): RecoveryNote | undefined => {
  const cells = parseJson(text)
  const [, generation, puts, deletions]: readonly unknown[] = Array.isArray(cells) ? cells : []
  if (Array.isArray(generation) && puts === undefined && generation.every(name => typeof name === 'string'))
    return { generation: '', puts: [], deletions: [], collections: generation }
  const isValid =
    typeof generation === 'string' &&
    Array.isArray(puts) &&
    Array.isArray(deletions) &&
    puts.every(isItem) &&
    deletions.every(isItem)
  return isValid ? { generation, puts, deletions, collections: [] } : undefined
}

/**
 * Whether one of several notes names an edge: by its name or the name of its mirror, and by the member of the
 * other end.
 */
export const namesEdge = (
  notes: readonly RecoveryNote[],
  { name, mirrorName }: { readonly name?: string; readonly mirrorName?: string },
  member: string,
): boolean =>
  notes.some(({ puts, deletions }) =>
    [...puts, ...deletions].some(
      ([itemName, itemMember, itemMirror]) =>
        itemMember === member &&
        (name === undefined || itemName === name) &&
        (mirrorName === undefined || itemMirror === mirrorName),
    ),
  )
