import { createGraph, createStaticAuth, defineSchema, edge, field, isViewer, node } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const OPTIONS =
  'schema, auth, appIds, appSecrets, requireProof, limits, version, consistency, checkValues, secret, now, onRead'
const LIMITS = ['length', 'depth', 'items', 'cost', 'scan', 'page', 'ids', 'deadline']

const AUTH = 'must be an object with authenticate, such as createStaticAuth gives'
const NO_SECRET =
  'createGraph: appIds needs a secret, since without one tokens and cursors tell of the ids that appIds hides'

const SHORT = (name: string, received: string): string =>
  `createGraph: "${name}" must be text of at least 16 characters; received ${received}`

const appIds = createAppIds({ secrets: { 1: 'a secret of at least 16' }, current: 1 })

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
    ['appSecrets', { demo: '' }, SHORT('appSecrets.demo', 'text of 0 characters')],
    ['appSecrets', { demo: 1 }, SHORT('appSecrets.demo', 'a value of type number')],
    ['appSecrets', { demo: undefined }, SHORT('appSecrets.demo', 'a value of type undefined')],
    [
      'appSecrets',
      { ok: 'x'.repeat(16), demo: 'fifteen letters' },
      SHORT('appSecrets.demo', 'text of 15 characters'),
    ],
    ['secret', '', SHORT('secret', 'text of 0 characters')],
    ['secret', 'fifteen letters', SHORT('secret', 'text of 15 characters')],
    ['auth', null, `createGraph: auth ${AUTH}, came null`],
    ['auth', 'token', `createGraph: auth ${AUTH}, came "token"`],
    ['auth', createStaticAuth, `createGraph: auth ${AUTH}, came a function`],
    ['auth', [undefined], `createGraph: auth[0] ${AUTH}, came undefined`],
    [
      'auth',
      [createStaticAuth({}), [createStaticAuth({})]],
      `createGraph: auth[1] ${AUTH}, came a list of 1`,
    ],
    // Nothing of what was given: whoever forgot createStaticAuth gives tokens.
    [
      'auth',
      { 'a token': { app: 'demo' } },
      `createGraph: auth ${AUTH}, came an object without authenticate`,
    ],
    [
      'auth',
      { authenticate: () => undefined, digest: 'sha256' },
      'createGraph: auth.digest must be a function, came "sha256"',
    ],
    ['appIds', 1, 'createGraph: appIds must be an object, came 1'],
    [
      'appIds',
      { current: 1 },
      'createGraph: appIds must be what createAppIds gives, came an object with current',
    ],
    ['appIds', appIds, NO_SECRET],
    ['requireProof', 'yes', 'createGraph: requireProof must be a boolean, came "yes"'],
    ['version', '1.0', 'createGraph: version must be one of the schema\'s: v1.0, came "1.0"'],
    ['version', 'v2.0', `createGraph: version must be one of the schema's: v1.0, came "v2.0"`],
    ['consistency', 'strong', `createGraph: consistency must be 'wave' or 'snapshot', came "strong"`],
    ['checkValues', true, `createGraph: "checkValues" must be 'report', 'error' or 'off'; received true`],
    ['checkValues', 'warn', `createGraph: "checkValues" must be 'report', 'error' or 'off'; received "warn"`],
    [
      'secret',
      1,
      'createGraph: "secret" must be text of at least 16 characters; received a value of type number',
    ],
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

  it('is a secret, where there are appIds', () => {
    expect(create(createMemoryStore(), { appIds })).toThrow(new TypeError(NO_SECRET))
    expect(create(createMemoryStore(), { appIds, secret: 'sixteen letters.' })).not.toThrow()
  })

  it('is a secret, where the store is shared and the schema has a policy', () => {
    const name = field.string()
    const policy = [isViewer()]
    const shared = {
      ...createMemoryStore(),
      capabilities: { ...createMemoryStore().capabilities, shared: true },
    }
    const open = defineSchema({ user: node({ fields: { name } }) }, { versions: ['v1.0'] })
    for (const parts of [
      { fields: { name }, policy },
      { fields: { name: field.string({ policy }) } },
      { fields: { name }, edges: { friends: edge('user', { policy }) } },
    ]) {
      const schema = defineSchema({ user: node(parts) }, { versions: ['v1.0'] })
      expect(create(shared, { schema })).toThrow(TypeError)
      expect(create(shared, { schema })).toThrow(
        'createGraph: "secret" must be given for a shared store and a schema with a policy',
      )
      expect(create(shared, { schema, secret: 'sixteen letters.' })).not.toThrow()
      expect(create(createMemoryStore(), { schema })).not.toThrow()
    }
    expect(create(shared, { schema: open })).not.toThrow()
  })

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
