import {
  allOf,
  anyOf,
  canSee,
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  type GraphEvent,
  hasEdgeToViewer,
  hasScope,
  isGraphError,
  isViewer,
  node,
  type Rule,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { overrideScan } from '../../helpers/scan-overrides.ts'

const MEMBER = '1'
const STRANGER = '2'
const GROUP = '10'
const POST = '20'
const COMMENT = '30'

const putNode = (id: string, type: string, fields: JsonObject = {}): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (source: string, name: string, target: string): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time: 0, data: undefined },
})

const isPublic = fieldEquals('privacy', 'public')

const schema = defineSchema(
  {
    person: node({ edges: { posts: edge('post') } }),
    group: node({
      policy: [isPublic, hasEdgeToViewer('members')],
      fields: { privacy: field.enum(['public', 'private']) },
      edges: {
        members: edge('person'),
        posts: edge('post'),
        pinned: edge('post', { policy: [hasEdgeToViewer('members')] }),
      },
    }),
    post: node({
      policy: [canSee('group')],
      fields: {
        group: field.ref('group', { scope: 'groups', policy: [] }),
        text: field.string(),
        price: field.int({ policy: [canSee('offer')] }),
        offer: field.ref('offer'),
      },
      edges: {
        comments: edge('comment'),
        bids: edge('comment', { policy: [canSee('offer')] }),
      },
    }),
    offer: node({ policy: [isPublic], fields: { privacy: field.enum(['public', 'private']) } }),
    comment: node({
      policy: [canSee('parent')],
      fields: { parent: field.ref(['post', 'photo', 'comment']), text: field.string() },
    }),
    photo: node({ fields: { text: field.string() } }),
  },
  { viewers: ['person'] },
)

const GROUP_WITH_POST: readonly StoreMutation[] = [
  putNode(MEMBER, 'person'),
  putNode(STRANGER, 'person'),
  putNode(GROUP, 'group', { privacy: 'private' }),
  putEdge(GROUP, 'members', MEMBER),
  putNode(POST, 'post', { group: GROUP, text: 'hello' }),
  putEdge(GROUP, 'posts', POST),
  putNode(COMMENT, 'comment', { parent: POST, text: 'hi' }),
  putEdge(POST, 'comments', COMMENT),
]

const openGraph = async (...mutations: readonly StoreMutation[]) => {
  const memory = createMemoryStore()
  const write = (...changes: readonly StoreMutation[]) => memory.write(changes, { signal: undefined })
  await write(...GROUP_WITH_POST, ...mutations)
  const store = countReads(memory)
  const events: GraphEvent[] = []
  const graph = createGraph(store, { schema, onEvent: event => events.push(event) })
  const sessionOf = (viewer: string) => graph.session({ viewer, app: 'tests', scopes: ['groups'] })
  /** Returns the node as the viewer sees it, or the text of the error. */
  const read = (viewer: string, id: string, fields = 'id'): Promise<unknown> =>
    graph.getNode(sessionOf(viewer), { id, fields }).catch((error: unknown) => {
      if (!isGraphError(error)) throw error
      return error.message.replaceAll(id, 'ID')
    })
  const sees = async (viewer: string, id: string): Promise<boolean> =>
    typeof (await read(viewer, id)) === 'object'
  return { graph, store, events, write, sessionOf, read, sees }
}

const reasonOf = (error: unknown): string | undefined => (isGraphError(error) ? error.reason : undefined)

