import type { NodeId } from '../../base/ids.ts'
import type { CommandSender } from './command-sender.ts'
import { type Command, createCommand, createScriptCommand } from './commands.ts'
import { CLEAR_NOTE_SCRIPT } from './edge-scripts.ts'
import {
  createFirstSide,
  createSecondSide,
  createSidesCommand,
  type EdgeWrite,
  toSecondWrite,
} from './edge-sides.ts'
import { EdgeWriter } from './edge-writer.ts'
import { parseMember, parseMemberGeneration, type RedisKeys } from './encoding.ts'
import { createRemoveCommand } from './node-purge.ts'
import { decodeNote, type NoteItem, type RecoveryNote, type SavedNote } from './recovery-note.ts'
import { readSides, type SideKey, type StoredSide } from './stored-sides.ts'

/**
 * Creates the command that removes a note unless its source has another generation or one of the deleted
 * edges exists again. Then its reply is 'changed'.
 */
const createClearCommand = (
  keys: RedisKeys,
  { source, text }: SavedNote,
  { generation, puts, deletions }: RecoveryNote,
  deletedItems: readonly NoteItem[],
): Command => {
  const notesKey = keys.recoveryNotes(source)
  // Without its source, an edge without a mirror leaves nothing but a reverse entry.
  const isSimple = deletions.length === 0 && puts.every(([, , mirrorName]) => mirrorName === null)
  if (isSimple) return createCommand('zrem', notesKey, text)
  return createScriptCommand(
    CLEAR_NOTE_SCRIPT,
    [keys.node(source), notesKey, ...deletedItems.map(([name]) => keys.list(source, name))],
    [generation, text, ...deletedItems.map(([, member]) => member)],
  )
}

const toSideKey = (source: NodeId, { generation }: RecoveryNote, [name, member]: NoteItem): SideKey => ({
  edge: { source, name, target: parseMember(member) },
  sourceGeneration: generation,
  targetGeneration: parseMemberGeneration(member),
})

/**
 * Creates the commands that remove the reverse entries of deleted edges, at the generations of their targets.
 * The entry of a newer edge, to a later generation, has the same text.
 */
const createReverseRemoveCommands = (
  keys: RedisKeys,
  source: NodeId,
  note: RecoveryNote,
  items: readonly NoteItem[],
): readonly Command[] =>
  items.map(item => {
    const key = toSideKey(source, note, item)
    const side = createSecondSide({ ...key, record: undefined, mirror: undefined }, '')
    return createSidesCommand(keys, key.edge.target, key.targetGeneration, [side])
  })

/** Removes the second sides of edges whose source was deleted. */
const removeSecondSides = async (
  sender: CommandSender,
  keys: RedisKeys,
  { source, text }: SavedNote,
  note: RecoveryNote,
): Promise<void> => {
  const items = [...note.puts, ...note.deletions]
  const deletedNode = { id: source, generation: note.generation }
  await sender.send([
    ...createReverseRemoveCommands(keys, source, note, items),
    ...items.flatMap(([, member, mirrorName]) =>
      mirrorName === null ? [] : createRemoveCommand(keys, parseMember(member), [mirrorName], deletedNode),
    ),
  ])
  await sender.send([createCommand('zrem', keys.recoveryNotes(source), text)])
}

/** Creates the write of an edge of a note, with the content of a stored side. */
const toWrite = (key: SideKey, mirrorName: string | null, side: StoredSide): EdgeWrite => ({
  ...key,
  record: side.content && { ...key.edge, ...side.content },
  mirror:
    mirrorName === null ? undefined : { source: key.edge.target, name: mirrorName, target: key.edge.source },
})

/**
 * Makes both sides of mirrored edges equal: the side with the larger number is copied to the other one. If a
 * node of an edge was deleted, the other side is removed.
 */
