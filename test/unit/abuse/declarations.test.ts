import { createGraph, defineFieldType, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { catchError } from './schema-errors.ts'

const user = node({ fields: { name: field.string({ default: true }) } })

describe('an invalid declaration in a schema', () => {
  const TIME = '"description", "default", "scope", "since", "removedIn", "deprecated"'
  const COMMON = `${TIME}, "policy"`
  const decide = () => 'allow'
  const RULE =
    'a rule: an object with a name, a function "decide" and optionally a function "checks" and an array "reads"'

  it.each([
    [
      node,
      [{ feilds: {} }],
      'node: options must be one of "description", "appScoped", "policy", "idPrefix", "fields", "edges"; received "feilds"; did you mean fields?',
    ],
    [node, [1], 'node: "definition" must be an object; received 1'],
    [node, [{ fields: 1 }], 'node: "fields" must be an object; received 1'],
    [node, [{ edges: [] }], 'node: "edges" must be an object; received an array of length 0'],
    [edge, [], 'edge: "targets" must be the name of a type or an array of names; received undefined'],
    [
      edge,
      [[]],
      'edge: "targets" must be the name of a type or an array of names; received an array of length 0',
    ],
    [
      edge,
      [['user', 1]],
      'edge: "targets" must be the name of a type or an array of names; received an array of length 2',
    ],
    [
      edge,
      ['user', { order: 'newest' }],
      'edge: "order" must be one of "chronological", "reverse_chronological"; received "newest"',
    ],
    [
      edge,
      ['user', { limit: 1 }],
      'edge: options must be one of "description", "defaults", "order", "orders", "scope", "policy", "inverse", "symmetric", "fields", "parameters", "list", "where", "reads", "resolve", "backward", "times", "positionKey"; received "limit"; did you mean list?',
    ],
    [field.string, [1], 'field.string: "options" must be an object; received 1'],
    [
      field.string,
      [{ defalt: true }],
      `field.string: options must be one of ${COMMON}, "required", "present", "parameters", "resolve", "reads", "weight"; received "defalt"; did you mean default?`,
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
    [
      field.string,
      [{ weight: 2 }],
      'field.string: "weight" must be left out unless the field is a list, a map, JSON or computed; received 2',
    ],
    [
      field.object,
      [{}, { weight: 2 }],
      'field.object: "weight" must be left out unless the field is a list, a map, JSON or computed; received 2',
    ],
    [
      field.list,
      [field.list(field.int(), { weight: 2 })],
      'field.list: "of.weight" must be left out, since only a whole field can have it; received 2',
    ],
    [field.picture, [{ weight: 2 }], `field.picture: options must be one of ${COMMON}; received "weight"`],
    [
      field.string,
      [{ parameters: { size: 1 } }],
      'field.string: "parameters.size" must be a parameter, such as the result of parameter.int(); received 1',
    ],
    [
      field.edgeTime,
      [{ required: true }],
      `field.edgeTime: options must be one of ${TIME}; received "required"`,
    ],
    [field.edgeTime, [{ policy: [] }], `field.edgeTime: options must be one of ${TIME}; received "policy"`],
    [node, [{ policy: {} }], 'node: "policy" must be an array of rules; received an empty object'],
    [edge, ['user', { policy: ['friends'] }], `edge: "policy[0]" must be ${RULE}; received "friends"`],
    [
      field.int,
      [{ policy: [{ name: 'isOpen', decide }, { name: 'startsAfterExcess' }] }],
      `field.int: "policy[1]" must be ${RULE}; received an object with name`,
    ],
    [
      field.ref,
      ['user', { policy: [{ name: '', decide }] }],
      `field.ref: "policy[0]" must be ${RULE}; received an object with name, decide`,
    ],
    [
      field.viewerEdge,
      ['likes', { policy: [{ name: 'isOpen', decide, checks: [] }] }],
      `field.viewerEdge: "policy[0]" must be ${RULE}; received an object with name, decide, checks`,
    ],
    [
      field.viewerEdge,
      ['likes', { resolve: 1 }],
      `field.viewerEdge: options must be one of ${COMMON}, "field", "parameters"; received "resolve"`,
    ],
    [field.enum, [], 'field.enum: "words" must be an array of at least one string; received undefined'],
    [
      field.enum,
      [[]],
      'field.enum: "words" must be an array of at least one string; received an array of length 0',
    ],
    [field.enum, [['\ud83d']], 'field.enum: "words[0]" must be a well-formed string; received "\ufffd"'],
    [field.enum, [['a', 2]], 'field.enum: "words[1]" must be a well-formed string; received 2'],
    [
      field.ageRange,
      [{ form: 'birthday' }],
      `field.ageRange: options must be one of ${COMMON}, "from"; received "form"; did you mean from?`,
    ],
    [
      field.ageRange,
      [{ required: true }],
      `field.ageRange: options must be one of ${COMMON}, "from"; received "required"`,
    ],
    [field.ageRange, ['birthday'], 'field.ageRange: "options" must be an object; received "birthday"'],
    [
      field.picture,
      [{ parameters: {} }],
      `field.picture: options must be one of ${COMMON}; received "parameters"`,
    ],
    [field.list, [], 'field.list: "of" must be a field with a value; received undefined'],
    [field.map, ['string'], 'field.map: "of" must be a field with a value; received "string"'],
    [
      field.ref,
      [],
      'field.ref: "targets" must be the name of a type or an array of names; received undefined',
    ],
    [
      defineFieldType,
      [{ name: 'money', pares: 1 }],
      'defineFieldType: options must be one of "name", "expected", "parse", "serialize"; received "pares"; did you mean parse?',
    ],
    [defineFieldType, [{ name: 'money' }], 'defineFieldType: "expected" must be given; received undefined'],
    [defineFieldType, [{ name: 1 }], 'defineFieldType: "name" must be a string; received 1'],
    [
      defineSchema,
      [{ user }, { version: 'v1.0' }],
      'defineSchema: options must be one of "versions", "viewers", "defaultPicture", "collections", "ids"; received "version"; did you mean versions?',
    ],
    [
      socialSchema.extend,
      [{}, { version: 'v1.0' }],
      'schema.extend: options must be one of "versions", "viewers", "defaultPicture", "collections"; received "version"; did you mean versions?',
    ],
  ])('throws an error with the expected and the received value: %o %j', (declare, args, message) => {
    expect(catchError(declare, ...args)).toEqual(new TypeError(message))
  })

  it.each([
    ['defineSchema without arguments', defineSchema, []],
    ['a type that node did not make', defineSchema, [{ user: {} }]],
    ['a field that field did not make', defineSchema, [{ user: { fields: { name: 1 }, edges: {} } }]],
    ['an edge that edge did not make', defineSchema, [{ user: { fields: {}, edges: { likes: 1 } } }]],
    ['a field among the edges', node, [{ edges: { likes: field.string() } }]],
    ['an edge among the fields', node, [{ fields: { likes: edge('user') } }]],
    ['versions that are not a list', defineSchema, [{ user }, { versions: 'v1.0' }]],
    ['a default picture that is not text', defineSchema, [{ user }, { defaultPicture: 1 }]],
    ['node without arguments', node, []],
    ['field.object without arguments', field.object, []],
    ['field.of without arguments', field.of, []],
    ['field.viewerEdge without arguments', field.viewerEdge, []],
    ['defineFieldType without arguments', defineFieldType, []],
    ['a field type without parse', defineFieldType, [{ name: 'money', expected: 'an amount' }]],
    ['extend without arguments', socialSchema.extend, []],
    ['extend with an unknown member', socialSchema.extend, [{ user: { feilds: {} } }]],
  ])('throws an error with the expected value: %s', (_, declare, args) => {
    const error = catchError(declare, ...args)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toMatch(/expected|must be/)
  })
})

describe('a schema that defineSchema did not create', () => {
  it('is rejected by createGraph', () => {
    const forged = { types: { user }, extend: () => undefined }
    expect(catchError(createGraph, createMemoryStore(), { schema: {} })).toEqual(
      new TypeError(
        'createGraph: "schema" must be a schema that defineSchema() returns; received an empty object',
      ),
    )
    expect(catchError(createGraph, createMemoryStore(), { schema: forged })).toBeInstanceOf(TypeError)
  })
})
