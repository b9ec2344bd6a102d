import type { NodeId } from '../../base/ids.ts'
import type { KnownNote } from './batch-sender.ts'
import { completeEntries } from './collection-entries.ts'
import type { CommandSender } from './command-sender.ts'
import { type Command, createCommand, parseListReply } from './commands.ts'
import { createFirstSides, createSidesCommand, type EdgeWrite, toSecondWrite } from './edge-sides.ts'
import { EdgeWriter } from './edge-writer.ts'
import { parseMember } from './encoding.ts'
import { removeEdges } from './node-purge.ts'
import {
  createReverseRemoveCommands,
  isUnmirrored,
  type NoteCheck,
  removeNotes,
  toSideKey,
} from './note-removal.ts'
import { type NoteItem, ordersOfItem, parseNote, type RecoveryNote, type SavedNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import { readSides, type SideKey, type StoredSide } from './stored-sides.ts'

/** Removes the second sides of edges whose source was deleted. */
const removeSecondSides = async (
  sender: CommandSender,
  keys: RedisKeys,
  source: NodeId,
  note: RecoveryNote,
): Promise<void> => {
  const items = [...note.puts, ...note.deletions]
  const deletedNode = { id: source, generation: note.generation }
  await sender.send(createReverseRemoveCommands(keys, source, note, items))
  const mirrors = items.flatMap(([, member, mirrorName]) =>
    mirrorName === null ? [] : { source: parseMember(member), names: [mirrorName], target: deletedNode },
  )
  await removeEdges(sender, keys, mirrors)
}

/** Creates the write of an edge of a note, with the content of a stored side. */
const toWrite = (key: SideKey, item: NoteItem, side: StoredSide): EdgeWrite => ({
  ...key,
  ...ordersOfItem(item),
  record: side.content && { ...key.edge, ...side.content },
  mirror: item[2] === null ? undefined : { source: key.edge.target, name: item[2], target: key.edge.source },
})

/** The side of a mirrored edge at the source of a note. */
type OwnSide = {
  readonly key: SideKey
  readonly item: NoteItem
  readonly mirrorName: string
  readonly side: StoredSide
  /** Whether the note names a deletion. */
  readonly isDeletion: boolean
}

/** Returns the content and the number that both sides of a mirrored edge should have. */
const chooseSide = ({ side, isDeletion }: OwnSide, mirrorSide: StoredSide): StoredSide => {
  const isForgotten = side.content === undefined && side.number === 0 && mirrorSide.content !== undefined
  // The number of the deletion expires, but the deletion must not be undone.
  if (isForgotten && isDeletion) return { ...side, number: mirrorSide.number + 1 }
  return mirrorSide.number > side.number ? mirrorSide : side
}

/** Creates the commands that give sides the content and the number of a chosen side. */
const createCopyCommands = (
  keys: RedisKeys,
  own: OwnSide,
  mirrorSide: StoredSide,
  chosen: StoredSide,
): readonly Command[] => {
  if (chosen.isDamaged) return []
  const write = toWrite(own.key, own.item, chosen)
  return [
    { write, number: own.side.number },
    { write: toSecondWrite(write), number: mirrorSide.number },
  ].flatMap(({ write, number }) =>
    write === undefined || number === chosen.number
      ? []
      : createSidesCommand(keys, write.edge.source, write.sourceGeneration, [
          ...createFirstSides(write, `${chosen.number}`),
        ]),
  )
}

/**
 * Makes both sides of mirrored edges equal: the side with the larger number is copied to the other one, unless
 * it is damaged. If a node of an edge was deleted, the other side is removed.
 */
const completeMirrors = async (
  sender: CommandSender,
  keys: RedisKeys,
  ownSides: readonly OwnSide[],
): Promise<void> => {
  const mirrorKeys = ownSides.map(({ key, mirrorName }) => ({
    edge: { source: key.edge.target, name: mirrorName, target: key.edge.source },
    sourceGeneration: key.targetGeneration,
    targetGeneration: key.sourceGeneration,
  }))
  const mirrorSides = await readSides(sender, keys, mirrorKeys)
  const commands: Command[] = []
  const obsoleteWrites: EdgeWrite[] = []
  for (const [index, own] of ownSides.entries()) {
    const mirrorSide = mirrorSides[index]
    if (mirrorSide === undefined) obsoleteWrites.push(toWrite(own.key, own.item, own.side))
    else commands.push(...createCopyCommands(keys, own, mirrorSide, chooseSide(own, mirrorSide)))
  }
  await sender.send(commands)
  await new EdgeWriter(sender, keys, { sources: [], targets: [] }).removeFirstSides(obsoleteWrites)
}

/** An item of a note with its side at the source of the note. */
type StoredItem = Omit<OwnSide, 'mirrorName'>

/** Completes the reverse entries of edges without a mirror. */
const completeUnmirrored = async (
  sender: CommandSender,
  keys: RedisKeys,
  source: NodeId,
  note: RecoveryNote,
  storedItems: readonly StoredItem[],
): Promise<NoteCheck> => {
  const unmirrored = storedItems.filter(({ item }) => isUnmirrored(item))
  const [missing = [], existing = []] = [false, true].map(exists =>
    unmirrored.filter(({ side }) => (side.content !== undefined) === exists).map(({ item }) => item),
  )
  await sender.send(createReverseRemoveCommands(keys, source, note, missing))
  await new EdgeWriter(sender, keys, { sources: [], targets: [] }).writeSecondSides(
    unmirrored.map(({ key, item, side }) => ({ write: toWrite(key, item, side), number: 0 })),
  )
  return { generation: note.generation, missing, existing }
}

/** The check of a note that can be removed in any state. */
const NO_CHECK: NoteCheck = { generation: undefined, missing: [], existing: [] }

/**
 * Makes both sides of the edges of a note agree as they are stored now, or the entries of its node. Returns the
 * state in which the note can then be removed; undefined if the note is damaged.
 */
export const completeSides = async (
  sender: CommandSender,
  keys: RedisKeys,
  { source, text }: SavedNote,
): Promise<NoteCheck | undefined> => {
  const note = parseNote(text)
  if (note === undefined) return undefined
  if (note.collections.length > 0) {
    await completeEntries(sender, keys, source)
    return NO_CHECK
  }
  const items = [...note.puts, ...note.deletions]
  const sideKeys = items.map(item => toSideKey(source, note, item))
  const sides = await readSides(sender, keys, sideKeys)
  const storedItems = items.flatMap((item, index) => {
    const [key, side, isDeletion] = [sideKeys[index], sides[index], index >= note.puts.length]
    return key === undefined || side === undefined ? [] : [{ item, key, side, isDeletion }]
  })
  if (storedItems.length === 0) {
    await removeSecondSides(sender, keys, source, note)
    return NO_CHECK
  }
  const check = await completeUnmirrored(sender, keys, source, note, storedItems)
  await completeMirrors(
    sender,
    keys,
    storedItems.flatMap(own => {
      const mirrorName = own.item[2]
      return mirrorName === null ? [] : { ...own, mirrorName }
    }),
  )
  return check
}

/**
 * Makes both sides of the edges of a note agree, and removes the note at once. Returns whether it removed the
 * note. The note remains if its edges have changed in the meantime, and if it is damaged.
 */
export const completeNote = async (
  sender: CommandSender,
  keys: RedisKeys,
  note: SavedNote,
): Promise<boolean> => {
  const check = await completeSides(sender, keys, note)
  if (check === undefined) return false
  const [isRemoved] = await removeNotes(sender, keys, [{ note, check }])
  return isRemoved === true
}

/** The dependencies of a completion. `settler` settles the notes that cannot be completed now. */
type CompletionContext = {
  readonly sender: CommandSender
  readonly keys: RedisKeys
  readonly settler: { addNotes(notes: readonly SavedNote[], servers: undefined): void }
}

/** Completes the second sides of edges whose first sides an earlier attempt to write a batch has written. */
export const completeKnownNotes = async (
  { sender, keys, settler }: CompletionContext,
  knownNotes: readonly KnownNote[],
): Promise<void> => {
  const replies = await sender.send(
    knownNotes.map(({ source, score }) =>
      createCommand('zrangebyscore', keys.recoveryNotes(source), score, score),
    ),
  )
  for (const [index, { source }] of knownNotes.entries())
    for (const text of parseListReply(replies[index]).map(String))
      if (!(await completeNote(sender, keys, { source, text })))
        settler.addNotes([{ source, text }], undefined)
}
