import { inspect } from 'node:util'
import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'

const OWN = 'own-kind-of-token-17'

const createCircularError = (token: string) => {
  const error = new Error(`nested ${token}`)
  return Object.assign(error, { cause: error })
}

describe('the cause of a GraphError after an Auth throws', () => {
  it.each<[string, (token: string) => unknown]>([
    ['its cause', token => new Error('outer', { cause: new Error(`nested ${token}`) })],
    [
      'the cause of its cause',
      token => new Error('a', { cause: new Error('b', { cause: `nested ${token}` }) }),
    ],
    ['a cause that causes itself', token => new Error('outer', { cause: createCircularError(token) })],
    ['a property', token => Object.assign(new Error('outer'), { detail: `detail ${token}` })],
    ['the name of a property', token => Object.assign(new Error('outer'), { [token]: 1 })],
    [
      'a property of a property',
      token => Object.assign(new Error('outer'), { request: { headers: [token] } }),
    ],
    ['headers', token => Object.assign(new Error('outer'), { headers: new Headers({ a: token }) })],
    ['a map', token => Object.assign(new Error('outer'), { known: new Map([['token', token]]) })],
    ['its name', token => Object.assign(new Error('outer'), { name: `Error of ${token}` })],
    ['its stack', token => Object.assign(new Error('outer'), { stack: `at ${token}` })],
    ['one of the errors of an AggregateError', token => new AggregateError([new Error(token)], 'outer')],
    ['an object that is not an error', token => ({ message: 'outer', detail: token })],
    ['a list', token => [token]],
    ['a text', token => `no ${token}`],
  ])('contains no token in %s', async (_, thrownFor) => {
    const authenticate = (token: string) => Promise.reject(thrownFor(token))
    const graph = createGraph(createMemoryStore(), { auth: { authenticate } })
    const error = await expectGraphError(graph.getMe(OWN))
    expect(error.reason).toBe('store_error')
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(OWN)
  })

  it('keeps the message, the causes and the scalar properties of an error with a token', async () => {
    const authenticate = (token: string) => {
      const cause = Object.assign(new Error(`nested ${token}`), { errno: 5 })
      const properties = { code: 'EFAIL', status: 503, detail: `of ${token}`, request: { path: '/' } }
      throw Object.assign(new TypeError('outer', { cause }), properties)
    }
    const graph = createGraph(createMemoryStore(), { auth: { authenticate } })
    const { cause } = await expectGraphError(graph.getMe(OWN))
    expect({ ...Object(cause) }).toEqual({
      code: 'EFAIL',
      status: 503,
      name: 'TypeError',
    })
    expect(Object(cause)).toMatchObject({ message: 'outer', cause: { message: 'nested …', errno: 5 } })
  })

  it('is the thrown error itself if it contains no token', async () => {
    const thrown = Object.assign(new Error('outer', { cause: createCircularError('ring') }), {
      request: { path: ['/'] },
    })
    const graph = createGraph(createMemoryStore(), { auth: { authenticate: () => Promise.reject(thrown) } })
    expect((await expectGraphError(graph.getMe(OWN))).cause).toBe(thrown)
  })

  it('is replaced if it cannot be read, or has too many properties to search', async () => {
    const hostile = {
      get message() {
        throw new Error(OWN)
      },
    }
    const vast = Object.assign(new Error('outer'), {
      list: Array.from({ length: 20_000 }, () => ({ text: 'x' })),
    })
    for (const [thrown, message] of [
      [hostile, 'The cause cannot be read'],
      [vast, 'outer'],
    ] as const) {
      const graph = createGraph(createMemoryStore(), { auth: { authenticate: () => Promise.reject(thrown) } })
      const { cause } = await expectGraphError(graph.getMe(OWN))
      expect(cause).not.toBe(thrown)
      expect(Object(cause).message).toBe(message)
    }
  })
})
