import {
  allOf,
  anyOf,
  createGraph,
  defineFieldType,
  defineSchema,
  edge,
  field,
  fieldEquals,
  hasEdgeToViewer,
  isViewer,
  node,
  not,
  type ReadEvent,
  type Rule,
  viewerHasEdge,
} from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { createRawStore } from '../../helpers/raw-store.ts'
import { loosely } from '../abuse/fault-of.ts'

const VIEWER = '1'
const OWNER = '2'

const grade = defineFieldType({
  name: 'grade',
  expected: 'a letter',
  parse: (value: string) => (/^[a-f]$/.test(value) ? value : undefined),
  serialize: stored => stored,
})

const schemaWith = (policy: readonly Rule[], part: 'node' | 'field' | 'edge' = 'node') =>
  defineSchema(
    {
      user: node({ edges: { friends: edge('user', { symmetric: true }) } }),
      note: node({
        ...(part === 'node' && { policy }),
        fields: {
          private: field.bool(),
          level: field.int(),
          audience: field.enum(['all', 'few']),
          made: field.datetime(),
          grade: field.of(grade),
          owner: field.ref('user'),
          text: field.string(part === 'field' ? { policy } : {}),
        },
        edges: { readers: edge('user', part === 'edge' ? { policy } : {}) },
      }),
    },
    { viewers: ['user'] },
  )

const EVERYBODY: Rule = { name: 'everybody', decide: () => 'allow' }

const open = (policy: readonly Rule[], stored: unknown, part?: 'node' | 'field' | 'edge') => {
  const events: ReadEvent[] = []
  const store = createRawStore(
    [
      { id: VIEWER, type: 'user', fields: {} },
      { id: OWNER, type: 'user', fields: {} },
      { id: '7', type: 'note', fields: stored },
    ],
    [
      { source: VIEWER, name: 'friends', target: OWNER },
      { source: OWNER, name: 'friends', target: VIEWER },
      { source: '7', name: 'readers', target: OWNER },
    ],
  )
  const schema = schemaWith(policy, part)
  return (['report', 'off'] as const).map(checkValues => {
    const graph = createGraph(store, { schema, checkValues, onRead: event => void events.push(event) })
    const session = graph.session({ viewer: VIEWER, app: 'tests' })
    const get = (fields: string): Promise<unknown> => loosely(graph.getNode, session, { id: '7', fields })
    return {
      checkValues,
      events,
      get,
      isSeen: () =>
        get('id').then(
          () => true,
          () => false,
        ),
    }
  })
}

/** Each ready-made rule that reads a field, with bad values of it, with good ones, and with what opens without it. */
const READERS: readonly (readonly [
  rule: Rule,
  field: string,
  bad: readonly unknown[],
  good: readonly unknown[],
])[] = [
  [fieldEquals('private', true), 'private', ['true', 1, {}, []], [false]],
  [fieldEquals('level', 3), 'level', ['3', 3.5, 2 ** 53], [4]],
  [fieldEquals('audience', 'few'), 'audience', ['removed', 'Few', 0], ['all']],
  [fieldEquals('made', 0), 'made', ['1970-01-01T00:00:00Z', 0.5], [1]],
  [fieldEquals('grade', 'a'), 'grade', ['z', 1], ['b']],
  [fieldEquals('owner', OWNER), 'owner', [2, 'two', [OWNER]], ['3']],
  [isViewer({ of: 'owner' }), 'owner', [1, '01', [VIEWER]], ['3']],
  [viewerHasEdge('friends', { of: 'owner' }), 'owner', [2, '02', { id: OWNER }], ['3']],
  [hasEdgeToViewer('friends', { of: 'owner' }), 'owner', [2, '02', { id: OWNER }], ['3']],
]

const CASES = READERS.flatMap(([rule, name, bad]) =>
  bad.map(stored => [rule.name, rule, { [name]: stored }] as const),
)
const GOOD = READERS.flatMap(([rule, name, , good]) =>
  [...good, null, undefined].map(stored => [rule.name, rule, { [name]: stored }] as const),
)

/** Compositions that let a viewer in for whom the rule in them does not hold. */
const OPENINGS: readonly (readonly [string, (rule: Rule) => readonly Rule[]])[] = [
  ['not', rule => [not(rule)]],
  ['not of anyOf', rule => [not(anyOf(rule))]],
  ['not of allOf', rule => [not(allOf(rule, EVERYBODY))]],
  ['allOf with not', rule => [allOf(EVERYBODY, not(rule))]],
  ['anyOf beside one that allows', rule => [anyOf(EVERYBODY, rule)]],
  ['not of not', rule => [anyOf(EVERYBODY, not(not(rule)))]],
  ['before one that allows', rule => [rule, EVERYBODY]],
]

describe.each(OPENINGS)('a ready-made rule in %s', (_, policyOf) => {
  it.each(CASES)('denies a record whose field has a bad value: %s %s %j', async (_name, rule, stored) => {
    for (const { isSeen, checkValues } of open(policyOf(rule), stored))
      expect([checkValues, await isSeen()]).toEqual([checkValues, false])
  })

  it.each(GOOD)('lets in where the value is valid or absent: %s %s %j', async (_name, rule, stored) => {
    for (const { isSeen } of open(policyOf(rule), stored)) expect(await isSeen()).toBe(true)
  })
})

describe('a bad value that a ready-made rule reads', () => {
  const policy = [not(fieldEquals('private', true))]

  it('denies the field under the policy', async () => {
    for (const { get } of open(policy, { private: 'true', text: 'hidden' }, 'field'))
      expect(await get('text')).toEqual({ id: '7' })
    for (const { get } of open(policy, { private: false, text: 'shown' }, 'field'))
      expect(await get('text')).toEqual({ text: 'shown', id: '7' })
  })

  it('denies the edge under the policy', async () => {
    for (const { get } of open(policy, { private: 'true' }, 'edge'))
      expect(await get('readers')).toEqual({ readers: { data: [] }, id: '7' })
    for (const { get } of open(policy, { private: false }, 'edge'))
      expect(await get('readers')).toMatchObject({ readers: { data: [{ id: OWNER }] } })
  })

  it('is a denial by that rule, and nothing that is left out of a result', async () => {
    const [opened] = open(policy, { private: 'true' })
    await opened?.isSeen()
    const query = opened?.events.find(event => event.kind === 'query')
    expect(query).toMatchObject({
      denials: [{ rule: 'not(fieldEquals(private, true))', count: 1 }],
      badValues: [],
    })
    expect(opened?.events.filter(({ kind }) => kind === 'rule')).toEqual([])
  })

  it('does not matter if a rule before it has decided', async () => {
    for (const { isSeen } of open([EVERYBODY, ...policy], { private: 'true' }))
      expect(await isSeen()).toBe(true)
  })

  it('is given to rules of the author as it is stored', async () => {
    const seen: unknown[] = []
    const spy: Rule = {
      name: 'spy',
      decide: ({ fields }) => {
        seen.push(fields.private)
        return 'allow'
      },
    }
    for (const { isSeen } of open([spy], { private: 'true' })) expect(await isSeen()).toBe(true)
    expect(seen).toEqual(['true', 'true'])
  })
})