describe('canSee', () => {
  it('allows those who may see the node that the ref leads to', async () => {
    const { sees } = await openGraph()
    expect(await sees(MEMBER, POST)).toBe(true)
    expect(await sees(STRANGER, POST)).toBe(false)
    expect(await sees(MEMBER, COMMENT)).toBe(true)
    expect(await sees(STRANGER, COMMENT)).toBe(false)
  })

  it('hides everything below a group at once when the group becomes private', async () => {
    const { read, write } = await openGraph(putNode(GROUP, 'group', { privacy: 'public' }))
    const fields = 'id,posts{id,comments.summary(true){id}}'
    expect(await read(STRANGER, GROUP, fields)).toMatchObject({
      posts: { data: [{ id: POST, comments: { data: [{ id: COMMENT }], summary: { total_count: 1 } } }] },
    })
    await write(putNode(GROUP, 'group', { privacy: 'private' }))
    expect(await read(STRANGER, GROUP, fields)).toContain('does not exist, is not visible')
    expect(await read(STRANGER, POST)).toContain('does not exist, is not visible')
    expect(await read(STRANGER, COMMENT)).toContain('does not exist, is not visible')
  })

  it('allows everyone if the type of the node has no policy', async () => {
    const { sees } = await openGraph(putNode('40', 'photo'), putNode('41', 'comment', { parent: '40' }))
    expect(await sees(STRANGER, '41')).toBe(true)
  })

  it('skips in the same way without a ref, for a bad value, and for a node that is missing, of another type or hidden', async () => {
    const { read } = await openGraph(
      putNode('50', 'comment'),
      putNode('51', 'comment', { parent: null }),
      putNode('52', 'comment', { parent: { id: POST } }),
      putNode('53', 'comment', { parent: '404' }),
      putNode('54', 'comment', { parent: '60' }),
      putNode('60', 'type of a previous schema'),
      putNode('55', 'comment', { parent: MEMBER }),
      putNode('56', 'comment', { parent: POST }),
    )
    const texts = await Promise.all(
      ['404', '50', '51', '52', '53', '54', '55', '56'].map(id => read(STRANGER, id)),
    )
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('does not exist, is not visible')
  })

  it('evaluates each target by the policy of its own type', async () => {
    const { sees } = await openGraph(
      putNode('40', 'photo'),
      putNode('41', 'comment', { parent: '40' }),
      putNode('42', 'comment', { parent: '41' }),
      putNode('43', 'comment', { parent: COMMENT }),
    )
    expect([await sees(STRANGER, '42'), await sees(STRANGER, '43')]).toEqual([true, false])
  })

  it('ignores the scope and the policy of the ref', async () => {
    const { graph } = await openGraph()
    const session = graph.session({ viewer: MEMBER, app: 'tests', scopes: [] })
    expect(await graph.getNode(session, { id: POST, fields: 'text' })).toEqual({ text: 'hello', id: POST })
  })

  it('decides about fields and edges by their source', async () => {
    const { read, write } = await openGraph(
      putNode('70', 'offer', { privacy: 'private' }),
      putNode(POST, 'post', { group: GROUP, price: 5, offer: '70' }),
      putEdge(POST, 'bids', COMMENT),
    )
    const fields = 'price,bids.summary(true){id}'
    expect(await read(MEMBER, POST, fields)).toEqual({
      bids: { data: [], summary: { order: 'reverse_chronological', total_count: 0 } },
      id: POST,
    })
    await write(putNode('70', 'offer', { privacy: 'public' }))
    expect(await read(MEMBER, POST, fields)).toMatchObject({ price: 5, bids: { data: [{ id: COMMENT }] } })
  })

  it('decides about ids=, hasEdge, getEdges and lists by id in the same way', async () => {
    const { graph, sessionOf } = await openGraph()
    const findFor = async (viewer: string) => {
      const session = sessionOf(viewer)
      return {
        nodes: await graph.getNodes(session, { ids: [POST, COMMENT] }).then(Object.keys, reasonOf),
        hasEdge: await graph
          .hasEdge(session, { id: POST, edge: 'comments', target: COMMENT })
          .catch(reasonOf),
        pages: await graph
          .getEdges(session, { ids: [POST], edge: 'comments', fields: 'id' })
          .then(Object.keys, reasonOf),
      }
    }
    expect(await findFor(MEMBER)).toEqual({ nodes: [POST, COMMENT], hasEdge: true, pages: [POST] })
    const reason = 'node_not_found'
    expect(await findFor(STRANGER)).toEqual({ nodes: reason, hasEdge: reason, pages: reason })
  })

  it('counts a denial by the rule of the record, not by the rules of the nodes behind it', async () => {
    const { read, events } = await openGraph()
    await read(STRANGER, COMMENT)
    const denials = events.flatMap(event => (event.kind === 'query' ? event.denials : []))
    expect(denials).toEqual([{ rule: 'no rule', count: 1 }])
  })
})

