import { createGraph, defineSchema, field, node } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../helpers/error-of.ts'

const schema = defineSchema({ user: node({}), post: node({}) }, { viewers: ['user'] })
/** Declares an action without the types of its result. */
const declare = actionsOf(schema) as unknown as (type: string, name: string, options: object) => never

/** Returns the message of the cause of an error, after an action of JavaScript returned a value. */
const causeOf = async (received: unknown, options: object = {}): Promise<string> => {
  const actions = [declare('user', 'test', { policy: 'anyone', run: () => received, ...options })]
  const graph = createGraph(createMemoryStore(), { schema, actions })
  await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: {} } }])
  const session = graph.session({ viewer: '1', app: 'demo' })
  const call = { type: 'user', id: '1', action: 'test' }
  const { reason, cause } = await errorOf(Reflect.apply(graph.callAction, undefined, [session, call]))
  expect(reason).toBe('internal_error')
  return cause instanceof Error ? cause.message : ''
}

describe('the cause of the error for a result that is not valid', () => {
  it.each([
    [
      'an id without returns',
      { id: '5' },
      {},
      'run: "id" must be declared with the option "returns"; received "5"',
    ],
    [
      'nothing with returns',
      undefined,
      { returns: 'post' },
      'run: the result must be a plain object with "id"; received undefined',
    ],
    [
      'nothing with result',
      undefined,
      { result: { url: field.url() } },
      'run: the result must be a plain object with "result"; received undefined',
    ],
    [
      'an id alone with several types',
      { id: '5' },
      { returns: ['user', 'post'] },
      'run: "type" must be one of "user", "post"; received undefined',
    ],
    [
      'a misspelt member',
      { id: '5', revison: '1' },
      { returns: 'post' },
      'run: each member of the result must be one of "id", "type", "revision"; received "revison"; did you mean revision?',
    ],
  ])('says what run must return: %s', async (_name, received, options, message) => {
    expect(await causeOf(received, options)).toBe(message)
  })
})
