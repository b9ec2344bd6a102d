import { createGraph, createStaticAuth, defineSchema, edge, field, isViewer, node } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const OPTIONS =
  '"schema", "actions", "auth", "appIds", "appSecrets", "requireProof", "limits", "version", "consistency", "checkValues", "checkReads", "secret", "now", "onEvent"'
const LIMITS = ['length', 'depth', 'fields', 'cost', 'scan', 'page', 'ids', 'timeoutMs', 'actionTimeoutMs']

const AUTH =
  'must be an object with a function "authenticate", such as the result of createStaticAuth(); received'
const NO_SECRET =
  'createGraph: "secret" must be given with "appIds", since tokens and cursors would reveal the hidden ids without it; received undefined'

const SHORT = (name: string, received: string): string =>
  `createGraph: "${name}" must be a string of at least 16 characters; received ${received}`

const appIds = createAppIds({ secrets: { 1: 'a secret of at least 16' }, current: 1 })

const create =
  (...args: unknown[]) =>
  (): unknown =>
    Reflect.apply(createGraph, undefined, args)

describe('createGraph with an invalid store', () => {
  it.each([
    [undefined, 'received undefined'],
    [null, 'received null'],
    ['memory', 'received "memory"'],
    [createMemoryStore, 'received a function'],
    [{}, 'received an object without open, close, read, write, snapshot, capabilities'],
    [new Map(), 'received an object without open, close, read, write, snapshot, capabilities'],
  ])('throws a usage error for %o', (store, message) => {
    expect(create(store)).toThrow(TypeError)
    expect(create(store)).toThrow(
      'createGraph: "store" must be a store, such as the result of createMemoryStore(); received ',
    )
    expect(create(store)).toThrow(message)
  })

  it('names the missing method in its usage error', () => {
    expect(create({ ...createMemoryStore(), snapshot: undefined })).toThrow(
      'received an object without snapshot',
    )
  })
})

