import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import { idKinds } from '../helpers/id-kinds.ts'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'
import { createWrittenGraph } from '../unit/write/written-graph.ts'
import { propertySettings } from './property-settings.ts'
import {
  ABSENT,
  edgesOf,
  graph,
  type LoadLine,
  type NodeInput,
  SOCIAL_SCHEMAS,
  withLineIds,
} from './social-lines.ts'

/** A kind of ids, and a valid graph with such ids. */
const kindAndGraph = fc
  .tuple(idKinds, graph)
  .map(([kind, lines]) => [kind, withLineIds(kind, lines)] as const)

const toLines = (lines: readonly unknown[]): string => lines.map(line => `${JSON.stringify(line)}\n`).join('')

const loadIntoStore = async (
  kind: IdKind,
  source: Parameters<ReturnType<typeof createWrittenGraph>['load']>[0],
) => {
  const { load, store } = createWrittenGraph(SOCIAL_SCHEMAS[kind])
  await load(source, { batch: 5 })
  return [...store.dump()].sort()
}

/** Splits a text or bytes at the given positions, which are fractions of its length. */
const splitRandomly = <T extends { readonly length: number; slice(start: number, end: number): T }>(
  whole: T,
  shares: readonly number[],
): readonly T[] => {
  const positions = [0, ...shares.map(share => Math.floor(share * whole.length)), whole.length].sort(
    (a, b) => a - b,
  )
  return positions.slice(1).map((end, index) => whole.slice(positions[index] ?? 0, end))
}

describe('a valid graph', () => {
  it('is loaded, and every record is counted', () =>
    fc.assert(
      fc.asyncProperty(kindAndGraph, fc.integer({ min: 1, max: 7 }), async ([kind, lines], batch) => {
        const { load, records } = createWrittenGraph(SOCIAL_SCHEMAS[kind])
        const nodes = lines.filter(line => 'node' in line).length
        const counts = await load(lines, { batch })
        expect(counts).toEqual({ nodes, edges: lines.length - nodes, skipped: 0 })
        expect(records().length).toBeGreaterThanOrEqual(nodes)
      }),
      propertySettings(),
    ))

  it('has the reverse of each symmetric or inverse edge, with the same time, after it is loaded', () =>
    fc.assert(
      fc.asyncProperty(kindAndGraph, async ([kind, lines]) => {
        const types = new Map(lines.flatMap(line => ('node' in line ? [[line.node.id, line.node.type]] : [])))
        const dump = await loadIntoStore(kind, lines)
        for (const text of dump) {
          const { edge } = JSON.parse(text)
          const spec = edge && edgesOf(types.get(edge.source) ?? '')[edge.name]
          const mirror = spec?.symmetric ? edge.name : spec?.inverse
          if (mirror === undefined) continue
          const mirrored = { source: edge.target, name: mirror, target: edge.source, time: edge.time }
          expect(dump).toContain(`${JSON.stringify({ edge: mirrored })}\n`)
        }
      }),
      propertySettings(),
    ))

  it('is the same after a dump and a load, and loading its own dump changes nothing', () =>
    fc.assert(
      fc.asyncProperty(kindAndGraph, async ([kind, lines]) => {
        const { load, store } = createWrittenGraph(SOCIAL_SCHEMAS[kind])
        await load(lines)
        const dump = [...store.dump()]
        expect(await loadIntoStore(kind, dump)).toEqual(dump.toSorted())
        await load(dump)
        expect([...store.dump()]).toEqual(dump)
      }),
      propertySettings(),
    ))

  it('is loaded with the same result, however its text or bytes are divided', () =>
    fc.assert(
      fc.asyncProperty(
        kindAndGraph,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        async ([kind, lines], shares) => {
          const text = toLines(lines)
          const whole = await loadIntoStore(kind, lines)
          expect(await loadIntoStore(kind, splitRandomly(text, shares))).toEqual(whole)
          expect(await loadIntoStore(kind, splitRandomly(new TextEncoder().encode(text), shares))).toEqual(
            whole,
          )
        },
      ),
      propertySettings(),
    ))
})

