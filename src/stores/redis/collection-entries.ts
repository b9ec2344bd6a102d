import type { NodeId } from '../../base/ids.ts'
import { type Command, createScriptCommand, parseListReply } from './commands.ts'
import { groupBy } from './edge-sides.ts'
import { type Generation, parseGeneration, toMember } from './encoding.ts'
import { RAISE_ENTRY_SCRIPT, READ_ENTRIES_SCRIPT, WRITE_ENTRIES_SCRIPT } from './entry-scripts.ts'
import type { RedisKeys } from './redis-keys.ts'
import { readShards, type Shards, shardOf } from './shards.ts'
import type { StepSender } from './write-steps.ts'

/** The entry of a node in a collection, as the node requires it. */
export type CollectionEntry = {
  readonly id: NodeId
  readonly collection: string
  readonly generation: Generation
  /** Grows whenever the time of the entry changes: 16 digits. */
  readonly number: string
  /** Empty if the collection must not contain the node. */
  readonly time: string
  /** The suffix of a last entry that is replaced even if it is larger. */
  readonly replaces?: string
}

/** The number of digits of a number. */
const NUMBER_WIDTH = 16

/** The number of digits of a padded id in a member. */
const PADDED_WIDTH = toMember('0').length

/** Returns the suffix of the member of an entry, after the padded id. It is different for each change. */
export const toEntrySuffix = ({
  generation,
  number,
}: Pick<CollectionEntry, 'generation' | 'number'>): string =>
  `${generation === '' ? '' : `~${generation}`}@${number}`

/** Returns the suffix in the member of an entry. */
export const parseEntrySuffix = (member: string): string => member.slice(PADDED_WIDTH)

const parseSuffix = (suffix: string): Pick<CollectionEntry, 'generation' | 'number'> => {
  const [generation = '', number = ''] = suffix.replace('~', '').split('@')
  return { generation, number }
}

/** Parses the number and the time of an entry, as its node keeps them. */
export const parseEntryText = (text: string): Pick<CollectionEntry, 'number' | 'time'> => {
  const [number = '', time = ''] = text.split(' ')
  return { number, time }
}

/** Creates the commands that write entries, one for each collection and shard, with the indexes of the entries. */
const createEntryCommands = (keys: RedisKeys, shards: Shards, entries: readonly CollectionEntry[]) => {
  const groups = groupBy(
    [...entries.entries()],
    ([, { id, collection }]) => `${shardOf(shards, id)} ${collection}`,
  )
  return [...groups].map(([key, group]) => {
    const space = key.indexOf(' ')
    const [tag, collection] = [key.slice(0, space), key.slice(space + 1)]
    const args = group.flatMap(([, { id, generation, number, time, replaces = '' }]) => [
      toMember(id),
      generation,
      number,
      time,
      replaces,
    ])
    const command = createScriptCommand(
      WRITE_ENTRIES_SCRIPT,
      [
        keys.shardList(tag, collection),
        keys.shardEntries(tag, collection),
        keys.shardRemovals(tag, collection),
      ],
      args,
    )
    return { command, indexes: group.map(([index]) => index) }
  })
}

/** Writes entries in their shards. Returns those that are not newer than the last ones, with their suffixes. */
export const writeEntries = async (
  sender: StepSender,
  keys: RedisKeys,
  entries: readonly CollectionEntry[],
): Promise<{
  readonly commands: readonly Command[]
  readonly outdated: readonly (CollectionEntry & { readonly last: string })[]
}> => {
  if (entries.length === 0) return { commands: [], outdated: [] }
  const groups = createEntryCommands(keys, await readShards(sender, keys), entries)
  const commands = groups.map(({ command }) => command)
  const replies = await sender.send(commands)
  const outdated = groups.flatMap(({ indexes }, at) => {
    const suffixes = parseListReply(replies[at]).map(String)
    return indexes.flatMap((index, position) => {
      const [entry, last] = [entries[index], suffixes[position] ?? '']
      return entry === undefined || last === '' ? [] : { ...entry, last }
    })
  })
  return { commands, outdated }
}

/** Reads the entries of a node as it requires them. A missing node requires none. */
export const readEntries = async (
  sender: StepSender,
  keys: RedisKeys,
  id: NodeId,
): Promise<readonly CollectionEntry[]> => {
  const [reply] = await sender.send([
    createScriptCommand(READ_ENTRIES_SCRIPT, [keys.node(id), keys.entries(id)], []),
  ])
  const [recordEnd, cells] = parseListReply(reply)
  if (recordEnd === '') return []
  return parseEntryCells(id, parseGeneration(String(recordEnd)), parseListReply(cells))
}

