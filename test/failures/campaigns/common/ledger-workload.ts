import type { Mutation } from 'kithgraph'
import { createRandom, type Random } from './random.ts'
import type { schema } from './schema.ts'
import type { CampaignIds } from './state.ts'

export type CampaignMutation = Mutation<typeof schema>

const SHARED_COUNT = 8
const LEAF_COUNT = 6
const FIRST_PHOTO = 101
const FIRST_LEDGER = 201
const FIRST_LEAF = 1001
const LEAF_STRIDE = 100
const MAX_TIME = 1_000_000

const createIds = (first: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${first + index}`)

const PEOPLE = createIds(1, SHARED_COUNT)
const PHOTOS = createIds(FIRST_PHOTO, SHARED_COUNT)

/**
 * The batches of several writers. Each batch depends only on the seed, its writer and its number. The writers
 * share nodes and their lists, but each edge and each leaf belongs to one writer. So the state depends only
 * on the number of batches that each writer has written, which its node in the ledger contains.
 */
export type LedgerWorkload = {
  readonly ids: CampaignIds
  readonly ledgerIds: readonly string[]
  readonly initialBatch: readonly CampaignMutation[]
  createBatch(writer: number, batch: number, attempt: number): readonly CampaignMutation[]
}

const putPerson = (id: string, note: string): CampaignMutation => ({
  op: 'putNode',
  node: { id, type: 'person', fields: { note, rank: Number(note) % 5 } },
})

const pickOwned = <T>(
  random: Random,
  items: readonly T[],
  writer: number,
  writers: number,
): T | undefined => {
  const owned = items.filter((_, index) => index % writers === writer)
  return owned[random.integer(owned.length)]
}

const createPairs = (): readonly (readonly [string, string])[] =>
  PEOPLE.flatMap((first, index) => PEOPLE.slice(index + 1).map(second => [first, second] as const))

const changeFriends = (
  random: Random,
  first: string,
  second: string,
  batch: number,
): readonly CampaignMutation[] => {
  const [source, target] = random.chance(0.5) ? [first, second] : [second, first]
  if (random.chance(0.3))
    return [
      { op: 'deleteEdge', edge: { source, name: 'friends', target } },
      { op: 'deleteEdge', edge: { source, name: 'knows', target } },
    ]
  const time = random.integer(MAX_TIME)
  const data = random.chance(0.5) ? { since: batch } : {}
  return [
    { op: 'putEdge', edge: { source, name: 'friends', target, time, data } },
    { op: 'putEdge', edge: { source, name: 'knows', target, time, data: { since: batch % 5 } } },
  ]
}

const changeLike = (random: Random, person: string, photo: string): CampaignMutation => {
  const edge = random.chance(0.5)
    ? { source: person, name: 'likes' as const, target: photo }
    : { source: photo, name: 'liked_by' as const, target: person }
  if (random.chance(0.3)) return { op: 'deleteEdge', edge }
  return { op: 'putEdge', edge: { ...edge, time: random.integer(MAX_TIME) } }
}

const changeLeaf = (random: Random, leaf: string, batch: number): readonly CampaignMutation[] => {
  if (random.chance(0.3)) return [{ op: 'deleteNode', id: leaf }]
  const hub = PEOPLE[random.integer(SHARED_COUNT)] ?? ''
  const photo = PHOTOS[random.integer(SHARED_COUNT)] ?? ''
  return [
    ...(random.chance(0.3) ? [{ op: 'deleteNode' as const, id: leaf }] : []),
    putPerson(leaf, `${batch}`),
    ...changeFriends(random, leaf, hub, batch),
    changeLike(random, leaf, photo),
  ]
}

/** Creates a workload. */
export const createLedgerWorkload = (seed: number, writers: number): LedgerWorkload => {
  const pairs = createPairs()
  const likes = PEOPLE.flatMap(person => PHOTOS.map(photo => [person, photo] as const))
  const ledgerIds = createIds(FIRST_LEDGER, writers)
  const leavesOf = (writer: number) => createIds(FIRST_LEAF + writer * LEAF_STRIDE, LEAF_COUNT)
  const createChange = (random: Random, writer: number, batch: number): readonly CampaignMutation[] => {
    const [first, second] = pickOwned(random, pairs, writer, writers) ?? []
    const [person, photo] = pickOwned(random, likes, writer, writers) ?? []
    if (random.chance(0.4) && first !== undefined && second !== undefined)
      return changeFriends(random, first, second, batch)
    if (random.chance(0.5) && person !== undefined && photo !== undefined)
      return [changeLike(random, person, photo)]
    return changeLeaf(random, leavesOf(writer)[random.integer(LEAF_COUNT)] ?? '', batch)
  }
  return {
    ids: { people: [...PEOPLE, ...ledgerIds.flatMap((_, writer) => leavesOf(writer))], photos: PHOTOS },
    ledgerIds,
    initialBatch: [
      ...PEOPLE.map(id => putPerson(id, '')),
      ...PHOTOS.map(id => ({ op: 'putNode' as const, node: { id, type: 'photo' as const, fields: {} } })),
      ...ledgerIds.map(id => ({
        op: 'putNode' as const,
        node: { id, type: 'ledger' as const, fields: { batch: 0, attempt: 0 } },
      })),
    ],
    createBatch: (writer, batch, attempt) => {
      const random = createRandom(seed, writer, batch)
      const changes = Array.from({ length: 3 + random.integer(8) }, () => createChange(random, writer, batch))
      return [
        ...changes.flat(),
        { op: 'putNode', node: { id: ledgerIds[writer] ?? '', type: 'ledger', fields: { batch, attempt } } },
      ]
    },
  }
}
