import type { Awaitable } from '../../base/awaitable.ts'
import type { EdgeCheck, EdgeRecord } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { enqueueCollectionChecks } from './collection-range.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, createScriptCommand, parseListReply } from './commands.ts'
import { GENERATION_BYTES, type Generation, parseGeneration, toMember, toMemberWithData } from './encoding.ts'
import { READ_EDGES_SCRIPT } from './read-scripts.ts'
import type { RedisKeys } from './redis-keys.ts'
import { RoundTrip } from './round-trip.ts'
import type { Shards } from './shards.ts'
import { decodeData } from './stored-json.ts'

/** The member of a list that an edge would have. With the key of its data, the record of the edge is read too. */
type Lookup = { readonly list: string; readonly member: string; readonly dataKey: string | undefined }

/** The time and the data of an edge. */
type EdgeContent = Pick<EdgeRecord, 'time' | 'data'>

/** The edges of one list that are found, by member. The content is undefined if it is not read. */
type FoundMembers = ReadonlyMap<string, EdgeContent | undefined>

/** Enqueues lookups of the members of one list. */
const enqueueMembers = (
  roundTrip: RoundTrip,
  list: string,
  members: readonly string[],
): (() => FoundMembers) => {
  const texts = members.flatMap(member => [member, toMemberWithData(member)])
  const readReply = roundTrip.enqueue(createCommand('zmscore', list, ...texts))
  return () => {
    const scores = parseListReply(readReply())
    const isFound = (index: number): boolean => scores[index] !== null
    const found = members.filter((_, index) => isFound(2 * index) || isFound(2 * index + 1))
    return new Map(found.map(member => [member, undefined]))
  }
}

const toContent = (time: string, text: string): EdgeContent => ({
  time: Number(time),
  data: text === '' ? undefined : decodeData(text)[1],
})

/** Enqueues an atomic read of the members of one list with their data. */
const enqueueContents = (
  roundTrip: RoundTrip,
  list: string,
  dataKey: string,
  members: readonly string[],
): (() => FoundMembers) => {
  const readReply = roundTrip.enqueue(createScriptCommand(READ_EDGES_SCRIPT, [list, dataKey], members))
  return () => {
    const cells = parseListReply(readReply()).map(String)
    return new Map(
      members.flatMap((member, index) => {
        const [time = '', text = ''] = [cells[2 * index], cells[2 * index + 1]]
        return time === '' ? [] : [[member, toContent(time, text)] as const]
      }),
    )
  }
}

/**
 * Enqueues lookups of edges, with one command for each list. The result is available after the round trip: false if
 * the edge does not exist, otherwise true or, for a lookup of its data, its content.
 */
const enqueueLookups = (
  roundTrip: RoundTrip,
  lookups: readonly Lookup[],
): ((lookup: Lookup) => boolean | EdgeContent) => {
  const membersByList = new Map<string, Set<string>>()
  const dataKeys = new Map<string, string>()
  for (const { list, member, dataKey } of lookups) {
    membersByList.set(list, (membersByList.get(list) ?? new Set()).add(member))
    if (dataKey !== undefined) dataKeys.set(list, dataKey)
  }
  const readers = [...membersByList].map(([list, members]) => {
    const dataKey = dataKeys.get(list)
    const read =
      dataKey === undefined
        ? enqueueMembers(roundTrip, list, [...members])
        : enqueueContents(roundTrip, list, dataKey, [...members])
    return [list, read] as const
  })
  let foundMembers: ReadonlyMap<string, FoundMembers> | undefined
  return ({ list, member, dataKey }) => {
    foundMembers ??= new Map(readers.map(([key, read]) => [key, read()]))
    const found = foundMembers.get(list)
    if (found === undefined || !found.has(member)) return false
    return dataKey === undefined || (found.get(member) ?? true)
  }
}

const toLookup = (
  keys: RedisKeys,
  { source, name, target, data }: EdgeCheck,
  generation: Generation,
): Lookup => ({
  list: keys.list(source, name),
  member: toMember(target, generation),
  dataKey: data === true ? keys.edgeData(source, name) : undefined,
})

/** Returns the result of a check: the record of the edge if its content was read. */
const toCheckResult = (
  { source, name, target }: EdgeCheck,
  found: boolean | EdgeContent,
): boolean | EdgeRecord => (typeof found === 'boolean' ? found : { source, name, target, ...found })

/**
 * Enqueues checks. An edge exists only if its target exists too, because edges to a deleted node may not have
 * been purged yet. The returned function reads the edges to nodes that were deleted before in a second round
 * trip, because only the record of such a node contains the generation that its edges need.
 */
const enqueueEdgeChecks = (
  sender: CommandSender,
  roundTrip: RoundTrip,
  keys: RedisKeys,
  checks: readonly EdgeCheck[],
): (() => Awaitable<readonly (boolean | EdgeRecord)[]>) => {
  const firstLookups = checks.map(check => toLookup(keys, check, ''))
  const find = enqueueLookups(roundTrip, firstLookups)
  const recordEnds = roundTrip.enqueueEach(
    checks.map(({ target }) => target),
    id => createCommand('getrange', keys.node(id), `${-GENERATION_BYTES}`, '-1'),
  )
  return () => {
    const ends = checks.map(({ target }) => String(recordEnds.get(target)?.() ?? ''))
    const later = checks.map((check, index) => toLookup(keys, check, parseGeneration(ends[index] ?? '')))
    const results = checks.map((check, index) => {
      const lookup = firstLookups[index]
      return ends[index] !== '' && lookup !== undefined && toCheckResult(check, find(lookup))
    })
    const isOfLaterGeneration = (index: number) => parseGeneration(ends[index] ?? '') !== ''
    if (!ends.some((_, index) => isOfLaterGeneration(index))) return results
    const secondRoundTrip = new RoundTrip(sender)
    const findLater = enqueueLookups(
      secondRoundTrip,
      later.filter((_, index) => isOfLaterGeneration(index)),
    )
    return secondRoundTrip.send().then(() =>
      checks.map((check, index) => {
        const lookup = later[index]
        return isOfLaterGeneration(index) && lookup !== undefined
          ? toCheckResult(check, findLater(lookup))
          : (results[index] ?? false)
      }),
    )
  }
}

/** Enqueues checks of edges and of entries of collections. */
export const enqueueChecks = (
  sender: CommandSender,
  roundTrip: RoundTrip,
  keys: RedisKeys,
  shards: Shards,
  checks: readonly EdgeCheck[],
): (() => Awaitable<readonly (boolean | EdgeRecord)[]>) => {
  const isOfCollection = ({ source }: EdgeCheck): boolean => source === ROOT_ID
  if (!checks.some(isOfCollection)) return enqueueEdgeChecks(sender, roundTrip, keys, checks)
  const edges = checks.filter(check => !isOfCollection(check))
  const readEdges = enqueueEdgeChecks(sender, roundTrip, keys, edges)
  const readEntries = enqueueCollectionChecks(roundTrip, keys, shards, checks.filter(isOfCollection))
  return async () => {
    const [edgeResults, entryResults] = [(await readEdges()).values(), readEntries().values()]
    return checks.map(check => (isOfCollection(check) ? entryResults : edgeResults).next().value ?? false)
  }
}
