import { createGraph, defineSchema, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const OPTIONS = 'schema, appSecrets, requireProof, limits, version, consistency, secret, now, onRead'
const LIMITS = ['length', 'depth', 'items', 'cost', 'page', 'ids', 'deadline']

const create =
  (...args: unknown[]) =>
  (): unknown =>
    Reflect.apply(createGraph, undefined, args)

describe('createGraph without a store', () => {
  it.each([
    [undefined, 'came undefined'],
    [null, 'came null'],
    ['memory', 'came "memory"'],
    [createMemoryStore, 'came a function'],
    [{}, 'came an empty object, which lacks open, close, read, write, snapshot, capabilities'],
    [new Map(), 'which lacks open, close, read, write, snapshot, capabilities'],
  ])('is misuse: %o', (store, message) => {
    expect(create(store)).toThrow(TypeError)
    expect(create(store)).toThrow('expected a store, such as createMemoryStore() gives')
    expect(create(store)).toThrow(message)
  })

  it('is misuse where a method is missing', () => {
    expect(create({ ...createMemoryStore(), snapshot: undefined })).toThrow('which lacks snapshot')
  })
})

describe('an option of createGraph', () => {
  it.each([
    ['sceham', {}, `createGraph: unknown option "sceham"; expected one of ${OPTIONS}`],
    ['schema', {}, 'createGraph: schema must be made by defineSchema, came an empty object'],
    ['appSecrets', 'secret', 'createGraph: appSecrets must be an object, came "secret"'],
    [
      'appSecrets',
      { demo: '' },
      'createGraph: appSecrets must be an object of secrets by app, came an object with demo',
    ],
    [
      'appSecrets',
      { demo: 1 },
      'createGraph: appSecrets must be an object of secrets by app, came an object with demo',
    ],
    ['requireProof', 'yes', 'createGraph: requireProof must be a boolean, came "yes"'],
    ['version', '1.0', 'createGraph: version must be one of the schema\'s: v1.0, came "1.0"'],
    ['version', 'v2.0', `createGraph: version must be one of the schema's: v1.0, came "v2.0"`],
    ['consistency', 'strong', `createGraph: consistency must be 'wave' or 'snapshot', came "strong"`],
    ['secret', 1, 'createGraph: secret must be text, came 1'],
    ['now', 0, 'createGraph: now must be a function, came 0'],
    ['onRead', 'log', 'createGraph: onRead must be a function, came "log"'],
    ['limits', 1, 'createGraph: limits must be an object, came 1'],
    [
      'limits',
      { pages: 1 },
      `createGraph: limits: unknown option "pages"; expected one of ${LIMITS.join(', ')}`,
    ],
  ])('that is wrong is misuse: %s %o', (name, value, message) => {
    expect(create(createMemoryStore(), { [name]: value })).toThrow(new TypeError(message))
  })

  it.each(LIMITS.flatMap(limit => [0, -1, 1.5, '5', Number.NaN].map(value => [limit, value] as const)))(
    'that is wrong is misuse: limits.%s %o',
    (limit, value) => {
      expect(create(createMemoryStore(), { limits: { [limit]: value } })).toThrow(
        `createGraph: limits.${limit} must be a positive integer, came `,
      )
    },
  )

  it('may be undefined', () => {
    const options = Object.fromEntries(OPTIONS.split(', ').map(name => [name, undefined]))
    expect(create(createMemoryStore(), options)).not.toThrow()
    const limits = Object.fromEntries(LIMITS.map(name => [name, undefined]))
    expect(create(createMemoryStore(), { limits })).not.toThrow()
    expect(create(createMemoryStore(), undefined)).not.toThrow()
  })

  it.each([null, 1, 'schema', []])('is in an object, not in %o', options => {
    expect(create(createMemoryStore(), options)).toThrow(/^createGraph: expected options as an object, came /)
  })

  it('names a version that the schema has', () => {
    const schema = defineSchema({ user: node({}) }, { versions: ['v2.12', 'v2.3'] })
    expect(create(createMemoryStore(), { schema, version: 'v2.4' })).toThrow(
      `createGraph: version must be one of the schema's: v2.3, v2.12, came "v2.4"`,
    )
  })

  // The runtime tells of a property of null instead.
  it('is no schema where it is null', () => {
    expect(create(createMemoryStore(), { schema: null })).toThrow(
      new TypeError('createGraph: schema must be made by defineSchema, came null'),
    )
  })
})
