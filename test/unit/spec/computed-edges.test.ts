import {
  createGraph,
  defineSchema,
  type EdgeResolver,
  edge,
  field,
  fieldEquals,
  type Limits,
  node,
  parameter,
  type ResolvedPage,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { countReads } from '../../../src/testing/count-reads.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

/** Returns the pages of a list of the numbers 1 to `size`, whose positions are words. */
const rank =
  (size: number, calls: unknown[] = []): EdgeResolver<{ readonly step: number }> =>
  (sources, { parameters: { step }, pages, session, now }) => {
    calls.push({ sources: sources.map(({ id }) => id), pages, viewer: session.viewer, now: typeof now })
    const all = Array.from({ length: size }, (_, index) => `${(index + 1) * step}`)
    return pages.map(({ limit, from, direction }): ResolvedPage => {
      const ordered = direction === 'forward' ? all : all.toReversed()
      const start = from === undefined ? 0 : ordered.indexOf(from.slice('at '.length)) + 1
      const ids = ordered.slice(start, start + limit)
      const entries = ids.map(id => ({ id, position: `at ${id}`, data: { score: Number(id) } }))
      return { entries, hasMore: start + limit < all.length, total: all.length }
    })
  }

const createWorld = (
  resolve: EdgeResolver<{ readonly step: number }>,
  { policy = true, limits }: { readonly policy?: boolean; readonly limits?: Partial<Limits> } = {},
) => {
  const schema = defineSchema({
    event: node({
      policy: policy ? [fieldEquals('open', true)] : undefined,
      fields: { name: field.string({ default: true }), open: field.bool() },
      edges: {
        ranked: edge('event', {
          fields: { score: field.int() },
          parameters: { step: parameter.int({ default: 1 }) },
          backward: true,
          resolve,
        }),
        forward: edge('event', { resolve: () => [{ entries: [], hasMore: false }] }),
      },
    }),
  })
  const store = createMemoryStore()
  for (let id = 1; id <= 60; id++)
    store.write([
      { op: 'putNode', node: { id: `${id}`, type: 'event', fields: { name: `E${id}`, open: id % 3 === 1 } } },
    ])
  const counted = countReads(store)
  const graph = createGraph(counted, { schema, ...(limits === undefined ? {} : { limits }) })
  return { graph, session: graph.session({ viewer: '1', app: 'demo' }), counted }
}

const first = { id: '1', type: 'event', edge: 'ranked' } as const

const idsOf = (page: { readonly data: readonly { readonly id: string }[] }): readonly number[] =>
  page.data.map(({ id }) => Number(id))

describe('a computed edge', () => {
  it.each([1, 2, 3, 5, 7, 100])(
    'has the visible entries in the order of its function, in pages of %i entries and both directions',
    async limit => {
      const { graph, session } = createWorld(rank(50))
      const expected = Array.from({ length: 50 }, (_, index) => index + 1).filter(id => id % 3 === 1)
      const forward: number[] = []
      let page = await graph.getEdge(session, { ...first, limit })
      for (;;) {
        forward.push(...idsOf(page))
        const { next, cursors } = page.paging ?? {}
        if (next === undefined || cursors?.after === undefined) break
        page = await graph.getEdge(session, { ...first, limit, after: cursors.after })
      }
      expect(forward).toEqual(expected)
      const backward: number[] = [...idsOf(page)]
      for (;;) {
        const { previous, cursors } = page.paging ?? {}
        if (previous === undefined || cursors?.before === undefined) break
        page = await graph.getEdge(session, { ...first, limit, before: cursors.before })
        backward.unshift(...idsOf(page))
      }
      expect(backward).toEqual(expected)
    },
  )

  it('is computed in one call for all sources of a level, and read in one store read', async () => {
    const calls: { sources: string[]; pages: unknown[] }[] = []
    const { graph, session, counted } = createWorld(rank(9, calls), { policy: false })
    const fields = 'ranked.limit(2){score,ranked.step(2).limit(1){name}}'
    const result = Object(await callUntyped(graph.getNode, session, { id: '1', fields }))
    expect(result.ranked.data).toEqual([
      { score: 1, ranked: expect.objectContaining({ data: [{ name: 'E2', id: '2' }] }), id: '1' },
      { score: 2, ranked: expect.objectContaining({ data: [{ name: 'E2', id: '2' }] }), id: '2' },
    ])
    expect(calls.map(({ sources }) => sources)).toEqual([['1'], ['1', '2']])
    expect(counted.reads).toHaveLength(3)
  })

  it('has the total of its function as its count only without a policy', async () => {
    const open = createWorld(rank(50), { policy: false })
    const call = { ...first, limit: 0, summary: true } as const
    expect((await open.graph.getEdge(open.session, call)).summary?.total_count).toBe(50)
    const hidden = createWorld(rank(50))
    const page = await hidden.graph.getEdge(hidden.session, { ...call, limit: 2 })
    expect(page).not.toHaveProperty('summary')
  })

  it('leaves out nodes that do not exist', async () => {
    const { graph, session } = createWorld(rank(5, []), { policy: false })
    const page = await graph.getEdge(session, { ...first, parameters: { step: 25 } })
    expect(idsOf(page)).toEqual([25, 50])
  })

  it('encrypts its positions in cursors, which are valid only for the same source and parameters', async () => {
    const { graph, session } = createWorld(rank(50))
    const { paging } = await graph.getEdge(session, { ...first, limit: 2 })
    const { after = '' } = paging?.cursors ?? {}
    expect(Buffer.from(after.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('at 4')
    for (const other of [
      { ...first, id: '4', after },
      { ...first, after, parameters: { step: 2 } },
      { ...first, after: after.replace('.', '') },
    ]) {
      const error = await expectGraphError(graph.getEdge(session, other))
      expect([error.reason, error.data.parameter]).toEqual(['invalid_parameter', 'after'])
    }
  })

  it.each([
    ['before', { edge: 'forward', before: 'x' }],
    ['since', { since: 5 }],
    ['until', { until: 5 }],
    ['order', { order: 'chronological' }],
  ])('rejects an option that it does not support: %s', async (option, options) => {
    const { graph, session } = createWorld(rank(5))
    const error = await expectGraphError(callUntyped(graph.getEdge, session, { ...first, ...options }))
    expect([error.reason, error.data.parameter]).toEqual(['invalid_parameter', option])
  })

  it('cannot be written and has no single entries', async () => {
    const { graph, session } = createWorld(rank(5))
    const error = await expectGraphError(graph.hasEdge(session, { ...first, target: '4' }))
    expect(error.reason).toBe('invalid_parameter')
    for (const op of ['putEdge', 'deleteEdge']) {
      const mutation = { op, edge: { source: '1', name: 'ranked', target: '4' } }
      const rejected = await expectGraphError(callUntyped(graph.write, [mutation]))
      expect([rejected.reason, rejected.data.path]).toEqual(['invalid_mutation', 'edge.name'])
    }
  })

  it('is bounded by the scan limit, and continues at the cursor of a page that the limit ended', async () => {
    const { graph, session } = createWorld(rank(50), { limits: { scan: 5 } })
    const page = await graph.getEdge(session, { ...first, limit: 100 })
    expect(idsOf(page).length).toBeLessThan(5)
    const { after = '' } = page.paging?.cursors ?? {}
    const rest = await graph.getEdge(session, { ...first, limit: 1, after })
    expect(idsOf(rest)[0]).toBe((idsOf(page).at(-1) ?? 1) + 3)
    const fields = 'ranked.limit(100){ranked.limit(100)}'
    const error = await expectGraphError(callUntyped(graph.getNode, session, { id: '1', fields }))
    expect(error.reason).toBe('query_too_expensive')
  })
})

const entry = (id: string, position = id) => ({ id, position })

describe('the function of a computed edge', () => {
  const read = async (result: unknown): Promise<unknown> => {
    const resolve: EdgeResolver = () => Object(result)
    const { graph, session } = createWorld(resolve)
    return (await expectGraphError(graph.getEdge(session, first))).cause
  }

  it.each([
    ['nothing', undefined],
    ['no list', { entries: [], hasMore: false }],
    ['too few pages', []],
    ['no entries', [{ hasMore: false }]],
    ['no hasMore', [{ entries: [] }]],
    ['a negative total', [{ entries: [], hasMore: false, total: -1 }]],
    ['an entry without id', [{ entries: [{ position: 'a' }], hasMore: false }]],
    ['an id that is a number', [{ entries: [{ id: 4, position: 'a' }], hasMore: false }]],
    ['an empty position', [{ entries: [entry('4', '')], hasMore: false }]],
    ['a position of 501 bytes', [{ entries: [entry('4', `${'ä'.repeat(250)}x`)], hasMore: false }]],
    ['a position twice', [{ entries: [entry('4', 'a'), entry('7', 'a')], hasMore: false }]],
    ['data that is a list', [{ entries: [{ ...entry('4'), data: [] }], hasMore: false }]],
    [
      'more entries than requested',
      [{ entries: Array.from({ length: 27 }, (_, index) => entry(`${index + 1}`)), hasMore: false }],
    ],
  ])('fails the call with an error that names the edge if it returns %s', async (_, result) => {
    expect(await read(result)).toMatchObject({
      name: 'TypeError',
      message: expect.stringMatching(/^event\.ranked\.resolve: the result.* must be .*; received /),
    })
  })

  const failure = new Error('the index is down')
  it.each([
    [
      'throws',
      () => {
        throw failure
      },
    ],
    ['rejects', () => Promise.reject(failure)],
  ])('fails the call with its own error as the cause if it %s', async (_, resolve) => {
    const { graph, session } = createWorld(resolve)
    const error = await expectGraphError(graph.getEdge(session, first))
    expect([error.reason, error.cause]).toEqual(['internal_error', failure])
    expect(JSON.stringify(error)).not.toContain('index')
  })

  it('fails the call if it returns no entry 20 times in a row, or a position again', async () => {
    let callCount = 0
    const empty = createWorld(() => {
      callCount++
      return [{ entries: [], hasMore: true }]
    })
    const error = await expectGraphError(empty.graph.getEdge(empty.session, first))
    expect([error.reason, callCount]).toEqual(['internal_error', 20])
    const repeated = createWorld(() => [{ entries: [entry('2')], hasMore: true }])
    const { cause } = await expectGraphError(repeated.graph.getEdge(repeated.session, first))
    expect(cause).toMatchObject({ message: expect.stringContaining('has not returned before') })
  })

  it('receives the abort signal of the call, and does not delay its end', async () => {
    const controller = new AbortController()
    const { graph, session } = createWorld(
      (_, { signal }) =>
        new Promise(() => {
          expect(signal).toBe(controller.signal)
          controller.abort()
        }),
    )
    const error = await expectGraphError(graph.getEdge(session, { ...first, signal: controller.signal }))
    expect(error.reason).toBe('aborted')
  })
})

describe('the schema of a computed edge', () => {
  const resolve: EdgeResolver = () => []
  const define = (options: object, fields = {}) => {
    const thing = node({ fields, edges: { ranked: edge('thing', options) } })
    return () => defineSchema({ thing })
  }

  it.each([
    ['"where"', { resolve, parameters: { step: parameter.int() }, where: () => true }],
    ['"list"', { resolve, parameters: { on: parameter.bool() }, list: () => 'other' }],
    ['"inverse"', { resolve, inverse: 'ranked' }],
    ['"symmetric"', { resolve, symmetric: true }],
    ['a field of a computed edge', { resolve, fields: { at: field.edgeTime() } }],
    ['"backward"', { backward: true }],
    ['"times"', { times: true }],
  ])('has an error for %s', (subject, options) => {
    expect(define(options)).toThrow(`${subject} must be `)
  })

  it('has an error for a field or rule about it', () => {
    const fields = { is_ranked: field.viewerEdge('ranked') }
    expect(define({ resolve }, fields)).toThrow('"edge" must be an edge that is not computed')
  })
})