/** Parses the names, numbers and times of the entries of one generation of a node. */
const parseEntryCells = (
  id: NodeId,
  generation: Generation,
  cells: readonly unknown[],
): readonly CollectionEntry[] =>
  cells.flatMap((collection, index) =>
    index % 2 === 0
      ? { id, generation, collection: String(collection), ...parseEntryText(String(cells[index + 1])) }
      : [],
  )

const isSameEntry = (a: CollectionEntry, b: CollectionEntry): boolean =>
  a.collection === b.collection && a.generation === b.generation && a.number === b.number

/** How often the lost entries of a node are replaced. Each attempt replaces those that it has found. */
const MAX_ATTEMPTS = 20

/**
 * Makes the entries of a node in its collections as the node requires them now. If a shard has a newer entry of
 * which the node does not know, a failover has lost the newer state of the node: then the node's entry gets a
 * number above it. If the node has changed meanwhile, its writer writes the entry, or its recovery note names it.
 *
 * @throws Error if other writers change the entries all the time.
 */
export const completeEntries = async (sender: StepSender, keys: RedisKeys, id: NodeId): Promise<void> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { outdated } = await writeEntries(sender, keys, await readEntries(sender, keys, id))
    const entries = outdated.length === 0 ? [] : await readEntries(sender, keys, id)
    const lost = outdated.filter(entry => entries.some(other => isSameEntry(entry, other)))
    if (lost.length === 0) return
    await replaceLost(sender, keys, lost)
  }
  throw new Error('other writers changed the entries of a node all the time')
}

/** Replaces last entries of states that a failover has lost. */
const replaceLost = async (
  sender: StepSender,
  keys: RedisKeys,
  entries: readonly (CollectionEntry & { readonly last: string })[],
): Promise<void> => {
  const raises: Command[] = []
  const replacements: CollectionEntry[] = []
  for (const { last, ...entry } of entries) {
    const { id, collection, generation, number, time } = entry
    const lastEntry = parseSuffix(last)
    if (lastEntry.generation !== generation) replacements.push({ ...entry, replaces: last })
    else
      raises.push(
        createScriptCommand(
          RAISE_ENTRY_SCRIPT,
          [keys.node(id), keys.entries(id)],
          [generation, collection, `${number} ${time}`, lastEntry.number],
        ),
      )
  }
  await sender.send(raises)
  await writeEntries(sender, keys, replacements)
}

const toRemoval = (entry: CollectionEntry, lastNumber: string): CollectionEntry => ({
  ...entry,
  number: `${Number(lastNumber) + 1}`.padStart(NUMBER_WIDTH, '0'),
  time: '',
})

/**
 * Removes the entries of a deleted generation of a node, with numbers above theirs, so that no late step writes
 * them again. Returns the commands.
 */
export const removeEntries = async (
  sender: StepSender,
  keys: RedisKeys,
  { id, generation }: { readonly id: NodeId; readonly generation: Generation },
): Promise<readonly Command[]> => {
  const [reply] = await sender.send([
    createScriptCommand(READ_ENTRIES_SCRIPT, [keys.node(id), keys.deletedEntries(id, generation)], []),
  ])
  const entries = parseEntryCells(id, generation, parseListReply(parseListReply(reply)[1]))
  const removals = entries.map(entry => toRemoval(entry, entry.number))
  const { commands, outdated } = await writeEntries(sender, keys, removals)
  // A failover may have lost newer entries of this generation. Those of later generations remain.
  const newer = outdated.flatMap(({ last, ...entry }) => {
    const lastEntry = parseSuffix(last)
    return lastEntry.generation === generation
      ? { ...toRemoval(entry, lastEntry.number), replaces: last }
      : []
  })
  return [...commands, ...(await writeEntries(sender, keys, newer)).commands]
}

/** Removes the last entry of a missing node from its collection. */
export const removeEntry = async (
  sender: StepSender,
  keys: RedisKeys,
  { id, collection, suffix }: { readonly id: NodeId; readonly collection: string; readonly suffix: string },
): Promise<void> => {
  const { generation, number } = parseSuffix(suffix)
  await writeEntries(sender, keys, [toRemoval({ id, collection, generation, number, time: '' }, number)])
}

/** Whether the shards have the entries that a node requires, or newer ones. */
export const hasAllEntries = async (sender: StepSender, keys: RedisKeys, id: NodeId): Promise<boolean> => {
  const entries = await readEntries(sender, keys, id)
  const shards = await readShards(sender, keys)
  const replies = await sender.send(
    entries.map(({ collection }) => {
      const key = keys.shardEntries(shardOf(shards, id), collection)
      return { key, name: 'hget', args: [key, toMember(id)] }
    }),
  )
  return entries.every((entry, index) => {
    const last = parseSuffix(String(replies[index] ?? ''))
    const order = Number(last.generation) - Number(entry.generation)
    return order > 0 || (order === 0 && last.number >= entry.number)
  })
}
