import type { JsonObject } from '../../../../src/base/json.ts'
import type { StoreReadRequest, StoreReadResult } from '../../../../src/store/contract.ts'
import { createRange } from '../../../../src/testing/records.ts'
import { assertLaw } from './campaign.ts'
import { type EdgeName, MIRROR_NAMES } from './schema.ts'

/** The ids that a campaign writes. */
export type CampaignIds = { readonly people: readonly string[]; readonly photos: readonly string[] }

const MAX_ENTRIES = 10_000

const listsOf = ({ people, photos }: CampaignIds): readonly { source: string; name: EdgeName }[] => [
  ...people.flatMap(source => [
    { source, name: 'friends' as const },
    { source, name: 'knows' as const },
    { source, name: 'likes' as const },
  ]),
  ...photos.map(source => ({ source, name: 'liked_by' as const })),
]

/** The further orders and the collection. */
const derivedListsOf = ({ people }: CampaignIds): readonly { source: string; name: string }[] => [
  ...people.map(source => ({ source, name: 'knows#top' })),
  { source: 'root', name: 'people' },
]

const allListsOf = (ids: CampaignIds): readonly { source: string; name: string }[] => [
  ...listsOf(ids),
  ...derivedListsOf(ids),
]

/** Creates a request for all nodes and all lists, and for other nodes. */
export const createStateRequest = (ids: CampaignIds, otherIds: readonly string[] = []): StoreReadRequest => ({
  nodes: [...ids.people, ...ids.photos, ...otherIds],
  ranges: allListsOf(ids).map(({ source, name }) => createRange(source, name, { limit: MAX_ENTRIES })),
  checks: [],
  tokens: [],
})

/** Nodes and entries as texts, by the text of their key. */
export type State = ReadonlyMap<string, string>

const toEdgeText = (source: string, name: string, target: string): string => `${source} ${name} ${target}`

/** Creates the text of an existing edge as a state contains it. */
export const createEdgeValue = (time: number, data: JsonObject | undefined): string =>
  JSON.stringify([time, data === undefined ? null : Object.entries(data).sort()])

const parseEdgeValue = (text: string): { readonly time: number; readonly data: JsonObject } => {
  const [time, members] = JSON.parse(text)
  return { time, data: Object.fromEntries(members ?? []) }
}

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
    const mirrorName = Object.entries(MIRROR_NAMES).find(([own]) => own === name)?.[1]
    if (mirrorName === undefined) return []
    const mirror = state.get(toEdgeText(target, mirrorName, source))
    return mirror === value ? [] : [`${key} is ${value}, and its other side is ${mirror ?? 'missing'}`]
  })

/** Returns the collection and the further orders that the nodes and edges of a state give. */
const deriveEntries = (state: State): State => {
  const entries = new Map<string, string>()
  for (const [key, value] of state) {
    const [source = '', name, target = ''] = key.split(' ')
    if (name === undefined) {
      const { rank } = Object.fromEntries(JSON.parse(value))
      if (rank !== undefined)
        entries.set(toEdgeText('root', 'people', source), createEdgeValue(rank, undefined))
    } else if (name === 'knows') {
      const { time, data } = parseEdgeValue(value)
      const text = createEdgeValue(Number(data.since), { ...data, '#time': time })
      entries.set(toEdgeText(source, 'knows#top', target), text)
    }
  }
  return entries
}

/** Returns the entry of the collection or of an order that differs from its node or edge, in words. */
export const findWrongEntries = (state: State): readonly string[] => {
  const isEntry = ([key]: readonly [string, string]) => key.startsWith('root ') || key.includes('#')
  const difference = findDifference(new Map([...state].filter(isEntry)), deriveEntries(state))
  return difference === undefined ? [] : [difference]
}

/** Returns the lists whose count differs from the number of their entries, in words. */
export const findWrongCounts = (ids: CampaignIds, { ranges }: StoreReadResult): readonly string[] =>
  allListsOf(ids).flatMap(({ source, name }, index) => {
    const { total, entries, hasMore } = ranges[index] ?? { total: undefined, entries: [], hasMore: false }
    if (total === entries.length && !hasMore) return []
    return [`${source} ${name} has ${entries.length} entries, and its count is ${total}`]
  })

/** Converts the result of {@link createStateRequest}. Nodes beyond the ids are left out. */
export const toState = (ids: CampaignIds, { nodes, ranges }: StoreReadResult): State => {
  const state = new Map<string, string>()
  for (const node of nodes.slice(0, ids.people.length + ids.photos.length))
    if (node !== undefined) state.set(node.id, JSON.stringify(Object.entries(node.fields).sort()))
  for (const [index, { source, name }] of allListsOf(ids).entries())
    for (const { target, time, data } of ranges[index]?.entries ?? [])
      state.set(toEdgeText(source, name, target), createEdgeValue(time, data))
  return state
}

/** Returns the wrong counts, the unequal sides and the wrong entries of a result, in words. */
export const findContradictions = (ids: CampaignIds, result: StoreReadResult): readonly string[] => {
  const state = toState(ids, result)
  return [...findWrongCounts(ids, result), ...findUnequalSides(state), ...findWrongEntries(state)]
}

/** Asserts that all counts equal their lists, both sides of each mirrored edge, and all entries their records. */
export const assertWholeState = (ids: CampaignIds, result: StoreReadResult): State => {
  const [wrong] = findContradictions(ids, result)
  assertLaw(wrong === undefined, `${wrong}`)
  return toState(ids, result)
}
