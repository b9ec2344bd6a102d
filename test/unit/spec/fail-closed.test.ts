import {
  createGraph,
  defineSchema,
  edge,
  field,
  hasEdgeToViewer,
  isViewer,
  node,
  not,
  type ReadEvent,
  type Rule,
  type Store,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const VIEWER = '3'

/** Four people under a policy; 1 has blocked the viewer, and the viewer is a friend of 2. */
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
  const events: ReadEvent[] = []
  const graph = createGraph(delegateStore(store, replaced(store)), {
    schema,
    onRead: event => void events.push(event),
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

/** Rules as a program without types might hand them over. */
const untyped = (rule: object): Rule => Object.assign({ name: 'untyped', decide: (): 'skip' => 'skip' }, rule)

describe('a rule', () => {
  it.each([
    ['decides', { decide: () => Promise.reject(new Error('too late')) }],
    [
      'tells its tests',
      { tests: () => Promise.reject(new Error('too late')), decide: (): unknown => 'allow' },
    ],
    ['decides well', { decide: () => Promise.resolve('allow') }],
  ])('that %s by a promise denies, is told of, and leaves no rejection behind', async (_, rule) => {
    const rejections: unknown[] = []
    const note = (reason: unknown) => void rejections.push(reason)
    process.on('unhandledRejection', note)
    try {
      for (const rules of [[untyped(rule)], [not(untyped(rule))]]) {
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

  it('may use one object for the tests of all records', async () => {
    const test = { source: '', name: 'friends', target: '' }
    const friend = untyped({
      tests: ({ id }: { id: string }) => [Object.assign(test, { source: VIEWER, target: id })],
      decide: (_record: object, _session: object, has: readonly boolean[]) => (has[0] ? 'allow' : 'skip'),
    })
    const { seen } = await openPeople([friend])
    for (const ids of [
      ['1', '2', '4'],
      ['2', '4', '1'],
      ['4', '1', '2'],
    ])
      expect(await seen(ids)).toEqual(['2'])
  })

  it('changes nothing for another by writing into what it was given', async () => {
    const pushes = untyped({
      decide: (_record: object, _session: object, has: boolean[]) => {
        has.push(true)
        return 'skip' as const
      },
    })
    const any = untyped({
      decide: (_record: object, _session: object, has: readonly boolean[]) =>
        has.some(Boolean) ? 'allow' : 'skip',
    })
    const { seen } = await openPeople([pushes, any])
    expect(await seen(['1', '2', '4'])).toEqual([])
  })
})

describe('a store that does not tell whether an edge is there', () => {
  it.each([[undefined], [null], [0], [1]])(
    'fails the query by answering %o: under not it would let all in',
    async told => {
      const { graph, viewer } = await openPeople([not(hasEdgeToViewer('blocked'))], store => ({
        read: async (wave, options) => {
          const answer = await store.read(wave, options)
          return Object.assign({ ...answer }, { tests: answer.tests.map(() => told) })
        },
      }))
      expect((await faultOf(graph.getNode(viewer, { id: '1' }))).data.reason).toBe('store_fault')
    },
  )
})

describe('a list that its edge shuts', () => {
  /** The viewer's own long list gives a sealed cursor; another's list is shut and full, or open and empty. */
  const openAlbums = async (isShut: boolean) => {
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
      isShut
        ? { op: 'putEdge', edge: { source: '1', name: 'photos', target: '100', time: 5 } }
        : { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2' } },
    ])
    return { graph, viewer: graph.session({ viewer: '2', app: 'demo' }) }
  }

  it.each(['getEdge', 'getNode'] as const)(
    'is as an empty one for the sealed cursor of another list: %s',
    async way => {
      const faults = await Promise.all(
        [true, false].map(async isShut => {
          const { graph, viewer } = await openAlbums(isShut)
          const own = await graph.getEdge(viewer, { id: 'me', edge: 'photos', limit: 1 })
          const after = own.paging?.cursors.after ?? ''
          expect(after).toContain('.')
          const fault = await faultOf(
            way === 'getEdge'
              ? graph.getEdge(viewer, { id: '1', edge: 'photos', after })
              : loosely(graph.getNode, viewer, { id: '1', fields: `photos.after(${after})` }),
          )
          return { message: fault.message, data: fault.data }
        }),
      )
      expect(faults[0]).toEqual(faults[1])
      expect(faults[0]?.data).toMatchObject({ reason: 'bad_parameter', parameter: 'after' })
    },
  )
})
