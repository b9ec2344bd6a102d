import {
  canSee,
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  hasEdgeToViewer,
  isViewer,
  node,
  parameter,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from './expect-graph-error.ts'
import { collectSchemaErrors } from './schema-errors.ts'

const MOODS = ['calm', 'cross'] as const
const ROLES = ['guest', 'host'] as const
const KINDS = ['plain', 'other'] as const

const data = { role: field.enum(ROLES), grade: field.int({ scope: 'grades' }) }

const listParameters = {
  parameters: { kind: parameter.enum(KINDS, { default: 'plain' }) },
  list: ({ kind }: { readonly kind: string }) => kind,
}

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ default: true }), mood: field.enum(MOODS) } }),
    club: node({
      policy: [fieldEquals('open', true), hasEdgeToViewer('members')],
      fields: {
        open: field.bool(),
        my_role: field.viewerEdge('judges', { field: 'role' }),
        my_other_role: field.viewerEdge('judges', { field: 'role', parameters: { kind: 'other' } }),
        my_grade: field.viewerEdge('members', { field: 'grade' }),
      },
      edges: {
        members: edge('user', { fields: data }),
        graded: edge('user', {
          fields: data,
          parameters: { grade: parameter.int() },
          // The field has a scope, so the filter never receives it.
          where: entry => Reflect.get(entry.data, 'grade') === undefined,
        }),
        guests: edge('person', {
          fields: data,
          parameters: { mood: parameter.enum(MOODS), role: parameter.enum(ROLES) },
          reads: ['mood'],
          where: ({ data, target }, { mood, role }) =>
            (mood === undefined || target.fields.mood === mood) && (role === undefined || data.role === role),
        }),
        judges: edge('user', { fields: data, policy: [isViewer()], ...listParameters }),
      },
    }),
    person: node({
      policy: [canSee('friend')],
      fields: { friend: field.ref('person'), mood: field.enum(MOODS) },
    }),
  },
  { viewers: ['user'] },
)

/** Opens a club whose guest is hidden from the viewer. Everything that `hidden` contains is hidden, too. */
const openClub = async (hidden: {
  readonly mood: (typeof MOODS)[number]
  readonly role: (typeof ROLES)[number]
  readonly grade: number
}) => {
  const graph = createGraph(createMemoryStore(), { schema, secret: 'the secret of the club' })
  const { mood, role, grade } = hidden
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '5', type: 'user', fields: { name: 'Ben' } } },
    { op: 'putNode', node: { id: '2', type: 'club', fields: { open: true } } },
    { op: 'putNode', node: { id: '3', type: 'club', fields: { open: false } } },
    { op: 'putNode', node: { id: '4', type: 'person', fields: { mood, friend: '4' } } },
    {
      op: 'putEdge',
      edge: { source: '2', name: 'members', target: '1', time: 1, data: { grade, role: 'guest' } },
    },
    { op: 'putEdge', edge: { source: '2', name: 'graded', target: '5', time: 1, data: { grade } } },
    { op: 'putEdge', edge: { source: '2', name: 'guests', target: '4', time: grade, data: { role } } },
    { op: 'putEdge', edge: { source: '3', name: 'guests', target: '4', time: grade, data: { role } } },
    {
      op: 'putEdge',
      edge: {
        source: '2',
        name: 'judges',
        target: '1',
        time: grade,
        data: { role },
        parameters: { kind: grade % 2 === 0 ? 'plain' : 'other' },
      },
    },
  ])
  return { graph, session: graph.session({ viewer: '1', app: 'demo' }) }
}

type Club = Awaited<ReturnType<typeof openClub>>

/** Returns the result or the error of a call as text, without the trace id. */
const captureText = (call: Promise<unknown>): Promise<string> =>
  call.then(
    result => JSON.stringify(result) ?? 'nothing',
    async () => {
      const { fbtrace_id: _, ...error } = (await expectGraphError(call)).toJSON().error
      return JSON.stringify(error)
    },
  )

type Probe = { readonly id: string; readonly edge: string; readonly target: string; readonly values: object }

