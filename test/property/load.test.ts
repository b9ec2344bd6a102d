import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultOf } from '../unit/abuse/fault-of.ts'
import { createWrittenGraph } from '../unit/write/written-graph.ts'
import { settings } from './settings.ts'
import { ABSENT, edgesOf, graph, type Line, type NodeInput } from './social-lines.ts'

const linesOf = (lines: readonly unknown[]): string => lines.map(line => `${JSON.stringify(line)}\n`).join('')

const loaded = async (source: Parameters<ReturnType<typeof createWrittenGraph>['load']>[0]) => {
  const { load, store } = createWrittenGraph()
  await load(source, { batch: 5 })
  return [...store.dump()].sort()
}

/** Cuts a text or bytes at the given places, given as shares of its length. */
const cut = <T extends { readonly length: number; slice(start: number, end: number): T }>(
  whole: T,
  shares: readonly number[],
): readonly T[] => {
  const places = [0, ...shares.map(share => Math.floor(share * whole.length)), whole.length].sort(
    (a, b) => a - b,
  )
  return places.slice(1).map((end, index) => whole.slice(places[index] ?? 0, end))
}

describe('a good graph', () => {
  it('loads, and every record of it is counted', () =>
    fc.assert(
      fc.asyncProperty(graph, fc.integer({ min: 1, max: 7 }), async (lines, batch) => {
        const { load, records } = createWrittenGraph()
        const nodes = lines.filter(line => 'node' in line).length
        const counts = await load(lines, { batch })
        expect(counts).toEqual({ nodes, edges: lines.length - nodes, skipped: 0 })
        expect(records().length).toBeGreaterThanOrEqual(nodes)
      }),
      settings(),
    ))

  it('has the mirror of every edge, at the same time', () =>
    fc.assert(
      fc.asyncProperty(graph, async lines => {
        const types = new Map(lines.flatMap(line => ('node' in line ? [[line.node.id, line.node.type]] : [])))
        const dump = await loaded(lines)
        for (const text of dump) {
          const { edge } = JSON.parse(text)
          const spec = edge && edgesOf(types.get(edge.source) ?? '')[edge.name]
          const mirror = spec?.symmetric ? edge.name : spec?.inverse
          if (mirror === undefined) continue
          const mirrored = { source: edge.target, name: mirror, target: edge.source, time: edge.time }
          expect(dump).toContain(`${JSON.stringify({ edge: mirrored })}\n`)
        }
      }),
      settings(),
    ))

  it('is the same loaded again from its dump, and loading the dump where it came from changes nothing', () =>
    fc.assert(
      fc.asyncProperty(graph, async lines => {
        const { load, store } = createWrittenGraph()
        await load(lines)
        const dump = [...store.dump()]
        expect(await loaded(dump)).toEqual(dump.toSorted())
        await load(dump)
        expect([...store.dump()]).toEqual(dump)
      }),
      settings(),
    ))

  it('is the same however its text or its bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(
        graph,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        async (lines, shares) => {
          const text = linesOf(lines)
          const whole = await loaded(lines)
          expect(await loaded(cut(text, shares))).toEqual(whole)
          expect(await loaded(cut(new TextEncoder().encode(text), shares))).toEqual(whole)
        },
      ),
      settings(),
    ))
})

type Corruption = (line: Line) => unknown

const ofNode =
  (change: (node: NodeInput) => object): Corruption =>
  line =>
    'node' in line ? { node: { ...line.node, ...change(line.node) } } : undefined
const ofEdge =
  (change: object): Corruption =>
  line =>
    'edge' in line ? { edge: { ...line.edge, ...change } } : undefined

/** What makes a good record a bad one; undefined where it does not apply to the record. */
const CORRUPTIONS: readonly Corruption[] = [
  () => null,
  line => ({ ...line, more: 1 }),
  line => ({ ...line, node: {}, edge: {} }),
  ofNode(({ id }) => ({ id: Number(id) })),
  ofNode(({ id }) => ({ id: `0${id}` })),
  ofNode(({ type }) => ({ type: `${type}s` })),
  ofNode(() => ({ type: '__proto__' })),
  ofNode(() => ({ fields: null })),
  ofNode(({ fields }) => ({ fields: { ...fields, colour: 'red' } })),
  ofNode(({ fields }) => ({ fields: { ...fields, picture: { url: '/', width: 0, height: 1 } } })),
  ofNode(({ fields }) => ({ fields: { ...fields, name: '\udfff', message: '\udfff', images: '\udfff' } })),
  ofNode(({ fields }) => ({ fields: { ...fields, name: null, from: null } })),
  ofNode(({ fields }) => ({ fields: { ...fields, age_range: { min: 21 }, viewer_likes: true } })),
  ofEdge({ source: ABSENT }),
  ofEdge({ target: ABSENT }),
  ofEdge({ target: 7 }),
  ofEdge({ name: 'shares' }),
  ofEdge({ name: 'constructor' }),
  ofEdge({ time: undefined }),
  ofEdge({ time: 0.5 }),
  ofEdge({ time: 'soon' }),
  ofEdge({ data: { note: 'x' } }),
]

describe('a graph with one corrupted record', () => {
  it('is refused with its line, and the store is left as it was', () =>
    fc.assert(
      fc.asyncProperty(
        graph,
        graph,
        fc.nat(),
        fc.constantFrom(...CORRUPTIONS.keys()),
        async (before, lines, place, kind) => {
          const at = place % lines.length
          const good = lines[at]
          const bad = good && CORRUPTIONS[kind]?.(good)
          fc.pre(bad !== undefined)
          const { load, store } = createWrittenGraph()
          await load(before)
          const dump = [...store.dump()]
          const isFresh = lines.every(line => !('node' in line) || !linesOf(before).includes(line.node.id))
          fc.pre(isFresh)
          const error = await faultOf(load(lines.with(at, bad as Line)))
          expect(error.data).toMatchObject({ reason: 'invalid_mutation', line: at + 1 })
          expect([...store.dump()]).toEqual(dump)
        },
      ),
      settings(300),
    ))

  it('loads without that record, and those that need it, where faults are skipped', () =>
    fc.assert(
      fc.asyncProperty(graph, fc.nat(), async (lines, place) => {
        const at = place % lines.length
        const bad = lines.with(at, { node: { id: '0', type: 'user', fields: {} } })
        const { load } = createWrittenGraph()
        const { nodes, edges, skipped } = await load(bad, { onFault: () => 'skip' })
        expect(skipped).toBeGreaterThanOrEqual(1)
        expect(nodes + edges + skipped).toBe(lines.length)
      }),
      settings(),
    ))
})
