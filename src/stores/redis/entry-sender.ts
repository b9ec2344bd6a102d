import type { NodeId } from '../../base/ids.ts'
import { type DerivedEntry, deriveEntry } from '../../store/derived-entries.ts'
import { parseId } from './batch-sender.ts'
import { type CollectionEntry, completeEntries, writeEntries } from './collection-entries.ts'
import {
  type Command,
  type CommandReply,
  createScriptCommand,
  parseListReply,
  type ScriptCommand,
  unwrapReplies,
} from './commands.ts'
import { decodeNode } from './encoding.ts'
import { NODE_ENTRIES_SCRIPT } from './entry-scripts.ts'
import { DELETE_NODE_SCRIPT, KEEP_NODE_SCRIPT, PUT_NODE_SCRIPT, REPLACE_NODE_SCRIPT } from './node-scripts.ts'
import { encodeEntryNote, type OldNotes, type SavedNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { StepSender } from './write-steps.ts'

/** The entries of nodes in collections that a batch derives. */
export type EntriesByNode = ReadonlyMap<NodeId, readonly DerivedEntry[]>

/** The scripts that write a node: their names in `NODE_ENTRIES_SCRIPT`, and the text of the new record. */
const NODE_SCRIPTS: ReadonlyMap<
  string,
  readonly [name: string, toText: (args: readonly string[]) => string]
> = new Map([
  [PUT_NODE_SCRIPT, ['put', ([start = '']) => `${start}]`] as const],
  [REPLACE_NODE_SCRIPT, ['replace', ([, text = '']) => text] as const],
  [KEEP_NODE_SCRIPT, ['keep', ([text = '']) => text] as const],
  [DELETE_NODE_SCRIPT, ['delete', ([, , start = '']) => (start === '' ? '' : `${start}]`)] as const],
])

/** Returns the name of each collection of a node, and the time of its entry there; empty if there is none. */
export const toEntryCells = (
  entries: readonly DerivedEntry[],
  members: Parameters<typeof deriveEntry>[1],
): readonly string[] => entries.flatMap(entry => [entry.name, `${deriveEntry(entry, members)?.time ?? ''}`])

/** Returns the entries that a script has saved, without those that never were in a collection. */
export const parseSavedEntries = (
  id: NodeId,
  cells: readonly string[],
  [generation, , ...numbers]: readonly unknown[],
): readonly CollectionEntry[] =>
  numbers.flatMap((number, index) => {
    const [collection = '', time = ''] = cells.slice(2 * index, 2 * index + 2)
    return number === ''
      ? []
      : { id, collection, generation: String(generation), number: String(number), time }
  })

/** A command that writes a node with its entries. */
type EntryStep = { readonly id: NodeId; readonly cells: readonly string[]; readonly note: SavedNote }

/**
 * Sends the commands that write nodes, and derives the entries of these nodes in collections: the script of the
 * node also saves the times of its entries and a recovery note. `finish` then writes them in their shards.
 */
export class EntrySender implements StepSender {
  /** The recovery notes of the nodes. */
  readonly savedNotes = new Set<SavedNote>()
  /** The older recovery notes of the same nodes. */
  readonly oldNotes: OldNotes[] = []
  readonly #sender: StepSender
  readonly #keys: RedisKeys
  readonly #entriesByNode: EntriesByNode
  readonly #saved: CollectionEntry[] = []
  /** The nodes that an earlier attempt to write the batch has written. */
  readonly #knownIds = new Set<NodeId>()

  constructor(sender: StepSender, keys: RedisKeys, entriesByNode: EntriesByNode) {
    this.#sender = sender
    this.#keys = keys
    this.#entriesByNode = entriesByNode
  }

  async sendSettled(commands: readonly Command[]): Promise<readonly CommandReply[]> {
    if (this.#entriesByNode.size === 0) return this.#sender.sendSettled(commands)
    const steps = commands.map(command => this.#toStep(command))
    const replies = await this.#sender.sendSettled(
      commands.map((command, index) => steps[index]?.command ?? command),
    )
    return replies.map((reply, index) => {
      const step = steps[index]
      return step === undefined || reply[0] !== null ? reply : [null, this.#receive(step, reply[1])]
    })
  }

  async send(commands: readonly Command[]): Promise<readonly unknown[]> {
    return unwrapReplies(await this.sendSettled(commands))
  }

  /** Writes the saved entries in their shards. `sender` sends these commands. */
  async finish(sender: StepSender): Promise<void> {
    const { outdated } = await writeEntries(sender, this.#keys, this.#saved)
    const ids = new Set([...outdated.map(({ id }) => id), ...this.#knownIds])
    await Promise.all(Array.from(ids, id => completeEntries(sender, this.#keys, id)))
  }

  #toStep(command: Command): (EntryStep & { readonly command: ScriptCommand }) | undefined {
    const [name, toText] = ('script' in command && NODE_SCRIPTS.get(command.script)) || []
    if (name === undefined || toText === undefined || !('script' in command)) return undefined
    const id = parseId(command.key)
    const [entries, text] = [this.#entriesByNode.get(id), toText(command.args)]
    if (entries === undefined || text === '') return undefined
    const cells = toEntryCells(entries, { members: decodeNode(id, text).fields })
    const note = { source: id, text: encodeEntryNote(entries.map(entry => entry.name)) }
    // An error does not show whether the note was saved.
    this.savedNotes.add(note)
    const keys = [this.#keys.node(id), this.#keys.entries(id), this.#keys.recoveryNotes(id)] as const
    const args = [name, note.text, `${entries.length}`, ...cells, ...command.args]
    const entryCommand = createScriptCommand(NODE_ENTRIES_SCRIPT, [...keys, ...command.keys], args)
    return { id, cells, note, command: entryCommand }
  }

  /** Returns the reply of the script that writes the node. */
  #receive({ id, cells, note }: EntryStep, reply: unknown): unknown {
    const [nodeReply, entriesReply] = parseListReply(reply)
    if (entriesReply === 'known') this.#knownIds.add(id)
    const saved = Array.isArray(entriesReply) ? entriesReply : []
    if (saved.length <= 2) this.savedNotes.delete(note)
    else if (saved[1] !== '') this.oldNotes.push({ source: id, maxScore: String(saved[1]) })
    this.#saved.push(...parseSavedEntries(id, cells, saved))
    return nodeReply
  }
}
