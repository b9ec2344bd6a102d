import { createGraph, defineSchema, field, node } from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../helpers/error-of.ts'

const schema = defineSchema({ user: node({ fields: { name: field.string() } }) }, { viewers: ['user'] })

/** Returns the error of a call whose `run` throws a value. */
const errorWhenThrown = async (thrown: unknown) => {
  const actions = [
    actionsOf(schema)('user', 'test', {
      policy: 'anyone',
      run: () => {
        throw thrown
      },
    }),
  ]
  const graph = createGraph(createMemoryStore(), { schema, actions })
  await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: {} } }])
  const session = graph.session({ viewer: '1', app: 'demo' })
  return errorOf(graph.callAction(session, { id: 'me', action: 'test' }))
}

/** Returns the ActionError of another copy of the library, with other parts than its constructor accepts. */
const forge = (parts: object): Error =>
  Object.assign(new Error('forged'), {
    failure: 'full',
    status: 409,
    [Symbol.for('kithgraph.ActionError')]: true,
    ...parts,
  })

/** Returns objects inside each other. */
const nest = (levels: number): { readonly inner?: object } => {
  let value = {}
  for (let level = 1; level < levels; level++) value = { inner: value }
  return value
}

describe('an ActionError of another copy of the library', () => {
  it('is reported like one of this copy', async () => {
    expect(await errorWhenThrown(forge({ data: { places: 3 } }))).toMatchObject({
      reason: 'action_failed',
      status: 409,
      message: 'forged',
      data: { failure: 'full', data: { places: 3 } },
    })
  })

  it.each([
    ['another status', { status: 200 }, '"status" must be one of 400'],
    ['a failure that is no word', { failure: 'Full house' }, '"failure" must be a word'],
    ['a failure of the library', { failure: 'conflict' }, '"failure" must be a word'],
    ['data that is not JSON', { data: { count: 1n } }, '"data" must be'],
    ['data with too many levels', { data: nest(10_000) }, '"data" must be'],
    ['a message that is no string', { message: 5 }, '"message" must be a string'],
  ])('is an internal error if it has %s, and its cause says why', async (_name, parts, expected) => {
    const error = await errorWhenThrown(forge(parts))
    expect([error.reason, error.status]).toEqual(['internal_error', 500])
    expect(String(error.cause)).toContain(expected)
  })
})

/** Returns the descriptor of a property whose value changes after it was read once. */
const changing = (first: unknown, later: unknown): PropertyDescriptor => {
  let readCount = 0
  return { enumerable: true, get: () => (readCount++ === 0 ? first : later) }
}

describe('an ActionError whose parts change while they are read', () => {
  const cycle: { self?: object } = {}
  cycle.self = cycle

  it.each([
    ['its data', 'data', {}, cycle],
    ['its status', 'status', 409, 777],
    ['its failure', 'failure', 'full', 'Internal text'],
    ['its message', 'message', 'forged', cycle],
  ])('is reported as it was checked: %s', async (_name, part, first, later) => {
    const error = await errorWhenThrown(Object.defineProperty(forge({}), part, changing(first, later)))
    expect(error).toMatchObject({
      ...{ reason: 'action_failed', status: 409, message: 'forged' },
      data: { failure: 'full', ...(part === 'data' && { data: {} }) },
    })
  })

  it('is reported as it was checked: a part of its data', async () => {
    const data = Object.defineProperty({}, 'count', changing(1, cycle))
    const error = await errorWhenThrown(forge({ data }))
    expect(error.reason).toBe('internal_error')
  })
})

describe('the data of an ActionError', () => {
  it('has at most 100 levels', async () => {
    const create = (levels: number) => new ActionError('full', { message: 'm', data: nest(levels) as never })
    const { data } = await errorWhenThrown(create(100))
    expect(data).toEqual({ failure: 'full', data: nest(100) })
    for (const levels of [102, 10_000, 100_000])
      expect(() => create(levels)).toThrow(
        'ActionError: "data" must be an object of JSON values with at most 100 levels',
      )
  })
})