describe('createGraph', () => {
  it.each([
    ['sceham', {}, `createGraph: options must be one of ${OPTIONS}; received "sceham"; did you mean schema?`],
    [
      'schema',
      {},
      'createGraph: "schema" must be a schema that defineSchema() returns; received an empty object',
    ],
    ['appSecrets', 'secret', 'createGraph: "appSecrets" must be an object; received "secret"'],
    ['appSecrets', { demo: '' }, SHORT('appSecrets.demo', 'a string of 0 characters')],
    ['appSecrets', { demo: 1 }, SHORT('appSecrets.demo', 'a value of type number')],
    ['appSecrets', { demo: undefined }, SHORT('appSecrets.demo', 'a value of type undefined')],
    [
      'appSecrets',
      { ok: 'x'.repeat(16), demo: 'fifteen letters' },
      SHORT('appSecrets.demo', 'a string of 15 characters'),
    ],
    ['secret', '', SHORT('secret', 'a string of 0 characters')],
    ['secret', 'fifteen letters', SHORT('secret', 'a string of 15 characters')],
    ['auth', null, `createGraph: "auth" ${AUTH} null`],
    ['auth', 'token', `createGraph: "auth" ${AUTH} "token"`],
    ['auth', createStaticAuth, `createGraph: "auth" ${AUTH} a function`],
    ['auth', [undefined], `createGraph: "auth[0]" ${AUTH} undefined`],
    [
      'auth',
      [createStaticAuth({}), [createStaticAuth({})]],
      `createGraph: "auth[1]" ${AUTH} an array of length 1`,
    ],
    // The message must not show the tokens of a caller who forgot createStaticAuth.
    ['auth', { 'a token': { app: 'demo' } }, `createGraph: "auth" ${AUTH} an object without "authenticate"`],
    [
      'auth',
      { authenticate: () => undefined, digest: 'sha256' },
      'createGraph: "auth.digest" must be a function; received "sha256"',
    ],
    ['appIds', 1, 'createGraph: "appIds" must be an object; received 1'],
    [
      'appIds',
      { current: 1 },
      'createGraph: "appIds" must be an object that createAppIds() returns; received an object with current',
    ],
    ['appIds', appIds, NO_SECRET],
    ['requireProof', 'yes', 'createGraph: "requireProof" must be a boolean; received "yes"'],
    ['version', '1.0', 'createGraph: "version" must be one of "v1.0"; received "1.0"'],
    ['version', 'v2.0', `createGraph: "version" must be one of "v1.0"; received "v2.0"`],
    [
      'consistency',
      'strong',
      `createGraph: "consistency" must be one of "read", "snapshot"; received "strong"`,
    ],
    [
      'checkValues',
      true,
      `createGraph: "checkValues" must be one of "report", "error", "off"; received true`,
    ],
    [
      'checkValues',
      'warn',
      `createGraph: "checkValues" must be one of "report", "error", "off"; received "warn"`,
    ],
    [
      'secret',
      1,
      'createGraph: "secret" must be a string of at least 16 characters; received a value of type number',
    ],
    ['now', 0, 'createGraph: "now" must be a function; received 0'],
    ['onEvent', 'log', 'createGraph: "onEvent" must be a function; received "log"'],
    ['limits', 1, 'createGraph: "limits" must be an object; received 1'],
    [
      'limits',
      { pages: 1 },
      `createGraph: options of "limits" must be one of ${LIMITS.map(name => `"${name}"`).join(', ')}; received "pages"; did you mean page?`,
    ],
  ])('rejects an invalid option with a usage error: %s %o', (name, value, message) => {
    expect(create(createMemoryStore(), { [name]: value })).toThrow(new TypeError(message))
  })

  it.each(LIMITS.flatMap(limit => [0, -1, 1.5, '5', Number.NaN].map(value => [limit, value] as const)))(
    'rejects an invalid limit with a usage error: limits.%s %o',
    (limit, value) => {
      expect(create(createMemoryStore(), { limits: { [limit]: value } })).toThrow(
        `createGraph: "limits.${limit}" must be an integer of at least 1; received `,
      )
    },
  )

  it('requires the option secret if appIds is given', () => {
    expect(create(createMemoryStore(), { appIds })).toThrow(new TypeError(NO_SECRET))
    expect(create(createMemoryStore(), { appIds, secret: 'sixteen letters.' })).not.toThrow()
  })

  it('requires the option secret for a shared store and a schema with a policy', () => {
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
        'createGraph: "secret" must be given for a shared store and actions, or a schema with a policy',
      )
      expect(create(shared, { schema, secret: 'sixteen letters.' })).not.toThrow()
      expect(create(createMemoryStore(), { schema })).not.toThrow()
    }
    expect(create(shared, { schema: open })).not.toThrow()
  })

  it('accepts undefined for each option', () => {
    const options = Object.fromEntries(OPTIONS.split(', ').map(name => [JSON.parse(name), undefined]))
    expect(create(createMemoryStore(), options)).not.toThrow()
    const limits = Object.fromEntries(LIMITS.map(name => [name, undefined]))
    expect(create(createMemoryStore(), { limits })).not.toThrow()
    expect(create(createMemoryStore(), undefined)).not.toThrow()
  })

  it.each([[null], [1], ['schema'], [[]]])('rejects options that are not an object: %o', options => {
    expect(create(createMemoryStore(), options)).toThrow(
      /^createGraph: "options" must be an object; received /,
    )
  })

  it('rejects a version that the schema does not declare', () => {
    const schema = defineSchema({ user: node({}) }, { versions: ['v2.12', 'v2.3'] })
    expect(create(createMemoryStore(), { schema, version: 'v2.4' })).toThrow(
      'createGraph: "version" must be one of "v2.3", "v2.12"; received "v2.4"',
    )
  })

  // Without a check, the runtime would throw an error about a property of null.
  it('rejects null as the schema with a usage error', () => {
    expect(create(createMemoryStore(), { schema: null })).toThrow(
      new TypeError('createGraph: "schema" must be a schema that defineSchema() returns; received null'),
    )
  })
})
