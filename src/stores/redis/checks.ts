import type { Awaitable } from '../../base/awaitable.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { enqueueCollectionChecks } from './collection-range.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import { GENERATION_BYTES, type Generation, parseGeneration, toMember, toMemberWithData } from './encoding.ts'
import type { RedisKeys } from './redis-keys.ts'
import { RoundTrip } from './round-trip.ts'
import type { Shards } from './shards.ts'

/** The member of a list that an edge would have. */
type Lookup = { readonly list: string; readonly member: string }

/**
 * Enqueues lookups of edges, with one command for each list. The result is available after the round trip.
 */
const enqueueLookups = (roundTrip: RoundTrip, lookups: readonly Lookup[]): ((lookup: Lookup) => boolean) => {
  const membersByList = new Map<string, Set<string>>()
  for (const { list, member } of lookups) {
    const members = membersByList.get(list) ?? new Set()
    membersByList.set(list, members.add(member).add(toMemberWithData(member)))
  }
  const readFoundMembers = [...membersByList].map(([list, members]) => {
    const texts = [...members]
    const readReply = roundTrip.enqueue(createCommand('zmscore', list, ...texts))
    return () => {
      const scores = parseListReply(readReply())
      return [list, new Set(texts.filter((_, index) => scores[index] !== null))] as const
    }
  })
  let foundMembers: ReadonlyMap<string, ReadonlySet<string>> | undefined
  return ({ list, member }) => {
    foundMembers ??= new Map(readFoundMembers.map(read => read()))
    const found = foundMembers.get(list)
    return found !== undefined && (found.has(member) || found.has(toMemberWithData(member)))
  }
}

/**
 * Enqueues checks. An edge exists only if its target exists too, because edges to a deleted node may not have
 * been purged yet. The returned function reads the edges to nodes that were deleted before in a second round
 * trip, because only the record of such a node contains the generation that its edges need.
 */
const enqueueEdgeChecks = (
  sender: CommandSender,
  roundTrip: RoundTrip,
  keys: RedisKeys,
  checks: readonly EdgeKey[],
): (() => Awaitable<readonly boolean[]>) => {
  const toLookup = ({ source, name, target }: EdgeKey, generation: Generation): Lookup => ({
    list: keys.list(source, name),
    member: toMember(target, generation),
  })
  const isFound = enqueueLookups(
    roundTrip,
    checks.map(check => toLookup(check, '')),
  )
  const recordEnds = roundTrip.enqueueEach(
    checks.map(({ target }) => target),
    id => createCommand('getrange', keys.node(id), `${-GENERATION_BYTES}`, '-1'),
  )
  return () => {
    const ends = checks.map(({ target }) => String(recordEnds.get(target)?.() ?? ''))
    const later = checks.map((check, index) => toLookup(check, parseGeneration(ends[index] ?? '')))
    const results = checks.map((check, index) => ends[index] !== '' && isFound(toLookup(check, '')))
    const isOfLaterGeneration = (index: number) => parseGeneration(ends[index] ?? '') !== ''
    if (!ends.some((_, index) => isOfLaterGeneration(index))) return results
    const secondRoundTrip = new RoundTrip(sender)
    const isFoundLater = enqueueLookups(
      secondRoundTrip,
      later.filter((_, index) => isOfLaterGeneration(index)),
    )
    return secondRoundTrip.send().then(() =>
      results.map((result, index) => {
        const lookup = later[index]
        return isOfLaterGeneration(index) && lookup !== undefined ? isFoundLater(lookup) : result
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
  checks: readonly EdgeKey[],
): (() => Awaitable<readonly boolean[]>) => {
  const isOfCollection = ({ source }: EdgeKey): boolean => source === ROOT_ID
  if (!checks.some(isOfCollection)) return enqueueEdgeChecks(sender, roundTrip, keys, checks)
  const edges = checks.filter(check => !isOfCollection(check))
  const readEdges = enqueueEdgeChecks(sender, roundTrip, keys, edges)
  const readEntries = enqueueCollectionChecks(roundTrip, keys, shards, checks.filter(isOfCollection))
  return async () => {
    const [edgeResults, entryResults] = [(await readEdges()).values(), readEntries().values()]
    return checks.map(check => (isOfCollection(check) ? entryResults : edgeResults).next().value === true)
  }
}