type Corruption = (line: LoadLine) => unknown

const corruptNode =
  (change: (node: NodeInput) => object): Corruption =>
  line =>
    'node' in line ? { node: { ...line.node, ...change(line.node) } } : undefined
const corruptEdge =
  (change: object): Corruption =>
  line =>
    'edge' in line ? { edge: { ...line.edge, ...change } } : undefined

/**
 * Changes that make a valid record invalid. A change returns `undefined` for a record to which it does not
 * apply.
 */
const CORRUPTIONS: readonly Corruption[] = [
  () => null,
  line => ({ ...line, extra: 1 }),
  line => ({ ...line, node: {}, edge: {} }),
  corruptNode(({ id }) => ({ id: Number(id) })),
  corruptNode(({ id }) => ({ id: `0${id}` })),
  corruptNode(({ id }) => ({ id: id.includes('-') ? id.slice(id.indexOf('-') + 1) : `user-${id}` })),
  corruptNode(({ id }) => ({ id: `other-${id}` })),
  corruptNode(({ type }) => ({ type: `${type}s` })),
  corruptNode(() => ({ type: '__proto__' })),
  corruptNode(() => ({ fields: null })),
  corruptNode(({ fields }) => ({ fields: { ...fields, colour: 'red' } })),
  corruptNode(({ fields }) => ({ fields: { ...fields, picture: { url: '/', width: 0, height: 1 } } })),
  corruptNode(({ fields }) => ({
    fields: { ...fields, name: '\udfff', message: '\udfff', images: '\udfff' },
  })),
  corruptNode(({ fields }) => ({ fields: { ...fields, name: null, from: null } })),
  corruptNode(({ fields }) => ({ fields: { ...fields, age_range: { min: 21 }, viewer_likes: true } })),
  corruptEdge({ source: ABSENT }),
  corruptEdge({ target: ABSENT }),
  corruptEdge({ target: 7 }),
  corruptEdge({ name: 'shares' }),
  corruptEdge({ name: 'constructor' }),
  corruptEdge({ time: undefined }),
  corruptEdge({ time: 0.5 }),
  corruptEdge({ time: 'soon' }),
  corruptEdge({ data: { note: 'x' } }),
]

describe('a graph with one invalid record', () => {
  it('is rejected with the number of its line, and the store stays unchanged', () =>
    fc.assert(
      fc.asyncProperty(
        kindAndGraph,
        graph,
        fc.nat(),
        fc.constantFrom(...CORRUPTIONS.keys()),
        async ([kind, before], given, position, corruption) => {
          const lines = withLineIds(kind, given)
          const at = position % lines.length
          const good = lines[at]
          const bad = good && CORRUPTIONS[corruption]?.(good)
          fc.pre(bad !== undefined)
          const { load, store } = createWrittenGraph(SOCIAL_SCHEMAS[kind])
          await load(before)
          const dump = [...store.dump()]
          const isFresh = lines.every(line => !('node' in line) || !toLines(before).includes(line.node.id))
          fc.pre(isFresh)
          const error = await expectGraphError(load(lines.with(at, bad as LoadLine)))
          expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_mutation', line: at + 1 })
          expect([...store.dump()]).toEqual(dump)
        },
      ),
      propertySettings(300),
    ))

  it('is loaded with each record counted as loaded or skipped if onError returns "skip"', () =>
    fc.assert(
      fc.asyncProperty(kindAndGraph, fc.nat(), async ([kind, lines], position) => {
        const at = position % lines.length
        const bad = lines.with(at, { node: { id: '0', type: 'user', fields: {} } })
        const { load } = createWrittenGraph(SOCIAL_SCHEMAS[kind])
        const { nodes, edges, skipped } = await load(bad, { onError: () => 'skip' })
        expect(skipped).toBeGreaterThanOrEqual(1)
        expect(nodes + edges + skipped).toBe(lines.length)
      }),
      propertySettings(),
    ))
})