const completeMirrors = async (
  sender: CommandSender,
  keys: RedisKeys,
  ownSides: readonly { readonly key: SideKey; readonly mirrorName: string; readonly side: StoredSide }[],
): Promise<void> => {
  const mirrorKeys = ownSides.map(({ key, mirrorName }) => ({
    edge: { source: key.edge.target, name: mirrorName, target: key.edge.source },
    sourceGeneration: key.targetGeneration,
    targetGeneration: key.sourceGeneration,
  }))
  const mirrorSides = await readSides(sender, keys, mirrorKeys)
  const commands: Command[] = []
  const obsoleteWrites: EdgeWrite[] = []
  for (const [index, { key, mirrorName, side }] of ownSides.entries()) {
    const mirrorSide = mirrorSides[index]
    const newerSide = mirrorSide !== undefined && mirrorSide.number > side.number ? mirrorSide : side
    const write = toWrite(key, mirrorName, newerSide)
    if (mirrorSide === undefined) obsoleteWrites.push(write)
    else if (mirrorSide.number !== side.number) {
      const outdated = newerSide === side ? toSecondWrite(write) : write
      if (outdated !== undefined)
        commands.push(
          createSidesCommand(keys, outdated.edge.source, outdated.sourceGeneration, [
            createFirstSide(outdated, `${newerSide.number}`),
          ]),
        )
    }
  }
  await sender.send(commands)
  await new EdgeWriter(sender, keys, { sources: [], targets: [] }).removeFirstSides(obsoleteWrites)
}

/**
 * Makes both sides of the edges of a note agree as they are stored now, and removes the note. Returns whether
 * it removed the note. The note remains if its edges have changed in the meantime.
 */
export const completeNote = async (
  sender: CommandSender,
  keys: RedisKeys,
  savedNote: SavedNote,
): Promise<boolean> => {
  const note = decodeNote(savedNote.text)
  const items = [...note.puts, ...note.deletions]
  const sideKeys = items.map(item => toSideKey(savedNote.source, note, item))
  const sides = await readSides(sender, keys, sideKeys)
  const storedItems = items.flatMap((item, index) => {
    const [key, side] = [sideKeys[index], sides[index]]
    return key === undefined || side === undefined ? [] : [{ item, key, side }]
  })
  if (storedItems.length === 0) {
    await removeSecondSides(sender, keys, savedNote, note)
    return true
  }
  const deletedItems = storedItems.flatMap(({ item, side }) =>
    item[2] === null && side.content === undefined ? [item] : [],
  )
  await sender.send(createReverseRemoveCommands(keys, savedNote.source, note, deletedItems))
  await new EdgeWriter(sender, keys, { sources: [], targets: [] }).writeSecondSides(
    storedItems.flatMap(({ item, key, side }) =>
      item[2] === null ? { write: toWrite(key, null, side), number: 0 } : [],
    ),
  )
  await completeMirrors(
    sender,
    keys,
    storedItems.flatMap(({ item: [, , mirrorName], key, side }) =>
      mirrorName === null ? [] : { key, mirrorName, side },
    ),
  )
  const [reply] = await sender.send([createClearCommand(keys, savedNote, note, deletedItems)])
  return reply !== 'changed'
}

/**
 * Removes the notes of writes whose second sides were written by servers that still run. Only what another
 * writer may have changed is checked. Returns the notes that must be completed.
 */
export const settleNotes = async <TNote extends SavedNote>(
  sender: CommandSender,
  keys: RedisKeys,
  savedNotes: readonly TNote[],
): Promise<readonly TNote[]> => {
  const notes = savedNotes.map(savedNote => {
    const note = decodeNote(savedNote.text)
    return { savedNote, note, deletedItems: note.deletions.filter(([, , mirrorName]) => mirrorName === null) }
  })
  await sender.send(
    notes.flatMap(({ savedNote, note, deletedItems }) =>
      createReverseRemoveCommands(keys, savedNote.source, note, deletedItems),
    ),
  )
  const replies = await sender.send(
    notes.map(({ savedNote, note, deletedItems }) => createClearCommand(keys, savedNote, note, deletedItems)),
  )
  return savedNotes.filter((_, index) => replies[index] === 'changed')
}
