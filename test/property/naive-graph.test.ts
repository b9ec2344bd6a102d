import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EdgeRange, EdgeSlice, Store, WaveAnswer } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ask, askNaive, outcomeOf } from '../helpers/ask.ts'
import { Cursor } from '../helpers/naive-graph/answer.ts'
import { CursorBook } from '../helpers/naive-graph/cursor-book.ts'
import { NaiveGraph } from '../helpers/naive-graph/naive-graph.ts'
import { printItems } from '../helpers/naive-graph/query.ts'
import { type Seen, seenOf } from '../helpers/naive-graph/seen.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { type OpenOptions, openWorld } from '../helpers/open-world.ts'
import { withIds } from '../helpers/probes.ts'
import { nameIn, scopedOptions } from '../helpers/public-ids.ts'
import { inquiries, type Question } from '../helpers/query-arbitraries.ts'
import { settings } from './settings.ts'

type Opened = Awaited<ReturnType<typeof openWorld>>
type EdgeQuestion = Question & { readonly method: 'getEdge' }

/** The cursors of a page that the naive graph answered. */
const cursorsIn = (page: object): readonly (readonly ['after' | 'before', Cursor])[] => {
  const { paging } = Object.assign({ paging: { cursors: {} } }, page)
  return Object.entries(paging.cursors).flatMap(([name, cursor]) =>
    cursor instanceof Cursor && (name === 'after' || name === 'before') ? [[name, cursor] as const] : [],
  )
}

/** Compares the answers of a graph with those of the naive one: their texts, so that the order of keys counts. */
class Comparison {
  readonly #opened: Opened
  readonly #naive: NaiveGraph
  readonly #cursors = new CursorBook()

  constructor(opened: Opened, naive: NaiveGraph) {
    this.#opened = opened
    this.#naive = naive
  }

  async ask(question: Question): Promise<void> {
    const { graph, session } = this.#opened
    const outcome = await outcomeOf(() => ask(graph, session, question))
    const naive = await outcomeOf(() => askNaive(this.#naive, question))
    const expected = this.#cursors.translate(naive, outcome)
    // Of several ids the order of the keys is not promised.
    if (question.method === 'getNodes') expect(outcome).toEqual(expected)
    else expect(JSON.stringify(outcome)).toBe(JSON.stringify(expected))
    if (question.method === 'getEdge' && 'answer' in naive) await this.#follow(question, Object(naive.answer))
  }

  /** The pages in front of a page and behind it. */
  async #follow(question: EdgeQuestion, page: object): Promise<void> {
    const { graph, session } = this.#opened
    const { method: _, style, fields: items, ...call } = question
    const fields = items.length === 0 ? undefined : printItems(items, style)
    for (const [side, cursor] of cursorsIn(page)) {
      const text = this.#cursors.textOf(cursor)
      const answer = await graph.getEdge(session, { ...call, fields, [side]: text })
      const naive = this.#naive.getEdge({ ...question, [side]: cursor.position })
      expect(JSON.stringify(answer)).toBe(JSON.stringify(this.#cursors.translate(naive, answer)))
    }
  }
}

type CompareOptions = OpenOptions & { readonly cost?: number | undefined; readonly seen?: Seen | undefined }

const compare = async (
  world: World,
  asked: readonly Question[],
  { cost, seen, ...options }: CompareOptions = {},
): Promise<void> => {
  const limits = { cost }
  const opened = await openWorld(world, { limits, ...options })
  const toPublic = options.appIds?.forApp('tests').toPublic.bind(options.appIds.forApp('tests'))
  const comparison = new Comparison(opened, new NaiveGraph(world, { cost, toPublic, seen }))
  const named = nameIn([world], toPublic ?? (id => id))
  for (const question of asked) await comparison.ask(withIds(question, named))
}

describe('a graph answers what the naive graph answers', () => {
  it('to good questions, and to those for the pages before and after', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), ({ world, asked }) => compare(world, asked)),
      settings(200),
    )
  })

