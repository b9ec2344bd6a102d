import type { NodeId } from '../../base/ids.ts'
import type { EdgeWrite } from './edge-sides.ts'
import { type Generation, toMember } from './encoding.ts'
import { parseJson } from './stored-json.ts'

/** An edge in a recovery note: its name, the member of its target, and the name of its mirror. */
export type NoteItem = readonly [name: string, member: string, mirrorName: string | null]

/**
 * Names edges at one generation of a source whose second sides may be unfinished. A note is saved with the
 * first sides, and removed when the second sides agree with them.
 */
export type RecoveryNote = {
  readonly generation: Generation
  readonly puts: readonly NoteItem[]
  readonly deletions: readonly NoteItem[]
}

/** A recovery note that is saved at a source. */
export type SavedNote = { readonly source: NodeId; readonly text: string }

/** Old recovery notes at a source, which no process has completed in time. */
export type OldNotes = { readonly source: NodeId; readonly maxScore: string }

const toItem = ({ edge, mirror, targetGeneration }: EdgeWrite): NoteItem => [
  edge.name,
  toMember(edge.target, targetGeneration),
  mirror?.name ?? null,
]

/** Creates the text of a note for writes of one source. The stamp makes the text unique. */
export const encodeNote = (generation: Generation, writes: readonly EdgeWrite[]): string =>
  JSON.stringify([
    crypto.randomUUID(),
    generation,
    writes.filter(({ record }) => record !== undefined).map(toItem),
    writes.filter(({ record }) => record === undefined).map(toItem),
  ])

const isItem = (item: unknown): item is NoteItem => {
  const [name, member, mirrorName]: readonly unknown[] = Array.isArray(item) ? item : []
  const hasNames = typeof name === 'string' && (mirrorName === null || typeof mirrorName === 'string')
  return hasNames && typeof member === 'string' && /^\d{19}(?:~\d+)?$/.test(member)
}

/** Parses a note. Returns undefined if another program has damaged it. */
export const parseNote = (text: string): RecoveryNote | undefined => {
  const cells = parseJson(text)
  const [, generation, puts, deletions]: readonly unknown[] = Array.isArray(cells) ? cells : []
  const isValid =
    typeof generation === 'string' &&
    Array.isArray(puts) &&
    Array.isArray(deletions) &&
    puts.every(isItem) &&
    deletions.every(isItem)
  return isValid ? { generation, puts, deletions } : undefined
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
