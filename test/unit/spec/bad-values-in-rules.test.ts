import {
  allOf,
  anyOf,
  createGraph,
  defineFieldType,
  defineSchema,
  edge,
  field,
  fieldEquals,
  type GraphEvent,
  hasEdgeToViewer,
  isViewer,
  node,
  not,
  type Rule,
  viewerHasEdge,
} from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { createUncheckedStore } from '../../helpers/unchecked-store.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

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
  const events: GraphEvent[] = []
  const store = createUncheckedStore(
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
    const graph = createGraph(store, { schema, checkValues, onEvent: event => void events.push(event) })
    const session = graph.session({ viewer: VIEWER, app: 'tests' })
    const get = (fields: string): Promise<unknown> => callUntyped(graph.getNode, session, { id: '7', fields })
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

/** Each ready-made rule that reads a field, with bad and good values of that field. */
const RULES: readonly (readonly [
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

const CASES = RULES.flatMap(([rule, name, bad]) =>
  bad.map(stored => [rule.name, { [name]: stored }, rule] as const),
)
const GOOD = RULES.flatMap(([rule, name, , good]) =>
  [...good, null, undefined].map(stored => [rule.name, { [name]: stored }, rule] as const),
)

/** Compositions that allow the viewer if the inner rule does not. */
const COMPOSITIONS: readonly (readonly [string, (rule: Rule) => readonly Rule[]])[] = [
  ['[not(rule)]', rule => [not(rule)]],
  ['[not(anyOf(rule))]', rule => [not(anyOf(rule))]],
  ['[not(allOf(rule, allow))]', rule => [not(allOf(rule, EVERYBODY))]],
  ['[allOf(allow, not(rule))]', rule => [allOf(EVERYBODY, not(rule))]],
  ['[anyOf(allow, rule)]', rule => [anyOf(EVERYBODY, rule)]],
  ['[anyOf(allow, not(not(rule)))]', rule => [anyOf(EVERYBODY, not(not(rule)))]],
  ['[rule, allow]', rule => [rule, EVERYBODY]],
]

describe.each(COMPOSITIONS)('a built-in rule in the policy %s', (_, policyOf) => {
  it.each(CASES)('denies a record whose field has a bad stored value: %s %j', async (_name, stored, rule) => {
    for (const { isSeen, checkValues } of open(policyOf(rule), stored))
      expect([checkValues, await isSeen()]).toEqual([checkValues, false])
  })

  it.each(GOOD)(
    'allows a record whose field has a valid stored value or none: %s %j',
    async (_name, stored, rule) => {
      for (const { isSeen } of open(policyOf(rule), stored)) expect(await isSeen()).toBe(true)
    },
  )
})

describe('a bad stored value that a rule reads', () => {
  const policy = [not(fieldEquals('private', true))]

  it('hides a field if a built-in rule in the policy of the field reads it', async () => {
    for (const { get } of open(policy, { private: 'true', text: 'hidden' }, 'field'))
      expect(await get('text')).toEqual({ id: '7' })
    for (const { get } of open(policy, { private: false, text: 'shown' }, 'field'))
      expect(await get('text')).toEqual({ text: 'shown', id: '7' })
  })

  it('empties the list of an edge if a built-in rule in its policy reads it', async () => {
    for (const { get } of open(policy, { private: 'true' }, 'edge'))
      expect(await get('readers')).toEqual({ readers: { data: [] }, id: '7' })
    for (const { get } of open(policy, { private: false }, 'edge'))
      expect(await get('readers')).toMatchObject({ readers: { data: [{ id: OWNER }] } })
  })

  it('is reported as a denial by the built-in rule, not as a bad value', async () => {
    const [opened] = open(policy, { private: 'true' })
    await opened?.isSeen()
    const query = opened?.events.find(event => event.kind === 'query')
    expect(query).toMatchObject({
      denials: [{ rule: 'not(fieldEquals(private, true))', count: 1 }],
      badValues: [],
    })
    expect(opened?.events.filter(({ kind }) => kind === 'rule')).toEqual([])
  })

  it('has no effect if an earlier rule allows access', async () => {
    for (const { isSeen } of open([EVERYBODY, ...policy], { private: 'true' }))
      expect(await isSeen()).toBe(true)
  })

  it('is passed unchanged to a custom rule', async () => {
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
