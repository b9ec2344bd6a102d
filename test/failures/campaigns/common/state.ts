import type { EdgeEntry, StoreReadRequest, StoreReadResult } from '../../../../src/store/contract.ts'
import { createRange } from '../../../../src/testing/records.ts'
import { assertLaw } from './campaign.ts'
import { type EdgeName, MIRROR_NAMES } from './schema.ts'

/** The ids that a campaign writes. */
export type CampaignIds = { readonly people: readonly string[]; readonly photos: readonly string[] }

const MAX_ENTRIES = 10_000

const listsOf = ({ people, photos }: CampaignIds): readonly { source: string; name: EdgeName }[] => [
  ...people.flatMap(source => [
    { source, name: 'friends' as const },
    { source, name: 'likes' as const },
  ]),
  ...photos.map(source => ({ source, name: 'liked_by' as const })),
]

/** Creates a request for all nodes and all lists, and for other nodes. */
export const createStateRequest = (ids: CampaignIds, otherIds: readonly string[] = []): StoreReadRequest => ({
  nodes: [...ids.people, ...ids.photos, ...otherIds],
  ranges: listsOf(ids).map(({ source, name }) => createRange(source, name, { limit: MAX_ENTRIES })),
  checks: [],
  tokens: [],
})

/** Nodes and entries as texts, by the text of their key. */
export type State = ReadonlyMap<string, string>

const toEdgeText = (source: string, name: string, target: string): string => `${source} ${name} ${target}`

const toValueText = ({ time, data }: EdgeEntry): string => JSON.stringify([time, data ?? null])

/** Creates the text of an existing edge as a state contains it. */
export const createEdgeValue = (time: number, data: unknown): string => JSON.stringify([time, data ?? null])

/** Returns the first difference between two states, in words. */
export const findDifference = (actual: State, expected: State): string | undefined => {
  for (const key of new Set([...actual.keys(), ...expected.keys()])) {
    const [received, wanted] = [actual.get(key), expected.get(key)]
    if (received !== wanted)
      return `${key}: expected ${wanted ?? 'nothing'}; received ${received ?? 'nothing'}`
  }
  return undefined
}

/** Returns how the two sides of each mirrored edge differ, in words. */
export const findUnequalSides = (state: State): readonly string[] =>
  [...state].flatMap(([key, value]) => {
    const [source = '', name, target = ''] = key.split(' ')
    if (name === undefined) return []
    const mirrorName = Object.entries(MIRROR_NAMES).find(([own]) => own === name)?.[1] ?? ''
    const mirror = state.get(toEdgeText(target, mirrorName, source))
    return mirror === value ? [] : [`${key} is ${value}, and its other side is ${mirror ?? 'missing'}`]
  })

/** Returns the lists whose count differs from the number of their entries, in words. */
export const findWrongCounts = (ids: CampaignIds, { ranges }: StoreReadResult): readonly string[] =>
  listsOf(ids).flatMap(({ source, name }, index) => {
    const { total, entries, hasMore } = ranges[index] ?? { total: undefined, entries: [], hasMore: false }
    if (total === entries.length && !hasMore) return []
    return [`${source} ${name} has ${entries.length} entries, and its count is ${total}`]
  })

/** Converts the result of {@link createStateRequest}. Nodes beyond the ids are left out. */
export const toState = (ids: CampaignIds, { nodes, ranges }: StoreReadResult): State => {
  const state = new Map<string, string>()
  for (const node of nodes.slice(0, ids.people.length + ids.photos.length))
    if (node !== undefined) state.set(node.id, JSON.stringify(Object.entries(node.fields).sort()))
  for (const [index, { source, name }] of listsOf(ids).entries())
    for (const entry of ranges[index]?.entries ?? [])
      state.set(toEdgeText(source, name, entry.target), toValueText(entry))
  return state
}

/** Asserts that all counts equal their lists, and that both sides of each mirrored edge are equal. */
export const assertWholeState = (ids: CampaignIds, result: StoreReadResult): State => {
  const state = toState(ids, result)
  const [wrong] = [...findWrongCounts(ids, result), ...findUnequalSides(state)]
  assertLaw(wrong === undefined, `${wrong}`)
  return state
}
