import {
  allOf,
  anyOf,
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  hasEdgeToViewer,
  node,
  not,
  parameter,
  type Rule,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { createUncheckedStore } from '../../helpers/unchecked-store.ts'

const ADMIN = '1'
const MEMBER = '2'
const STRANGER = '3'
const NO_ROLE = '4'
const GROUP = '10'

const members = edge('user', {
  fields: {
    role: field.enum(['guest', 'member', 'admin']),
    level: field.int(),
    banned: field.bool(),
    since: field.edgeTime(),
  },
  inverse: 'groups',
})

const schemaWith = (policy: readonly Rule[]) =>
  defineSchema(
    {
      user: node({
        edges: {
          groups: edge('group', { inverse: 'members', fields: members.fields }),
        },
      }),
      group: node({ policy, fields: { open: field.bool() }, edges: { members } }),
    },
    { viewers: ['user'] },
  )

const openWith = async (policy: readonly Rule[]) => {
  const store = countReads(createMemoryStore())
  const graph = createGraph(store, { schema: schemaWith(policy) })
  const putMember = (target: string, data: object) => ({
    op: 'putEdge' as const,
    edge: { source: GROUP, name: 'members' as const, target, data },
  })
  await graph.write([
    ...[ADMIN, MEMBER, STRANGER, NO_ROLE].map(id => ({
      op: 'putNode' as const,
      node: { id, type: 'user' as const, fields: {} },
    })),
    { op: 'putNode', node: { id: GROUP, type: 'group', fields: { open: true } } },
    putMember(ADMIN, { role: 'admin', level: 3, banned: false }),
    putMember(MEMBER, { role: 'member', level: 1, banned: true }),
    putMember(NO_ROLE, {}),
  ])
  return { store, graph }
}

/** Returns the viewers who see the group. */
const findViewers = async (policy: readonly Rule[]): Promise<string[]> => {
  const { graph } = await openWith(policy)
  const viewers: string[] = []
  for (const viewer of [ADMIN, MEMBER, STRANGER, NO_ROLE]) {
    const session = graph.session({ viewer, app: 'demo' })
    const found = await graph.getNode(session, { id: GROUP, fields: 'id' }).catch(() => undefined)
    if (found !== undefined) viewers.push(viewer)
  }
  return viewers
}

describe('a rule with `where`', () => {
  it.each([
    ['a value', hasEdgeToViewer('members', { where: { role: 'admin' } }), [ADMIN]],
    [
      'one of several values',
      hasEdgeToViewer('members', { where: { role: ['admin', 'member'] } }),
      [ADMIN, MEMBER],
    ],
    [
      'all of its members',
      hasEdgeToViewer('members', { where: { role: ['admin', 'member'], level: 1 } }),
      [MEMBER],
    ],
    ['no member at all', hasEdgeToViewer('members', { where: {} }), [ADMIN, MEMBER, NO_ROLE]],
    ['a value of the edge of the viewer', viewerHasEdge('groups', { where: { banned: false } }), [ADMIN]],
    [
      'the opposite, in `not`',
      not(hasEdgeToViewer('members', { where: { banned: true } })),
      [ADMIN, STRANGER, NO_ROLE],
    ],
    [
      'every rule of `allOf`',
      allOf(hasEdgeToViewer('members'), not(viewerHasEdge('groups', { where: { banned: true } }))),
      [ADMIN, NO_ROLE],
    ],
    [
      'some rule of `anyOf`',
      anyOf(
        viewerHasEdge('groups', { where: { level: 1 } }),
        hasEdgeToViewer('members', { where: { level: 3 } }),
      ),
      [ADMIN, MEMBER],
    ],
  ])('allows the viewers whose edge has %s', async (_, rule, expected) => {
    expect(await findViewers([rule])).toEqual(expected)
  })

  it('shares one check with a rule without `where` about the same edge', async () => {
    for (const rules of [
      [hasEdgeToViewer('members', { where: { level: 9 } }), hasEdgeToViewer('members')],
      [allOf(hasEdgeToViewer('members'), hasEdgeToViewer('members', { where: { level: 3 } }))],
    ]) {
      const { store, graph } = await openWith(rules)
      store.clear()
      await graph.getNode(graph.session({ viewer: ADMIN, app: 'demo' }), { id: GROUP, fields: 'id' })
      const checks = store.reads.flatMap(({ request }) => request.checks)
      expect(checks).toEqual([{ source: GROUP, name: 'members', target: ADMIN, data: true }])
    }
  })

  it('has its test and its parameters in its name', () => {
    const options = { of: 'group', where: { role: ['member', 'admin'] }, parameters: { kind: 'near' } }
    expect(viewerHasEdge('groups', options).name).toBe(
      'viewerHasEdge(groups, of group, where role is member or admin, kind near)',
    )
  })
})

describe('a rule of the team', () => {
  it('receives the record of an edge that it checks with data, and otherwise true or false', async () => {
    const seen: unknown[] = []
    const rule: Rule = {
      name: 'own',
      checks: ({ id }, { viewer = '' }) => [
        { source: id, name: 'members', target: viewer, data: true },
        { source: id, name: 'members', target: viewer },
        { source: viewer, name: 'members', target: id, data: true },
      ],
      decide: (_record, _session, found) => {
        seen.push(found)
        return 'allow'
      },
    }
    const { graph } = await openWith([rule])
    await graph.getNode(graph.session({ viewer: MEMBER, app: 'demo' }), { id: GROUP, fields: 'id' })
    const data = { role: 'member', level: 1, banned: true }
    expect(seen).toEqual([
      [{ source: GROUP, name: 'members', target: MEMBER, time: expect.any(Number), data }, true, false],
    ])
  })
})

describe('a stored value of an edge that is not valid', () => {
  it.each([
    ['banned', 'true'],
    ['role', 'owner'],
    ['level', '3'],
  ])('denies if a rule tests the field, even in `not`: %s', async (name, value) => {
    const where = { banned: true, role: 'admin', level: 3 }
    const policy = [
      not(hasEdgeToViewer('members', { where: { [name]: where[name as keyof typeof where] } })),
      fieldEquals('open', true),
    ]
    const store = createUncheckedStore(
      [
        { id: ADMIN, type: 'user', fields: {} },
        { id: GROUP, type: 'group', fields: { open: true } },
      ],
      [{ source: GROUP, name: 'members', target: ADMIN, time: 0, data: { [name]: value } }],
    )
    const graph = createGraph(store, { schema: schemaWith(policy) })
    const read = graph.getNode(graph.session({ viewer: ADMIN, app: 'demo' }), { id: GROUP, fields: 'id' })
    await expect(read).rejects.toMatchObject({ reason: 'node_not_found' })
  })
})

describe('a composed rule about edges with one name', () => {
  it('compares the data of each edge only with the fields of its own type', async () => {
    const user = node({ edges: { likes: edge(['club', 'page'], { fields: { grade: field.string() } }) } })
    const club = node({
      policy: [
        anyOf(
          viewerHasEdge('likes', { where: { grade: 'first' } }),
          hasEdgeToViewer('likes', { where: { grade: 1 } }),
          hasEdgeToViewer('likes', { of: 'page', where: { grade: true } }),
        ),
      ],
      fields: { page: field.ref('page') },
      edges: { likes: edge('user', { fields: { grade: field.int() } }) },
    })
    const page = node({ edges: { likes: edge('user', { fields: { grade: field.bool() } }) } })
    const graph = createGraph(createMemoryStore(), {
      schema: defineSchema({ user, club, page }, { viewers: ['user'] }),
    })
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'user', fields: {} } },
      { op: 'putNode', node: { id: '9', type: 'page', fields: {} } },
      ...['2', '3', '4', '5'].map(id => ({
        op: 'putNode' as const,
        node: { id, type: 'club' as const, fields: { page: id === '4' ? '9' : '404' } },
      })),
      { op: 'putEdge', edge: { source: '1', name: 'likes', target: '2', data: { grade: 'first' } } },
      { op: 'putEdge', edge: { source: '3', name: 'likes', target: '1', data: { grade: 1 } } },
      { op: 'putEdge', edge: { source: '9', name: 'likes', target: '1', data: { grade: true } } },
      { op: 'putEdge', edge: { source: '5', name: 'likes', target: '1', data: { grade: 2 } } },
    ])
    const session = graph.session({ viewer: '1', app: 'demo' })
    for (const id of ['2', '3', '4'])
      expect(await graph.getNode(session, { id, fields: 'id' }), id).toEqual({ id })
    await expect(graph.getNode(session, { id: '5', fields: 'id' })).rejects.toMatchObject({
      reason: 'node_not_found',
    })
  })
})

