import type { EdgeKey } from '../../store/contract.ts'
import { isDerivedList } from '../../store/derived-entries.ts'
import type { Finding } from '../../store/inspection.ts'
import { wait } from '../wait.ts'
import type { CommandSender } from './command-sender.ts'
import {
  encodeReverseEntry,
  type Generation,
  parseMemberGeneration,
  type ReverseEntry,
  toMember,
} from './encoding.ts'
import { type IdState, readIdState } from './id-state.ts'
import { namesEdge } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'

/** An edge that seems to be wrong, as its list or the reverse entry at its target names it. */
export type Suspect =
  /** `member` has no suffix for data. */
  | { readonly kind: 'listed'; readonly edge: EdgeKey; readonly member: string }
  | { readonly kind: 'reverse'; readonly edge: EdgeKey; readonly entry: ReverseEntry }

/** Both ends of a suspect, each at one moment. */
type Ends = { readonly source: IdState; readonly target: IdState }

/** Returns the error in an edge that its list contains, or undefined if there is none. */
const findListedError = (suspect: Extract<Suspect, { kind: 'listed' }>, ends: Ends): Finding | undefined => {
  const { edge, member } = suspect
  const [state] = ends.source.edges
  const [hasEntry] = ends.target.hasEntries
  const generation = parseMemberGeneration(member)
  if (state?.time === undefined || ends.target.purges.includes(generation)) return undefined
  if (ends.source.generation === undefined || ends.target.generation === undefined)
    return { kind: 'danglingEdge', edge, member }
  if (ends.target.generation !== generation) return { kind: 'staleEdge', edge, member }
  if (state.isDamaged) return { kind: 'damagedEdge', edge }
  return hasEntry || isDerivedList(edge) ? undefined : { kind: 'missingReverseEntry', edge }
}

/** Returns the error in a reverse entry, or undefined if there is none. */
const findReverseError = (
  { edge, entry }: Extract<Suspect, { kind: 'reverse' }>,
  { source, target }: Ends,
): Finding | undefined => {
  const [state] = source.edges
  const [hasEntry] = target.hasEntries
  if (!hasEntry || source.purges.includes(entry.generation)) return undefined
  const isCurrent = source.generation === entry.generation && target.generation !== undefined
  if (isCurrent && state?.time !== undefined) return undefined
  return { kind: 'staleReverseEntry', edge, member: encodeReverseEntry(entry) }
}

const observe = async (
  sender: CommandSender,
  keys: RedisKeys,
  suspect: Suspect,
  generations: { readonly source: Generation; readonly target: Generation },
): Promise<Finding | undefined> => {
  const { edge } = suspect
  const entry = { source: edge.source, generation: generations.source, name: edge.name }
  const member = suspect.kind === 'listed' ? suspect.member : toMember(edge.target, generations.target)
  const sourceMember = toMember(edge.source, generations.source)
  const target = await readIdState(sender, keys, edge.target, {
    entries: [encodeReverseEntry(entry)],
    notesAbout: { member: sourceMember, age: 'all' },
  })
  const source = await readIdState(sender, keys, edge.source, {
    edges: [{ name: edge.name, member }],
    notesAbout: { member, age: 'all' },
  })
  const ends = { source, target }
  // A writer or a recovery completes the edge, or its mirror.
  if (namesEdge(source.notes, edge, member)) return undefined
  if (namesEdge(target.notes, { mirrorName: edge.name }, sourceMember)) return undefined
  return suspect.kind === 'listed' ? findListedError(suspect, ends) : findReverseError(suspect, ends)
}

/**
 * The waits before each further look at a suspect, in milliseconds. A recovery note exists for at least a
 * second after each write. So a write that began between two looks is visible at the next one.
 */
const WAITS_MS = [0, 50, 250]

/** Looks at an edge several times, and returns its error if it is the same each time. */
const confirmSuspect = async (
  sender: CommandSender,
  keys: RedisKeys,
  suspect: Suspect,
): Promise<Finding | undefined> => {
  const { edge } = suspect
  let finding: Finding | undefined
  for (const waitMs of WAITS_MS) {
    if (waitMs > 0) await wait(waitMs)
    const [source, target] = await Promise.all([
      readIdState(sender, keys, edge.source),
      readIdState(sender, keys, edge.target),
    ])
    const generations =
      suspect.kind === 'listed'
        ? { source: source.generation ?? '', target: parseMemberGeneration(suspect.member) }
        : { source: suspect.entry.generation, target: target.generation ?? '' }
    const seen = await observe(sender, keys, suspect, generations)
    if (seen === undefined || (finding !== undefined && seen.kind !== finding.kind)) return undefined
    finding = seen
  }
  return finding
}

/** Returns the errors in suspects that do not disappear at a second look. */
export const confirmSuspects = async (
  sender: CommandSender,
  keys: RedisKeys,
  suspects: readonly Suspect[],
): Promise<readonly Finding[]> => {
  const findings = await Promise.all(suspects.map(suspect => confirmSuspect(sender, keys, suspect)))
  return findings.flatMap(finding => finding ?? [])
}
