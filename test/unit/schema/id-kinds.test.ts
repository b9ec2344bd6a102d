import { createGraph, defineSchema, edge, field, fieldEquals, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { createModelStore } from 'kithgraph/testing'
import { expect, it } from 'vitest'
import { SchemaIds } from '../../../src/schema/id-prefixes.ts'

const named = { ids: 'named' } as const
const LONG = `a${'b'.repeat(63)}`

it('a schema has digits as ids by default, and an extension has the ids of its schema', () => {
  expect(defineSchema({ photo: node({}) }).ids).toBe('digits')
  expect(defineSchema({ photo: node({}) }, { ids: 'digits' }).ids).toBe('digits')
  const schema = defineSchema({ photo: node({}) }, named)
  expect(schema.extend({ album: node({}) }).ids).toBe('named')
  // @ts-expect-error An extension cannot change the ids.
  const change = () => schema.extend({}, { ids: 'digits' })
  expect(change).toThrow('schema.extend: options must be one of')
  // @ts-expect-error There is no such kind.
  const invent = () => defineSchema({ photo: node({}) }, { ids: 'uuids' })
  expect(invent).toThrow('defineSchema: "ids" must be one of "digits", "named"; received "uuids"')
})

it('a named id belongs to the type with its prefix', () => {
  const schema = defineSchema({ account: node({ idPrefix: 'user' }), photo: node({}) }, named)
  const ids = new SchemaIds(schema.extend({ photo: { idPrefix: 'pic' } }))
  expect(['user-1', 'pic-1', 'photo-1', 'account-1'].map(id => ids.typeOf(id))).toEqual([
    'account',
    'photo',
    undefined,
    undefined,
  ])
})

it.each([
  [
    { a: node({ idPrefix: 'x' }), b: node({ idPrefix: 'x' }) },
    'b: "idPrefix" must be different from those of all other types; received the prefix of a',
  ],
  [
    { a: node({ idPrefix: 'b' }), b: node({ idPrefix: 'c' }) },
    'a: "idPrefix" must be different from the names of other types; received "b"',
  ],
  [
    { a: node({ idPrefix: 'B' }) },
    'a: "idPrefix" must be a name of a–z, 0–9 and _ that begins with a letter, of at most 63 characters; received "B"',
  ],
  [
    { a: node({ idPrefix: LONG }) },
    'a: "idPrefix" must be a name of a–z, 0–9 and _ that begins with a letter, of at most 63 characters; received',
  ],
  [
    { [LONG]: node({}) },
    'the name must be a name of a–z, 0–9 and _ that begins with a letter, of at most 63 characters, since ids contain it; received',
  ],
])('a schema with named ids rejects prefixes that are not names of one type (%#)', (types, message) => {
  expect(() => defineSchema(types, named)).toThrow(message)
})

it('a schema with digits rejects an idPrefix, and allows long names of types', () => {
  expect(() => defineSchema({ a: node({ idPrefix: 'b' }) })).toThrow(
    'a: "idPrefix" must be left out of a schema whose ids are digits; received "b"',
  )
  expect(() => defineSchema({ [LONG]: node({}) })).not.toThrow()
})

it('a rule compares a ref with an id of the kind of the schema', () => {
  const define = (id: string, ids: 'digits' | 'named') => () =>
    defineSchema(
      {
        photo: node({
          policy: [fieldEquals('owner', id)],
          fields: { owner: field.ref('photo') },
          edges: { near: edge('photo') },
        }),
      },
      { ids },
    )
  expect(define('1', 'digits')).not.toThrow()
  expect(define('photo-1', 'named')).not.toThrow()
  expect(define('1', 'named')).toThrow('a value that "owner" can have')
  expect(define('photo-1', 'digits')).toThrow('a value that "owner" can have')
})

it('createGraph throws if the store does not have the kind of ids of the schema', () => {
  const schema = defineSchema({ photo: node({}) }, named)
  for (const store of [createMemoryStore(), createModelStore()])
    expect(() => createGraph(store, { schema })).not.toThrow()
  const { ids: _, ...digits } = createMemoryStore().capabilities
  expect(() => createGraph({ ...createMemoryStore(), capabilities: digits }, { schema })).toThrow(
    'createGraph: "store" must be a store whose capability "ids" includes "named", since the schema has such ids; received a store with ids: ["digits"]',
  )
  const onlyNamed = { ...digits, ids: ['named'] as const }
  expect(() => createGraph({ ...createMemoryStore(), capabilities: onlyNamed })).toThrow(
    'createGraph: "schema" must be given, since the store has named ids: for a table store, pass the schema that defineTables returned; received undefined',
  )
  const digitsSchema = defineSchema({ photo: node({}) })
  expect(() =>
    createGraph({ ...createMemoryStore(), capabilities: onlyNamed }, { schema: digitsSchema }),
  ).toThrow('includes "digits"')
  expect(() => createGraph({ ...createMemoryStore(), capabilities: digits })).not.toThrow()
})
