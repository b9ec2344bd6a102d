import {
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphEvent,
  hasEdgeToViewer,
  isViewer,
  node,
  not,
  type Rule,
  type Store,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const VIEWER = '3'

/** Opens a graph of four people under a policy: 1 has blocked the viewer, and the viewer is a friend of 2. */
const openPeople = async (
  rules: readonly Rule[],
  replaced: (store: Store) => Partial<Store> = () => ({}),
) => {
  const schema = defineSchema({
    person: node({
      policy: rules,
      fields: { name: field.string({ default: true }) },
      edges: { blocked: edge('person'), friends: edge('person') },
    }),
  })
  const store = createMemoryStore()
  const events: GraphEvent[] = []
  const graph = createGraph(delegateStore(store, replaced(store)), {
    schema,
    onEvent: event => void events.push(event),
  })
  await graph.write([
    ...['1', '2', VIEWER, '4'].map(
      id => ({ op: 'putNode', node: { id, type: 'person', fields: { name: id } } }) as const,
    ),
    { op: 'putEdge', edge: { source: '1', name: 'blocked', target: VIEWER } },
    { op: 'putEdge', edge: { source: VIEWER, name: 'friends', target: '2' } },
  ])
  const viewer = graph.session({ viewer: VIEWER, app: 'demo' })
  const seen = async (ids: readonly string[]) =>
    Object.keys(await graph.getNodes(viewer, { ids, partial: true })).filter(id => id !== '__debug__')
  return { graph, viewer, events, seen }
}

/** A rule as untyped code might pass it. */
const createUntypedRule = (rule: object): Rule =>
  Object.assign({ name: 'untyped', decide: (): 'skip' => 'skip' }, rule)

describe('a rule', () => {
  it.each([
    ['decide returns a rejected promise', { decide: () => Promise.reject(new Error('too late')) }],
    [
      'checks returns a rejected promise',
      { checks: () => Promise.reject(new Error('too late')), decide: (): unknown => 'allow' },
    ],
    ['decide returns a promise of allow', { decide: () => Promise.resolve('allow') }],
  ])('denies access, is reported, and leaves no unhandled rejection if %s', async (_, rule) => {
    const rejections: unknown[] = []
    const note = (reason: unknown) => void rejections.push(reason)
    process.on('unhandledRejection', note)
    try {
      for (const rules of [[createUntypedRule(rule)], [not(createUntypedRule(rule))]]) {
        const { seen, events } = await openPeople(rules)
        expect(await seen(['1', '2', '4'])).toEqual([])
        expect(events.filter(({ kind }) => kind === 'rule')).toHaveLength(1)
      }
      await new Promise(resolve => setTimeout(resolve, 10))
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(rejections).toEqual([])
  })

  it('may reuse one object for the checks of all records', async () => {
    const check = { source: '', name: 'friends', target: '' }
    const friend = createUntypedRule({
      checks: ({ id }: { id: string }) => [Object.assign(check, { source: VIEWER, target: id })],
      decide: (_record: object, _session: object, found: readonly boolean[]) => (found[0] ? 'allow' : 'skip'),
    })
    const { seen } = await openPeople([friend])
    for (const ids of [
      ['1', '2', '4'],
      ['2', '4', '1'],
      ['4', '1', '2'],
    ])
      expect(await seen(ids)).toEqual(['2'])
  })

  it('cannot change the results of checks for another rule', async () => {
    const pushes = createUntypedRule({
      decide: (_record: object, _session: object, found: boolean[]) => {
        found.push(true)
        return 'skip' as const
      },
    })
    const any = createUntypedRule({
      decide: (_record: object, _session: object, found: readonly boolean[]) =>
        found.some(Boolean) ? 'allow' : 'skip',
    })
    const { seen } = await openPeople([pushes, any])
    expect(await seen(['1', '2', '4'])).toEqual([])
  })
})

describe('a store that returns an invalid result of a check', () => {
  it.each([[undefined], [null], [0], [1]])(
    'fails the call, and does not allow access by a rule that not() negates: %o',
    async storeResult => {
      const { graph, viewer } = await openPeople([not(hasEdgeToViewer('blocked'))], store => ({
        read: async (request, options) => {
          const result = await store.read(request, options)
          return Object.assign({ ...result }, { checks: result.checks.map(() => storeResult) })
        },
      }))
      expect((await expectGraphError(graph.getNode(viewer, { id: '1' }))).reason).toBe('store_error')
    },
  )
})

describe('a list that the policy of its edge hides', () => {
  /**
   * Opens a graph in which the list of the viewer `2` has an encrypted cursor. The list of `1` has an entry
   * and is hidden, or it is visible and empty.
   */
  const openAlbums = async (isHidden: boolean) => {
    const schema = defineSchema({
      person: node({
        edges: {
          photos: edge('photo', { policy: [isViewer(), hasEdgeToViewer('friends')] }),
          friends: edge('person'),
        },
      }),
      photo: node({ policy: [isViewer({ of: 'from' })], fields: { from: field.ref('person') } }),
    })
    const graph = createGraph(createMemoryStore(), {
      schema,
      secret: 'the secret of the albums',
      limits: { scan: 3 },
    })
    await graph.write([
      ...['1', '2'].map(id => ({ op: 'putNode', node: { id, type: 'person', fields: {} } }) as const),
      ...Array.from({ length: 6 }, (_, at) => `${100 + at}`).flatMap((id, time) => [
        { op: 'putNode', node: { id, type: 'photo', fields: { from: '1' } } } as const,
        { op: 'putEdge', edge: { source: '2', name: 'photos', target: id, time } } as const,
      ]),
      isHidden
        ? { op: 'putEdge', edge: { source: '1', name: 'photos', target: '100', time: 5 } }
        : { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2' } },
    ])
    return { graph, viewer: graph.session({ viewer: '2', app: 'demo' }) }
  }

  it.each(['getEdge', 'getNode'] as const)(
    'gives the same error as an empty list for an encrypted cursor of another list: %s',
    async method => {
      const errors = await Promise.all(
        [true, false].map(async isHidden => {
          const { graph, viewer } = await openAlbums(isHidden)
          const own = await graph.getEdge(viewer, { id: 'me', edge: 'photos', limit: 1 })
          const after = own.paging?.cursors.after ?? ''
          expect(after).toContain('.')
          const error = await expectGraphError(
            method === 'getEdge'
              ? graph.getEdge(viewer, { id: '1', edge: 'photos', after })
              : callUntyped(graph.getNode, viewer, { id: '1', fields: `photos.after(${after})` }),
          )
          return { message: error.message, error: error.toJSON().error.error_data }
        }),
      )
      expect(errors[0]).toEqual(errors[1])
      expect(errors[0]?.error).toMatchObject({ reason: 'invalid_parameter', parameter: 'after' })
    },
  )
})