describe('a policy with canSee', () => {
  const chainOf = (length: number): StoreMutation[] =>
    Array.from({ length }, (_, index) =>
      putNode(`${100 + index}`, 'comment', { parent: index === 0 ? '40' : `${99 + index}` }),
    )

  it('follows 4 refs, and hides a node at the end of a chain of 5', async () => {
    const { sees } = await openGraph(putNode('40', 'photo'), ...chainOf(6))
    const seen = await Promise.all(['100', '101', '102', '103', '104', '105'].map(id => sees(STRANGER, id)))
    expect(seen).toEqual([true, true, true, true, false, false])
  })

  it('shows a node in the same way after the call has read it behind deeper nodes', async () => {
    const types = {
      photo: node({}),
      note: node({
        policy: [canSee('parent'), fieldEquals('open', true)],
        fields: { parent: field.ref(['note', 'photo']), open: field.bool() },
      }),
    }
    const graph = createGraph(createMemoryStore(), { schema: defineSchema(types, { viewers: ['photo'] }) })
    // Behind the first note, the policy of the last note may follow no more refs.
    await graph.write([
      { op: 'putNode', node: { id: '99', type: 'photo', fields: {} } },
      ...[100, 101, 102, 103, 104].map(
        id =>
          ({
            op: 'putNode',
            node: {
              id: `${id}`,
              type: 'note',
              fields: { parent: `${id === 100 ? 99 : id - 1}`, open: id === 104 },
            },
          }) as const,
      ),
    ])
    const session = graph.session({ viewer: undefined, app: 'tests' })
    expect(await graph.getNode(session, { id: '103', fields: 'id' })).toEqual({ id: '103' })
    expect(await graph.getNode(session, { id: '104', fields: 'parent{id}' })).toEqual({
      parent: { id: '103' },
      id: '104',
    })
  })

  it('hides nodes whose refs form a circle, with a bounded number of reads', async () => {
    const { sees, store } = await openGraph(
      putNode('80', 'comment', { parent: '81' }),
      putNode('81', 'comment', { parent: '80' }),
      putNode('82', 'comment', { parent: '82' }),
    )
    store.clear()
    expect([await sees(MEMBER, '80'), await sees(MEMBER, '81'), await sees(MEMBER, '82')]).toEqual([
      false,
      false,
      false,
    ])
    expect(store.reads.length).toBeLessThanOrEqual(3 * (1 + 4))
  })

  const { checks } = canSee('group')
  const isHidden: Rule = {
    name: 'isHidden',
    ...(checks && { checks }),
    decide: (_record, _session, found) => (found[0] === true ? 'deny' : 'allow'),
  }

  it.each([
    isHidden,
    anyOf(isHidden, hasScope('other')),
    anyOf(canSee('group'), isHidden),
    allOf(anyOf(isHidden), anyOf(canSee('group'), isViewer(), isHidden)),
  ])(
    'denies in a rule of your own that uses the checks of canSee, because it could negate them: $name',
    async rule => {
      const events: GraphEvent[] = []
      const graph = createGraph(createMemoryStore(), {
        schema: schema.extend({ post: { policy: [rule] } }),
        onEvent: event => events.push(event),
      })
      await graph.write([
        { op: 'putNode', node: { id: GROUP, type: 'group', fields: { privacy: 'private' } } },
        { op: 'putNode', node: { id: POST, type: 'post', fields: { group: GROUP } } },
      ])
      const session = graph.session({ viewer: STRANGER, app: 'tests' })
      await expect(graph.getNode(session, { id: POST })).rejects.toMatchObject({ reason: 'node_not_found' })
      expect(events.flatMap(event => (event.kind === 'rule' ? [event.rule] : []))).toEqual([rule.name])
    },
  )
})

