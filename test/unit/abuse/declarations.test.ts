import { createGraph, defineFieldType, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { thrownBy } from './schema-faults.ts'

const user = node({ fields: { name: field.string({ default: true }) } })

describe('a declaration', () => {
  const TIME = 'description, default, scope, since, removedIn, deprecated'
  const COMMON = `${TIME}, policy`
  const decide = () => 'allow'
  const RULE = 'a rule, with a name as text, a function decide and perhaps a function tests'

  it.each([
    [
      node,
      [{ feilds: {} }],
      'node: unknown option "feilds"; expected one of description, appScoped, policy, fields, edges',
    ],
    [node, [1], 'node: expected options as an object, came 1'],
    [node, [{ fields: 1 }], 'node: fields must be an object, came 1'],
    [node, [{ edges: [] }], 'node: edges must be an object, came a list of 0'],
    [edge, [], 'edge: expected the name of a type or a list of them, came undefined'],
    [edge, [[]], 'edge: expected the name of a type or a list of them, came a list of 0'],
    [edge, [['user', 1]], 'edge: expected the name of a type or a list of them, came a list of 2'],
    [
      edge,
      ['user', { order: 'newest' }],
      'edge: order must be chronological or reverse_chronological, came "newest"',
    ],
    [
      edge,
      ['user', { limit: 1 }],
      'edge: unknown option "limit"; expected one of description, defaults, order, scope, policy, inverse, symmetric, fields',
    ],
    [field.string, [1], 'field.string: expected options as an object, came 1'],
    [
      field.string,
      [{ defalt: true }],
      `field.string: unknown option "defalt"; expected one of ${COMMON}, required, parameters, resolve, weight`,
    ],
    [
      field.list,
      [field.int(), { weight: 0 }],
      'field.list: "weight" must be an integer of at least 1; received 0',
    ],
    [
      field.map,
      [field.int(), { weight: '5' }],
      'field.map: "weight" must be an integer of at least 1; received "5"',
    ],
    [
      field.string,
      [{ weight: 1.5, resolve: decide }],
      'field.string: "weight" must be an integer of at least 1; received 1.5',
    ],
    [field.string, [{ weight: 2 }], 'field.string: only a list, a map or a computed field has a weight'],
    [field.object, [{}, { weight: 2 }], 'field.object: only a list, a map or a computed field has a weight'],
    [
      field.list,
      [field.list(field.int(), { weight: 2 })],
      'field.list: a weight belongs to the whole field, not to what is inside it',
    ],
    [field.picture, [{ weight: 2 }], `field.picture: unknown option "weight"; expected one of ${COMMON}`],
    [
      field.string,
      [{ parameters: { size: 1 } }],
      'field.string: parameter size must be a field with a value',
    ],
    [
      field.edgeTime,
      [{ required: true }],
      `field.edgeTime: unknown option "required"; expected one of ${TIME}`,
    ],
    [field.edgeTime, [{ policy: [] }], `field.edgeTime: unknown option "policy"; expected one of ${TIME}`],
    [node, [{ policy: {} }], 'node: policy must be a list of rules, came an empty object'],
    [edge, ['user', { policy: ['friends'] }], `edge: policy[0] must be ${RULE}, came "friends"`],
    [
      field.int,
      [{ policy: [{ name: 'isOpen', decide }, { name: 'isLate' }] }],
      `field.int: policy[1] must be ${RULE}, came an object with name`,
    ],
    [
      field.ref,
      ['user', { policy: [{ name: '', decide }] }],
      `field.ref: policy[0] must be ${RULE}, came an object with name, decide`,
    ],
    [
      field.viewerEdge,
      ['likes', { policy: [{ name: 'isOpen', decide, tests: [] }] }],
      `field.viewerEdge: policy[0] must be ${RULE}, came an object with name, decide, tests`,
    ],
    [
      field.viewerEdge,
      ['likes', { resolve: 1 }],
      `field.viewerEdge: unknown option "resolve"; expected one of ${COMMON}`,
    ],
    [field.enum, [], 'field.enum: expected a list of words, came undefined'],
    [field.enum, [[]], 'field.enum: expected a list of words, came a list of 0'],
    [field.enum, [['\ud83d']], 'field.enum: [0] must be well-formed text, came "\ufffd"'],
    [field.enum, [['a', 2]], 'field.enum: [1] must be well-formed text, came 2'],
    [
      field.ageRange,
      [{ form: 'birthday' }],
      `field.ageRange: unknown option "form"; expected one of ${COMMON}, from`,
    ],
    [
      field.ageRange,
      [{ required: true }],
      `field.ageRange: unknown option "required"; expected one of ${COMMON}, from`,
    ],
    [field.ageRange, ['birthday'], 'field.ageRange: expected options as an object, came "birthday"'],
    [
      field.picture,
      [{ parameters: {} }],
      `field.picture: unknown option "parameters"; expected one of ${COMMON}`,
    ],
    [field.list, [], 'field.list: expected a field with a value, came undefined'],
    [field.map, ['string'], 'field.map: expected a field with a value, came "string"'],
    [field.ref, [], 'field.ref: expected the name of a type or a list of them, came undefined'],
    [
      defineFieldType,
      [{ name: 'money', pares: 1 }],
      'defineFieldType: unknown option "pares"; expected one of name, expected, parse, serialize',
    ],
    [
      defineFieldType,
      [{ name: 'money' }],
      'defineFieldType: expected the members name, expected, parse, serialize; expected is missing',
    ],
    [defineFieldType, [{ name: 1 }], 'defineFieldType: name must be text, came 1'],
    [
      defineSchema,
      [{ user }, { version: 'v1.0' }],
      'defineSchema: unknown option "version"; expected one of versions, viewers, silhouette',
    ],
    [
      socialSchema.extend,
      [{}, { version: 'v1.0' }],
      'schema.extend: unknown option "version"; expected one of versions, viewers, silhouette',
    ],
  ])('that is wrong says what was expected and what came: %o %j', (declare, args, message) => {
    expect(thrownBy(declare, ...args)).toEqual(new TypeError(message))
  })

  it.each([
    ['defineSchema of nothing', defineSchema, []],
    ['a type that node did not make', defineSchema, [{ user: {} }]],
    ['a field that field did not make', defineSchema, [{ user: { fields: { name: 1 }, edges: {} } }]],
    ['an edge that edge did not make', defineSchema, [{ user: { fields: {}, edges: { likes: 1 } } }]],
    ['a field among the edges', node, [{ edges: { likes: field.string() } }]],
    ['an edge among the fields', node, [{ fields: { likes: edge('user') } }]],
    ['versions that are no list', defineSchema, [{ user }, { versions: 'v1.0' }]],
    ['a silhouette that is no text', defineSchema, [{ user }, { silhouette: 1 }]],
    ['node of nothing', node, []],
    ['an object of nothing', field.object, []],
    ['a field of no type', field.of, []],
    ['a viewerEdge of nothing', field.viewerEdge, []],
    ['a field type of nothing', defineFieldType, []],
    ['a field type without parse', defineFieldType, [{ name: 'money', expected: 'an amount' }]],
    ['an extension by nothing', socialSchema.extend, []],
    ['an extension with an unknown member', socialSchema.extend, [{ user: { feilds: {} } }]],
  ])('that is wrong says what was expected: %s', (_, declare, args) => {
    const error = thrownBy(declare, ...args)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toMatch(/expected|must be/)
  })
})

describe('a schema that another made', () => {
  it('is refused by createGraph', () => {
    const forged = { types: { user }, extend: () => undefined }
    expect(thrownBy(createGraph, createMemoryStore(), { schema: {} })).toEqual(
      new TypeError('createGraph: schema must be made by defineSchema, came an empty object'),
    )
    expect(thrownBy(createGraph, createMemoryStore(), { schema: forged })).toBeInstanceOf(TypeError)
  })
})
