import { createGraph, defineSchema, edge, field, fieldEquals, isGraphError, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Mutation } from '../../src/store/contract.ts'
import { replaceSeams, seededDraws } from '../helpers/scan-seams.ts'

const OWNER = '1'
const SEED = 20_140_703
const RUNS = process.env.KITHGRAPH_LONG ? 20_000 : 600
/** So many standard deviations by which an estimate may be wrong: with this seed it is less. */
const MARGIN = 4

const schema = defineSchema(
  {
    shelf: node({ edges: { things: edge('thing') } }),
    thing: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
  },
  { viewers: ['shelf'] },
)

/** An entry of the list, of which the newest has the largest time. */
type Entry = { readonly time: number; readonly open: boolean }
type List = readonly Entry[]

const mutationsOf = (list: List): Mutation[] =>
  list.flatMap(({ time, open }): Mutation[] => [
    { op: 'putNode', node: { id: `${time}`, type: 'thing', fields: { open } } },
    { op: 'putEdge', edge: { source: OWNER, name: 'things', target: `${time}`, time } },
  ])

/** The time of an entry by its place from the newest, with room for others between two of them. */
const timeAt = (place: number): number => 10_000 - 10 * place

/** What a viewer can distinguish of what a call returned: not which place an encrypted cursor has. */
const distinguished = (text: string): string => text.replaceAll(/\.[\w-]{60,}/g, '.sealed')

type Chances = ReadonlyMap<string, number>

type Read = (graph: ReturnType<typeof createGraph>, session: object) => Promise<unknown>

/** How often a call has each of its responses over a list, by many draws: the same draws for each list. */
const chancesOf = async (list: List, scan: number, read: Read): Promise<Chances> => {
  const store = createMemoryStore()
  await store.write(
    [{ op: 'putNode', node: { id: OWNER, type: 'shelf', fields: {} } }, ...mutationsOf(list)],
    {
      signal: undefined,
    },
  )
  const graph = createGraph(store, { schema, limits: { scan }, secret: 'the secret of the tests' })
  replaceSeams(graph, { drawUniform: seededDraws(SEED) })
  const session = graph.session({ viewer: undefined, app: 'tests', scopes: [] })
  const times = new Map<string, number>()
  for (let run = 0; run < RUNS; run++) {
    const text = await Reflect.apply(read, undefined, [graph, session]).then(
      (answer: unknown) => distinguished(JSON.stringify(answer)),
      (error: unknown) => (isGraphError(error) ? error.data.reason : Promise.reject(error)),
    )
    times.set(text, (times.get(text) ?? 0) + 1)
  }
  return new Map([...times].map(([text, count]) => [text, count / RUNS]))
}

/** The largest difference of the chances of one response. */
const distance = (one: Chances, other: Chances): number =>
  Math.max(
    ...[...one.keys(), ...other.keys()].map(text => Math.abs((one.get(text) ?? 0) - (other.get(text) ?? 0))),
  )

const margin = (bound: number): number => MARGIN * Math.sqrt(Math.min(1, bound) / RUNS)

/** A list of which all is hidden but for what is at some places. */
const listOf = (length: number, ...visible: readonly number[]): List =>
  Array.from({ length }, (_, place) => ({ time: timeAt(place), open: visible.includes(place) }))

/** Reads a node with so many steps that open its list. */
const nodeBy =
  (fields: string): Read =>
  (graph, session) =>
    Reflect.apply(graph.getNode, undefined, [session, { id: OWNER, fields }])

const aliases = (steps: number): string =>
  Array.from({ length: steps }, (_, index) => `things.as(a${index}){id}`).join()

const CALLS = [
  { name: '1 step', steps: 1, scan: 20, read: nodeBy('things{id}') },
  { name: 'a page and its count', steps: 2, scan: 40, read: nodeBy('things.summary(true){id}') },
  { name: '16 steps', steps: 16, scan: 200, read: nodeBy(aliases(16)) },
] as const

describe('one hidden edge changes the chance of a response by at most 2/limits.scan for each step', () => {
  it.each(CALLS)('in a call of $name', async ({ steps, scan, read }) => {
    // Lists from below the smallest limit that can be drawn to above the largest.
    const first = Math.floor(scan / steps) - 1
    const last = Math.ceil((2 * scan) / steps) + 1
    const chances: Chances[] = []
    for (let length = first; length <= last; length++)
      chances.push(await chancesOf(listOf(length), scan, read))
    for (const more of [1, 2, 3]) {
      const bound = (2 * steps * more) / scan
      const distances = chances
        .slice(more)
        .map((chance, index) => distance(chance, chances[index] ?? new Map()))
      expect(Math.max(...distances)).toBeLessThanOrEqual(bound + margin(bound))
      // The bound is reached: in the middle one edge changes as much.
      if (more === 1) expect(Math.max(...distances)).toBeGreaterThan(0.8 * bound - margin(bound))
    }
    // The shortest list never fails, the longest always does.
    expect([...(chances[0]?.keys() ?? [])]).not.toContain('too_costly')
    expect([...(chances.at(-1)?.keys() ?? [])]).toEqual(['too_costly'])
  })

  it('in a page of getEdge that ends at the limit', async () => {
    const scan = 20
    const read: Read = (graph, session) =>
      Reflect.apply(graph.getEdge, undefined, [
        session,
        { id: OWNER, edge: 'things', limit: 5, fields: 'id' },
      ])
    const base = listOf(60, 3, 22, 30, 36)
    const expected = await chancesOf(base, scan, read)
    // As many visible entries as are in front of the limit, and never a failure.
    expect(expected.size).toBeGreaterThan(3)
    expect([...expected.keys()]).not.toContain('too_costly')
    for (const more of [1, 2]) {
      const bound = (2 * more) / scan
      const distances: number[] = []
      for (const place of [0, 4, 25, 33, 40]) {
        const added = Array.from({ length: more }, (_, index) => ({
          time: timeAt(place) + 1 + index,
          open: false,
        }))
        distances.push(distance(expected, await chancesOf([...base, ...added], scan, read)))
      }
      expect(Math.max(...distances)).toBeLessThanOrEqual(bound + margin(bound))
      expect(Math.max(...distances)).toBeGreaterThan(bound / 4)
    }
  })
})
