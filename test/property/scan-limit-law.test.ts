import { canSee, createGraph, defineSchema, edge, field, fieldEquals, isGraphError, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { ID_KINDS, idOf } from '../helpers/id-kinds.ts'
import { createSeededDraw, overrideScan } from '../helpers/scan-overrides.ts'
import { callUntyped } from '../unit/abuse/expect-graph-error.ts'

const ownerOf = (kind: IdKind): string => idOf(kind, 'shelf', '1')
const SEED = 20_140_703
const RUNS = process.env.KITHGRAPH_LONG ? 20_000 : 200
/** The margin of error of an estimate in standard deviations. With this seed, the error is smaller. */
const MARGIN = 4

const types = {
  shelf: node({ edges: { things: edge('thing'), notes: edge('note') } }),
  note: node({ policy: [canSee('shelf')], fields: { shelf: field.ref('shelf') } }),
  thing: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
}

const SCHEMAS = {
  digits: defineSchema(types, { viewers: ['shelf'] }),
  named: defineSchema(types, { viewers: ['shelf'], ids: 'named' }),
}

/** An entry of the list. The newest entry has the largest time. */
type Entry = { readonly time: number; readonly open: boolean }
type List = readonly Entry[]

/** The ids of notes are above those of things. */
const NOTES = 1_000_000

const mutationsOf = (kind: IdKind, list: List): StoreMutation[] =>
  list.flatMap(({ time, open }): StoreMutation[] => {
    const owner = ownerOf(kind)
    const [thing, note] = [idOf(kind, 'thing', `${time}`), idOf(kind, 'note', `${NOTES + time}`)]
    return [
      { op: 'putNode', node: { id: thing, type: 'thing', fields: { open } } },
      { op: 'putEdge', edge: { source: owner, name: 'things', target: thing, time } },
      { op: 'putNode', node: { id: note, type: 'note', fields: open ? { shelf: owner } : {} } },
      { op: 'putEdge', edge: { source: owner, name: 'notes', target: note, time } },
    ]
  })

/** Returns the time of an entry by its index from the newest. There are unused times between two entries. */
const timeAt = (index: number): number => 10_000 - 10 * index

/** Removes encrypted cursors from a result, because a viewer cannot read their positions. */
const maskCursors = (text: string): string => text.replaceAll(/\.[\w-]{60,}/g, '.encrypted')

type Chances = ReadonlyMap<string, number>

type Read = (kind: IdKind, graph: object, session: object) => Promise<unknown>

/**
 * Measures the frequency of each result of a call over many drawn limits, which are the same for each list.
 */
const measureChances = async (kind: IdKind, list: List, scan: number, read: Read): Promise<Chances> => {
  const store = createMemoryStore()
  await store.write(
    [{ op: 'putNode', node: { id: ownerOf(kind), type: 'shelf', fields: {} } }, ...mutationsOf(kind, list)],
    {
      signal: undefined,
    },
  )
  const graph = createGraph(store, {
    schema: SCHEMAS[kind],
    limits: { scan },
    secret: 'the secret of the tests',
  })
  overrideScan(graph, { drawUniform: createSeededDraw(SEED) })
  const session = graph.session({ viewer: undefined, app: 'tests', scopes: [] })
  const times = new Map<string, number>()
  for (let run = 0; run < RUNS; run++) {
    const text = await read(kind, graph, session).then(
      (result: unknown) => maskCursors(JSON.stringify(result)),
      (error: unknown) => (isGraphError(error) ? error.reason : Promise.reject(error)),
    )
    times.set(text, (times.get(text) ?? 0) + 1)
  }
  return new Map([...times].map(([text, count]) => [text, count / RUNS]))
}

/** Returns the largest difference between the chances of one result. */
const distance = (one: Chances, other: Chances): number =>
  Math.max(
    ...[...one.keys(), ...other.keys()].map(text => Math.abs((one.get(text) ?? 0) - (other.get(text) ?? 0))),
  )

const allowedMargin = (bound: number): number => MARGIN * Math.sqrt(Math.min(1, bound) / RUNS)

/** Creates a list with visible entries at the given positions. All other entries are hidden. */
const createList = (length: number, ...visible: readonly number[]): List =>
  Array.from({ length }, (_, position) => ({ time: timeAt(position), open: visible.includes(position) }))

/** Creates a read of the node with the given fields. */
const readNodeWith =
  (fields: string): Read =>
  (kind, graph, session) =>
    callUntyped(Object(graph).getNode, session, { id: ownerOf(kind), fields })

const aliases = (steps: number): string =>
  Array.from({ length: steps }, (_, index) => `things.as(a${index}){id}`).join()

const CALLS = [
  { name: '1 step', kinds: ['digits'], weight: 1, scan: 20, read: readNodeWith('things{id}') },
  {
    name: 'a page and its count',
    kinds: ['digits'],
    weight: 2,
    scan: 40,
    read: readNodeWith('things.summary(true){id}'),
  },
  { name: '16 steps', kinds: ['digits'], weight: 16, scan: 200, read: readNodeWith(aliases(16)) },
  {
    name: 'canSee, which counts each edge twice',
    kinds: ID_KINDS,
    weight: 2,
    scan: 40,
    read: readNodeWith('notes{id}'),
  },
] as const

/** The kind of the ids matters only for the rule that reads the id of another node. */
const CASES = CALLS.flatMap(call => call.kinds.map(kind => ({ ...call, kind })))

describe('one hidden edge changes the probability of a response by at most 2/limits.scan per step', () => {
  it.each(CASES)('in a call with $name, with the ids $kind', async ({ kind, weight, scan, read }) => {
    // The lengths begin below the smallest limit that can be drawn, and end above the largest.
    const first = Math.floor(scan / weight) - 1
    const last = Math.ceil((2 * scan) / weight) + 1
    const chances: Chances[] = []
    for (let length = first; length <= last; length++)
      chances.push(await measureChances(kind, createList(length), scan, read))
    for (const extra of [1, 2, 3]) {
      const bound = (2 * weight * extra) / scan
      const distances = chances
        .slice(extra)
        .map((chance, index) => distance(chance, chances[index] ?? new Map()))
      expect(Math.max(...distances)).toBeLessThanOrEqual(bound + allowedMargin(bound))
      // The bound is tight: for some length, one more edge changes almost that much.
      if (extra === 1) expect(Math.max(...distances)).toBeGreaterThan(0.8 * bound - allowedMargin(bound))
    }
    // A call never fails for the shortest list, and always fails for the longest.
    expect([...(chances[0]?.keys() ?? [])]).not.toContain('query_too_expensive')
    expect([...(chances.at(-1)?.keys() ?? [])]).toEqual(['query_too_expensive'])
  })

  it.each(ID_KINDS)('in a page of getEdge that ends at the limit, with the ids %s', async kind => {
    const scan = 20
    const read: Read = (_, graph, session) =>
      callUntyped(Object(graph).getEdge, session, {
        id: ownerOf(kind),
        edge: 'things',
        limit: 5,
        fields: 'id',
      })
    const base = createList(60, 3, 22, 30, 36)
    const expected = await measureChances(kind, base, scan, read)
    // The page has the visible entries before the limit, and the call never fails.
    expect(expected.size).toBeGreaterThan(3)
    expect([...expected.keys()]).not.toContain('query_too_expensive')
    for (const extra of [1, 2]) {
      const bound = (2 * extra) / scan
      const distances: number[] = []
      for (const position of [0, 4, 25, 33, 40]) {
        const added = Array.from({ length: extra }, (_, index) => ({
          time: timeAt(position) + 1 + index,
          open: false,
        }))
        distances.push(distance(expected, await measureChances(kind, [...base, ...added], scan, read)))
      }
      expect(Math.max(...distances)).toBeLessThanOrEqual(bound + allowedMargin(bound))
      expect(Math.max(...distances)).toBeGreaterThan(bound / 4)
    }
  })
})
