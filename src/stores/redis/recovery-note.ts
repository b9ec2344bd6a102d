import type { NodeId } from '../../base/ids.ts'
import type { EdgeWrite } from './edge-sides.ts'
import { type Generation, toMember } from './encoding.ts'

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

export const decodeNote = (text: string): RecoveryNote => {
  const [, generation, puts, deletions]: readonly [
    string,
    Generation,
    RecoveryNote['puts'],
    RecoveryNote['deletions'],
  ] = JSON.parse(text)
  return { generation, puts, deletions }
}
