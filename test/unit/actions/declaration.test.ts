import { createGraph, defineSchema, edge, field, hasScope, node, parameter, viewerHasEdge } from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const schema = defineSchema(
  { user: node({ fields: { name: field.string() }, edges: { friends: edge('user') } }) },
  { viewers: ['user'] },
)
/** Declares an action without the types of the schema. */
const declare = actionsOf(schema) as unknown as (type: string, name: string, options: object) => never
const run = () => undefined

const createWith = (...actions: never[]) => createGraph(createMemoryStore(), { schema, actions })

const messageOf = (create: () => unknown): string => {
  try {
    create()
  } catch (error) {
    if (error instanceof TypeError) return error.message
  }
  throw new Error('No TypeError was thrown')
}

describe('the declaration of actions', () => {
  it('reports all errors of all actions at once', () => {
    const other = defineSchema({ user: node({}) })
    const message = messageOf(() =>
      createWith(
        declare('user', 'update', { policy: 'anyone', run }),
        declare('user', 'update', { policy: 'anyone', run }),
        declare('usr', 'update', { policy: 'anyone', run }),
        declare('user', 'freinds.add', { policy: 'anyone', run }),
        declare('user', 'name', { policy: 'anyone', run }),
        declare('user', 'move', { policy: [viewerHasEdge('freinds')], run }),
        declare('user', 'copy', { policy: 'anyone', run, parameters: { who: parameter.node('usr') } }),
        declare('user', 'send', { policy: 'anyone', run, returns: 'usr' }),
        actionsOf(other)('user', 'renew', { policy: 'anyone', run }) as never,
      ),
    )
    expect(message.split('\n').map(line => line.split(':')[0])).toEqual([
      'createGraph',
      '- usr update',
      '- user freinds.add',
      '- user name',
      '- user move',
      '- user copy.who',
      '- user send',
      '- user renew',
      '- user update',
    ])
    expect(message).toContain('did you mean friends.add?')
  })

  it('rejects parameters with reserved names, and ids', () => {
    for (const parameters of [
      { limit: parameter.int() },
      { idempotency_key: parameter.string() },
      { who: parameter.id() },
      { who: parameter.list(parameter.id()) },
      { size: parameter.int({ min: 'a' } as object) },
      { size: parameter.list(parameter.int(), { maxItems: 0 }) },
      { size: parameter.list(undefined as never) },
      { size: parameter.object(undefined as never) },
      { size: 5 },
    ])
      expect(
        messageOf(() => createWith(declare('user', 'move', { policy: 'anyone', run, parameters }))),
      ).toContain('user move')
  })

  it('reports members of objects with names that are no words', () => {
    const names = ['__proto__', 'a b', 'limit']
    const members = Object.fromEntries(names.map(name => [name, parameter.int()]))
    const parameters = { place: parameter.object(members) }
    const message = messageOf(() =>
      createWith(declare('user', 'move', { policy: 'anyone', run, parameters })),
    )
    for (const name of ['__proto__', 'a b'])
      expect(message).toContain(`begin with a letter; received "${name}"`)
    expect(message).not.toContain('limit')
  })

  it('reports limits that no value meets, and defaults outside of the limits, with all other errors', () => {
    const parameters = {
      count: parameter.int({ min: 3, max: 1 }),
      copies: parameter.int({ default: 0, min: 1 }),
      share: parameter.float({ default: 2, max: 1 }),
      word: parameter.string({ default: 'abc', maxLength: 2 }),
      sizes: parameter.list(parameter.object({ width: parameter.int({ default: 9, min: 1, max: 5 }) })),
      kept: parameter.int({ default: 1, min: 1, max: 1 }),
    }
    const message = messageOf(() =>
      createWith(declare('user', 'move', { policy: 'anyone', run, parameters, returns: 'usr' })),
    )
    expect(message.split('\n')).toEqual([
      'createGraph: the actions must be valid; received 6 errors:',
      '- user move.count: "max" must be at least 3, which is "min"; received 1',
      '- user move.copies: "default" must be left out, or an integer of at least 1; received 0',
      '- user move.share: "default" must be left out, or a number of at most 1; received 2',
      '- user move.word: "default" must be left out, or a well-formed string of at most 2 characters; received "abc"',
      '- user move.sizes[].width: "default" must be left out, or an integer from 1 to 5; received 9',
      '- user move: "returns" must be a type of the schema; received "usr"; did you mean user?',
    ])
  })

  it('suggests a name for an action whose name is an edge, or begins with a misspelt one', () => {
    const errorOf = (name: string) =>
      messageOf(() => createWith(declare('user', name, { policy: 'anyone', run })))
    expect(errorOf('friends')).toContain(
      'the name must be "friends.add" or "friends.remove"; received "friends"',
    )
    expect(errorOf('freindz.add')).toContain('received "freindz.add"; did you mean friends.add?')
  })

  it('requires a policy and a function, and rejects unknown options', () => {
    for (const policy of [undefined, 'everyone', hasScope('write')])
      expect(messageOf(() => declare('user', 'move', { run, policy }))).toContain(
        '"policy" must be an array of rules, such as [isViewer()], or "anyone"',
      )
    expect(messageOf(() => declare('user', 'move', { policy: 'anyone' }))).toContain('"run" must be')
    expect(messageOf(() => declare('user', 'move', { policy: 'anyone', run, polcy: [] }))).toContain('polcy')
    expect(messageOf(() => declare('user', 'move', { policy: 'anyone', run, weight: 0 }))).toContain(
      '"weight"',
    )
    expect(messageOf(() => declare('user', 'move', { policy: 'anyone', run, validate: {} }))).toContain(
      '"validate"',
    )
  })

  it('accepts for a parameter only the options of its kind, and lists them in the error for another option', () => {
    const PLAIN = '"description", "required", "nullable"'
    const wrong = { minLength: 1 } as object
    for (const [create, options] of [
      [() => parameter.string(wrong), `${PLAIN}, "default", "maxLength"`],
      [() => parameter.int(wrong), `${PLAIN}, "default", "min", "max"`],
      [() => parameter.float(wrong), `${PLAIN}, "default", "min", "max"`],
      [() => parameter.bool(wrong), `${PLAIN}, "default"`],
      [() => parameter.enum(['a'], wrong), `${PLAIN}, "default"`],
      [() => parameter.datetime(wrong), `${PLAIN}, "default"`],
      [() => parameter.id(wrong), `${PLAIN}, "default", "types"`],
      [() => parameter.node('user', wrong), PLAIN],
      [() => parameter.list(parameter.int(), wrong), `${PLAIN}, "maxItems"`],
      [() => parameter.object({}, wrong), PLAIN],
    ] as const)
      expect(messageOf(create)).toContain(`options must be one of ${options}; received "minLength"`)
    expect(messageOf(() => parameter.list(parameter.int(), { default: '1' } as object))).toContain(
      'received "default"',
    )
    expect(messageOf(() => parameter.node('user', { types: ['note'] } as object))).toContain(
      'received "types"',
    )
  })

  it('rejects parameters of actions on fields and edges', () => {
    for (const wrong of [
      parameter.node('user'),
      parameter.list(parameter.int()),
      parameter.object({}),
      parameter.string({ maxLength: 3 }),
      parameter.int({ nullable: true }),
    ])
      expect(messageOf(() => edge('user', { parameters: { wrong } }))).toContain('one for actions')
  })

  it('rejects results that are no fields, and types that are no names', () => {
    const options = { policy: 'anyone', run, result: { url: 'a text' } }
    expect(messageOf(() => createWith(declare('user', 'move', options)))).toContain(
      'user move.url: a field of the result must be a value that is not computed, or a ref; received "a text"',
    )
    expect(messageOf(() => declare('user', 'move', { policy: 'anyone', run, returns: 5 }))).toContain(
      'action user move: "returns" must be the name of a type',
    )
  })

  it('gives a graph without actions no callAction', () => {
    expect('callAction' in createGraph(createMemoryStore(), { schema })).toBe(false)
    expect('callAction' in createGraph(createMemoryStore(), { schema, actions: [] })).toBe(false)
    expect(messageOf(() => createGraph(createMemoryStore(), { schema, actions: [{}] as never }))).toContain(
      'actions',
    )
  })

  it('rejects failures that are no distinct words, or that the library reports itself', () => {
    for (const failures of [[], ['full'], ['full', 'closed']])
      expect(() => declare('user', 'update', { policy: 'anyone', run, failures })).not.toThrow()
    for (const failures of ['full', ['Full'], ['conflict'], ['full', 'full'], [1], {}])
      expect(messageOf(() => declare('user', 'update', { policy: 'anyone', run, failures }))).toContain(
        '"failures" must be an array of distinct failures',
      )
  })

  it('requires a secret for a shared store', () => {
    const memory = createMemoryStore()
    const store = { ...memory, capabilities: { ...memory.capabilities, shared: true } }
    const actions = [declare('user', 'update', { policy: [hasScope('write')], run })]
    expect(messageOf(() => createGraph(store, { schema, actions }))).toContain('"secret"')
    expect('callAction' in createGraph(store, { schema, actions, secret: 'a secret for the tests' })).toBe(
      true,
    )
  })
})

describe('ActionError', () => {
  it('rejects the failures of the library, other words and other statuses', () => {
    for (const failure of ['conflict', 'invalid_mutation', 'key_reused', 'Full', '', 'a b'])
      expect(messageOf(() => new ActionError(failure, { message: 'm' }))).toContain('"failure"')
    expect(messageOf(() => new ActionError('full', { message: 'm', status: 500 as never }))).toContain(
      '"status"',
    )
    expect(messageOf(() => new ActionError('full', {} as never))).toContain('"message"')
  })

  it('rejects data that cannot be sent as JSON', () => {
    const cycle: { self?: object } = {}
    cycle.self = cycle
    for (const data of [{ count: 1n }, cycle, ['a'], 'a', new Map()])
      expect(messageOf(() => new ActionError('full', { message: 'm', data: data as never }))).toContain(
        '"data"',
      )
  })
})