const KIND = parameter.enum(['near', 'far'], { default: 'near' })
const createLists = (kind: typeof KIND) =>
  edge('user', { parameters: { kind }, list: ({ kind: value }) => `friends_${value}` })

describe('a rule about an edge with several lists', () => {
  const read = async (rule: Rule) => {
    const schema = defineSchema({ user: node({ policy: [rule], edges: { friends: createLists(KIND) } }) })
    const graph = createGraph(createMemoryStore(), { schema })
    await graph.write([
      ...['1', '2'].map(id => ({ op: 'putNode' as const, node: { id, type: 'user' as const, fields: {} } })),
      { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', parameters: { kind: 'far' } } },
    ])
    const session = graph.session({ viewer: '1', app: 'demo' })
    return graph.getNode(session, { id: '2', fields: 'id' }).then(
      () => true,
      () => false,
    )
  }

  it('checks the list that its parameters choose', async () => {
    expect(await read(viewerHasEdge('friends', { parameters: { kind: 'far' } }))).toBe(true)
    expect(await read(viewerHasEdge('friends', { parameters: { kind: 'near' } }))).toBe(false)
    expect(await read(anyOf(viewerHasEdge('friends', { parameters: { kind: 'far' } })))).toBe(true)
  })

  it('checks the list for the default values without parameters', async () => {
    expect(await read(viewerHasEdge('friends'))).toBe(false)
    expect(await read(not(viewerHasEdge('friends')))).toBe(true)
  })
})
