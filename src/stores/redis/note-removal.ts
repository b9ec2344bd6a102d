import type { NodeId } from '../../base/ids.ts'
import type { CommandSender } from './command-sender.ts'
import { type Command, createCommand, createScriptCommand } from './commands.ts'
import { CLEAR_NOTE_SCRIPT } from './edge-scripts.ts'
import { createSecondSide, createSidesCommand } from './edge-sides.ts'
import { type Generation, parseMember, parseMemberGeneration } from './encoding.ts'
import { type NoteItem, parseNote, type RecoveryNote, type SavedNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { SideKey } from './stored-sides.ts'

/**
 * The state of a source in which a note can be removed. It has only the edges without a mirror: the sides of
 * mirrored edges have numbers, which protect them from late steps of other writers.
 */
export type NoteCheck = {
  /** Undefined if nothing needs a check, for example because the generation of the note was deleted. */
  readonly generation: Generation | undefined
  readonly missing: readonly NoteItem[]
  readonly existing: readonly NoteItem[]
}

export const isUnmirrored = ([, , mirrorName]: NoteItem): boolean => mirrorName === null

/**
 * Returns the state that the writes of a note have left. Puts without a mirror need no check: their writer was so
 * fast that nobody can have settled a deletion between their two sides.
 */
const toWrittenCheck = ({ generation, puts, deletions }: RecoveryNote): NoteCheck => {
  const isSimple = deletions.length === 0 && puts.every(isUnmirrored)
  return {
    generation: isSimple ? undefined : generation,
    missing: deletions.filter(isUnmirrored),
    existing: [],
  }
}

/** Creates the command that removes a note. Its reply is 'changed' if the source has another state. */
const createClearCommand = (
  keys: RedisKeys,
  { source, text }: SavedNote,
  { generation, missing, existing }: NoteCheck,
): Command => {
  const notesKey = keys.recoveryNotes(source)
  if (generation === undefined) return createCommand('zrem', notesKey, text)
  const items = [...missing, ...existing]
  return createScriptCommand(
    CLEAR_NOTE_SCRIPT,
    [keys.node(source), notesKey, ...items.map(([name]) => keys.list(source, name))],
    [generation, text, `${missing.length}`, ...items.map(([, member]) => member)],
  )
}

export const toSideKey = (
  source: NodeId,
  { generation }: Pick<RecoveryNote, 'generation'>,
  [name, member]: NoteItem,
): SideKey => ({
  edge: { source, name, target: parseMember(member) },
  sourceGeneration: generation,
  targetGeneration: parseMemberGeneration(member),
})

/**
 * Creates the commands that remove the reverse entries of deleted edges, at the generations of their targets.
 * The entry of a newer edge, to a later generation, has the same text.
 */
export const createReverseRemoveCommands = (
  keys: RedisKeys,
  source: NodeId,
  note: Pick<RecoveryNote, 'generation'>,
  items: readonly NoteItem[],
): readonly Command[] =>
  items.map(item => {
    const key = toSideKey(source, note, item)
    const side = createSecondSide({ ...key, record: undefined, mirror: undefined }, '')
    return createSidesCommand(keys, key.edge.target, key.targetGeneration, [side])
  })

/** A note, and the state in which it can be removed; undefined for the state that its writes have left. */
type CheckedNote = { readonly note: SavedNote; readonly check: NoteCheck | undefined }

/**
 * Removes notes whose sides agree, unless the edges of a note have changed. First removes the reverse entries
 * of missing edges. Returns whether each note was removed, or is damaged.
 */
export const removeNotes = async (
  sender: CommandSender,
  keys: RedisKeys,
  checkedNotes: readonly CheckedNote[],
): Promise<readonly boolean[]> => {
  const commands = checkedNotes.map(({ note, check }) => {
    const parsed = check === undefined ? parseNote(note.text) : undefined
    const state = check ?? (parsed && toWrittenCheck(parsed))
    if (state === undefined) return undefined
    const { generation, missing } = state
    const removals =
      generation === undefined ? [] : createReverseRemoveCommands(keys, note.source, { generation }, missing)
    return { removals, clear: createClearCommand(keys, note, state) }
  })
  await sender.send(commands.flatMap(command => command?.removals ?? []))
  const replies = await sender.send(commands.flatMap(command => command?.clear ?? []))
  let index = 0
  return commands.map(command => command === undefined || replies[index++] !== 'changed')
}