describe('the reads of canSee', () => {
  it('end, and the policy denies, if a rule names other checks each time', async () => {
    let count = 0
    const restless: Rule = {
      name: 'restless',
      checks: ({ id }) => [{ source: id, name: `list ${count++}`, target: MEMBER }],
      decide: () => 'allow',
    }
    const store = countReads(createMemoryStore())
    await store.write(GROUP_WITH_POST, { signal: undefined })
    const graph = createGraph(store, { schema: schema.extend({ group: { policy: [restless] } }) })
    store.clear()
    const session = graph.session({ viewer: MEMBER, app: 'tests' })
    await expect(graph.getNode(session, { id: POST })).rejects.toMatchObject({ reason: 'node_not_found' })
    expect(store.reads.length).toBeLessThanOrEqual(1 + 1 + 4)
  })

  it('are one for the nodes and one for their checks, whatever the number of records is', async () => {
    const { graph, store, sessionOf } = await openGraph(
      ...Array.from({ length: 40 }, (_, index) => [
        putNode(`${200 + index}`, 'post', { group: GROUP }),
        putEdge(MEMBER, 'posts', `${200 + index}`),
      ]).flat(),
    )
    store.clear()
    const page = await graph.getEdge(sessionOf(MEMBER), {
      id: MEMBER,
      type: 'person',
      edge: 'posts',
      fields: 'id',
      limit: 100,
    })
    expect(page.data).toHaveLength(40)
    expect(store.reads.map(({ requested }) => requested)).toEqual([
      { nodes: 1, ranges: 1, checks: 0, tokens: 0 },
      { nodes: 1, ranges: 0, checks: 0, tokens: 0 },
      { nodes: 0, ranges: 0, checks: 1, tokens: 0 },
    ])
    expect(graph.explain({ type: 'person', edge: 'posts', fields: 'id' }).reads).toBe(3)
  })

  it('are at most the number that explain adds for each level', async () => {
    const { graph, store, sessionOf } = await openGraph(putEdge(MEMBER, 'posts', POST))
    const fields = 'posts{id,comments{id}}'
    store.clear()
    await graph.getNode(sessionOf(MEMBER), { id: MEMBER, type: 'person', fields })
    // One read per level, two for the group of the posts, and five for the parents of the comments: at most four
    // nodes in a row, and the checks of the last. The call has read the group before it reads the comments.
    expect(graph.explain({ type: 'person', fields }).reads).toBe(3 + 2 + 5)
    expect(store.reads).toHaveLength(3 + 2 + 1)
  })

  it('do not exist for policies without canSee', async () => {
    const { graph } = await openGraph()
    expect(graph.explain({ type: 'group', fields: 'members{id}' }).reads).toBe(2)
  })
})

describe('the cost of canSee', () => {
  it('is the number of refs that a policy follows, for each node outside of a list under a policy', async () => {
    const { graph } = await openGraph()
    const costOf = (type: 'post' | 'comment' | 'person', fields: string) =>
      graph.explain({ type, fields }).cost
    expect(costOf('post', 'id')).toBe(1 + 1)
    expect(costOf('comment', 'id')).toBe(1 + 4)
    expect(costOf('comment', 'parent{id}')).toBe(1 + 4 + (1 + 4))
    expect(costOf('post', 'price')).toBe(1 + 1 + 1)
    // Each of the 25 entries counts against the scan limit instead.
    expect(costOf('person', 'posts{id}')).toBe(1 + 10 + 25)
    expect(graph.explain({ type: 'post', edge: 'bids', fields: 'id' }).cost).toBe(1 + 1 + 1 + 10 + 25)
  })
})

describe('the scan limit of a call', () => {
  const openPosts = async (count: number, visible: readonly number[]) => {
    const store = createMemoryStore()
    await store.write(
      [
        putNode(MEMBER, 'person'),
        putNode(GROUP, 'group', { privacy: 'public' }),
        ...Array.from({ length: count }, (_, index): StoreMutation[] => [
          putNode(`${100 + index}`, 'post', visible.includes(index) ? { group: GROUP } : {}),
          {
            op: 'putEdge',
            edge: {
              source: MEMBER,
              name: 'posts',
              target: `${100 + index}`,
              time: 1000 - index,
              data: undefined,
            },
          },
        ]).flat(),
      ],
      { signal: undefined },
    )
    const graph = createGraph(store, { schema, limits: { scan: 20 }, secret: 'the secret of the cursors' })
    overrideScan(graph, { drawUniform: () => 0 })
    return { graph, session: graph.session({ viewer: MEMBER, app: 'tests' }) }
  }
  const list = { id: MEMBER, edge: 'posts', fields: 'id', limit: 5 } as const

  it('ends a page after half as many edges if their policies follow one ref', async () => {
    const { graph, session } = await openPosts(30, [9, 10, 25])
    const pages: string[][] = []
    let after: string | undefined
    do {
      const { data, paging } = await graph.getEdge(session, { ...list, after })
      pages.push(data.map(({ id }) => id))
      after = paging?.next === undefined ? undefined : paging.cursors.after
    } while (after !== undefined)
    expect(pages).toEqual([['109'], ['110'], ['125']])
  })

  it('ends a call that counts more than half as many edges', async () => {
    const count = { ...list, limit: 0, summary: true } as const
    const small = await openPosts(10, [])
    expect((await small.graph.getEdge(small.session, count)).data).toEqual([])
    const large = await openPosts(11, [])
    await expect(large.graph.getEdge(large.session, count)).rejects.toMatchObject({
      reason: 'query_too_expensive',
      data: { limit: 20 },
    })
  })
})