/** Reads an edge with the values of its parameters in every way. */
const probe = ({ graph, session }: Club, { id, edge, target, values }: Probe): Promise<readonly string[]> => {
  const call = { id, edge, parameters: values }
  const fields = 'id,mood,role,grade'
  return Promise.all(
    [
      callUntyped(graph.getEdge, session, { ...call, summary: true }),
      callUntyped(graph.getEdge, session, { ...call, summary: true, limit: 0 }),
      callUntyped(graph.getEdgeEntry, session, { ...call, target }),
      callUntyped(graph.getEdgeEntry, session, {
        ...call,
        target,
        fields: edge === 'guests' ? fields : 'id,grade',
      }),
      callUntyped(graph.hasEdge, session, { ...call, target }),
    ].map(captureText),
  )
}

const OTHERS = MOODS.flatMap(mood => ROLES.flatMap(role => [3, 4].map(grade => ({ mood, role, grade }))))

const WORLDS = await Promise.all(OTHERS.map(openClub))

/** Expects that a read has the same text whatever is hidden, and returns the text. */
const expectSame = async (read: (club: Club) => Promise<unknown>): Promise<string> => {
  const texts = new Set<string>()
  for (const club of WORLDS) texts.add(JSON.stringify(await read(club)))
  expect([...texts]).toHaveLength(1)
  return [...texts].join()
}

describe('a caller that tries every value of a parameter', () => {
  const values = [undefined, ...MOODS].flatMap(mood => [undefined, ...ROLES].map(role => ({ mood, role })))

  it.each(values)('learns nothing about an entry that is hidden by canSee: %j', async values => {
    for (const id of ['2', '3', '404']) {
      const text = await expectSame(club => probe(club, { id, edge: 'guests', target: '4', values }))
      expect(text).not.toContain('"4"')
    }
  })

  it.each(KINDS)('learns nothing about a list that is denied: kind %s', async kind => {
    const text = await expectSame(club =>
      probe(club, { id: '2', edge: 'judges', target: '1', values: { kind } }),
    )
    expect(text).not.toContain('Ada')
  })

  it.each([0, 3, 4, -1])('learns nothing about a field of the edge that needs a scope: %i', async grade => {
    const text = await expectSame(club =>
      probe(club, { id: '2', edge: 'graded', target: '5', values: { grade } }),
    )
    expect(text).toContain('Ben')
  })

  it('receives the same error for an invalid value, whether the source is hidden or missing', async () => {
    const read = (id: string) => (club: Club) =>
      probe(club, { id, edge: 'guests', target: '4', values: { mood: 'sad' } })
    expect((await expectSame(read('3'))).replaceAll('3', '404')).toBe(await expectSame(read('404')))
  })
})

describe('a field about the viewer’s own edge', () => {
  it('returns nothing of an edge whose policy denies, and nothing that needs a scope, in any list', async () => {
    const fields = 'my_role,my_other_role,my_grade'
    const text = await expectSame(({ graph, session }) => graph.getNode(session, { id: '2', fields }))
    expect(text).toBe('{"id":"2"}')
  })

  it.each(['my_role.kind(other)', 'my_role.role(host)', 'my_role.where(role)'])(
    'accepts no parameters of a caller: %s',
    async fields => {
      const [club] = WORLDS
      const error = await expectGraphError(
        callUntyped(club?.graph.getNode ?? (() => undefined), club?.session, { id: '2', fields }),
      )
      expect(error.reason).toBe('invalid_parameter')
    },
  )
})

describe('a filter', () => {
  it.each([
    ['a policy', field.enum(MOODS, { policy: [] })],
    ['a scope', field.enum(MOODS, { scope: 'moods' })],
  ])('cannot read a field of its target with %s', (protection, mood) => {
    const parameters = { mood: parameter.enum(MOODS) }
    const guests = edge('person', { parameters, reads: ['mood'], where: () => true })
    expect(
      collectSchemaErrors({ person: node({ fields: { mood } }), club: node({ edges: { guests } }) }),
    ).toEqual([
      `club.guests: "reads" must be fields without scope and policy; received "mood", which has ${protection} on person`,
    ])
  })
})