  it('to a viewer who may not see all, as if what he may not see were not there', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), ({ world, asked }) => compare(world, asked)),
      settings(200),
    )
  })

  it('to an app that has ids of its own', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), ({ world, asked }) =>
        compare(world, asked, scopedOptions()),
      ),
      settings(100),
    )
  })

  it('to questions that are at fault, with the first fault in the order of faults', async () => {
    await fc.assert(
      fc.asyncProperty(
        inquiries({ faults: true, policed: true }),
        fc.integer({ min: 1, max: 200 }),
        ({ world, asked }, cost) => compare(world, asked, { cost }),
      ),
      settings(200),
    )
  })
})

/** A store that answers some part of its waves wrongly. */
const answering = (store: Store, wrong: (answer: WaveAnswer) => Partial<WaveAnswer>): Store =>
  delegateStore(store, {
    read: async (wave, options) => {
      const answer = await store.read(wave, options)
      return { ...answer, ...wrong(answer) }
    },
  })

const slices = (store: Store, wrong: (slice: EdgeSlice) => Partial<EdgeSlice>): Store =>
  answering(store, ({ ranges }) => ({ ranges: ranges.map(slice => ({ ...slice, ...wrong(slice) })) }))

/** A store that is asked for other ranges than the graph asked for. */
const asking = (store: Store, wrong: Partial<EdgeRange>): Store =>
  delegateStore(store, {
    read: (wave, options) =>
      store.read({ ...wave, ranges: wave.ranges.map(range => ({ ...range, ...wrong })) }, options),
  })

describe('the comparison finds what is wrong', () => {
  const sabotages: { readonly [name: string]: (store: Store) => Store } = {
    'the entries of a page turned around': store =>
      slices(store, ({ entries }) => ({ entries: entries.toReversed() })),
    'the last entry of a page missing': store =>
      slices(store, ({ entries }) => ({ entries: entries.slice(0, -1), more: false })),
    'no page that has a next': store => slices(store, () => ({ more: false })),
    'counts off by one': store =>
      slices(store, ({ total }) => ({ total: total === undefined ? undefined : total + 1 })),
    'times off by a second': store =>
      slices(store, ({ entries }) => ({
        entries: entries.map(entry => ({ ...entry, time: entry.time + 1000 })),
      })),
    'data of edges lost': store =>
      slices(store, ({ entries }) => ({ entries: entries.map(entry => ({ ...entry, data: undefined })) })),
    'since ignored': store => asking(store, { minTime: undefined }),
    'until ignored': store => asking(store, { maxTime: undefined }),
    'cursors ignored': store => asking(store, { from: undefined }),
    'one direction alone': store => asking(store, { direction: 'newest' }),
    'tests the wrong way round': store =>
      answering(store, ({ tests }) => ({ tests: tests.map(found => !found) })),
    'nodes in each other’s places': store => answering(store, ({ nodes }) => ({ nodes: nodes.toReversed() })),
  }

  it.each(Object.entries(sabotages))('%s', async (_name, wrap) => {
    const { failed } = await fc.check(
      fc.asyncProperty(inquiries(), ({ world, asked }) => compare(world, asked, { wrap })),
      { ...settings(500), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })

  /** What viewers would see of graphs that are wrong. */
  const leaks: { readonly [name: string]: (world: World) => Partial<Seen> } = {
    'hidden nodes shown where they are asked for': ({ nodes }) => ({ nodes }),
    'hidden entries taken from pages, and counted': ({ edges }) => ({ edges }),
    'policies of edges ignored': world => {
      const ids = seenOf(world).nodes.map(({ id }) => id)
      return {
        edges: world.edges.filter(({ source, target }) => ids.includes(source) && ids.includes(target)),
      }
    },
    'policies of fields ignored': () => ({ shows: () => true }),
    'one visible edge lost': world => ({ edges: seenOf(world).edges.slice(1) }),
  }

  it.each(Object.entries(leaks))('%s', async (_name, leak) => {
    const { failed } = await fc.check(
      fc.asyncProperty(inquiries({ policed: true }), ({ world, asked }) =>
        compare(world, asked, { seen: { ...seenOf(world), ...leak(world) } }),
      ),
      { ...settings(500), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
