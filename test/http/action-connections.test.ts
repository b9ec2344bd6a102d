import { createServer } from 'node:http'
import { createClient } from 'kithgraph/client'
import { toNodeListener } from 'kithgraph/http'
import { afterAll, describe, expect, it } from 'vitest'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { POST, type schema, type WorldActions } from '../helpers/action-world.ts'
import { startServer } from '../helpers/start-server.ts'
import { serveActions } from './served-actions.ts'

/** Called after each write of the store, before the action that writes continues. */
let onWritten = (): void => undefined
const world = await serveActions({
  graph: { limits: { actionTimeoutMs: 2000 } },
  wrap: store =>
    delegateStore(store, {
      write: async (mutations, options) => {
        const result = await store.write(mutations, options)
        onWritten()
        return result
      },
    }),
})
const httpServer = createServer(toNodeListener(world.handler))
const server = await startServer(httpServer)
afterAll(server.stop)

describe('a client that disconnects', () => {
  it('does not abort an action that runs', async () => {
    let finished: Promise<boolean> | undefined
    const started = new Promise<void>(start => {
      world.effects.task = signal => {
        start()
        finished = new Promise(resolve => setTimeout(() => resolve(signal.aborted), 200))
        return finished.then(() => undefined)
      }
    })
    const controller = new AbortController()
    const url = `${server.origin}/me/task?access_token=${world.token}`
    const response = fetch(url, { method: 'POST', signal: controller.signal }).catch(() => 'disconnected')
    await started
    controller.abort()
    expect(await response).toBe('disconnected')
    expect(await finished).toBe(false)
  })
})

describe('the body of a DELETE request on a Node server', () => {
  it('contains parameters', async () => {
    const { id } = await world.post('/me/feed', { message: 'Hello' })
    const url = `${server.origin}/me/feed?access_token=${world.token}`
    const response = await fetch(url, { method: 'DELETE', body: new URLSearchParams({ target: id }) })
    expect(await response.json()).toEqual({ success: true })
  })
})

describe('an action whose reply is lost', () => {
  const readFeed = async () => {
    const { data } = await world.graph.getEdge(world.token, { type: 'user', id: 'me', edge: 'feed' })
    return data.map(post => Object(post).id).filter(id => id !== POST)
  }
  const clearFeed = async () => {
    for (const target of await readFeed())
      await world.graph.write([{ op: 'deleteEdge', edge: { source: '1', name: 'feed', target } }])
  }

  it('is repeated with its key by the client, which gets its result; the action has written once', async () => {
    await clearFeed()
    world.effects.calls.length = 0
    let lostReplies = 0
    onWritten = () => {
      if (lostReplies++ === 0) httpServer.closeAllConnections()
    }
    const client = createClient<typeof schema, WorldActions>(server.origin, { retry: { baseDelayMs: 1 } })
    const options = { type: 'user', id: 'me', action: 'feed.add', parameters: { message: 'Once' } } as const
    const post = await client.callAction(world.token, {
      ...options,
      idempotencyKey: 'lost',
      fields: 'message',
    })
    expect(world.runs()).toEqual(['feed.add', 'feed.add'])
    expect(post.message).toBe('Once')
    expect(await readFeed()).toEqual([post.id])
  })

  it('has the same reply if a client that disconnected sends it again with its key', async () => {
    await clearFeed()
    const controller = new AbortController()
    onWritten = () => controller.abort()
    const send = async (signal?: AbortSignal) => {
      const headers = { authorization: `Bearer ${world.token}`, 'idempotency-key': 'again' }
      const body = new URLSearchParams({ message: 'Once', fields: 'message' })
      const response = await fetch(`${server.origin}/me/feed`, {
        method: 'POST',
        headers,
        body,
        ...(signal && { signal }),
      })
      return response.json()
    }
    await expect(send(controller.signal)).rejects.toThrow('abort')
    const [second, third] = [await send(), await send()]
    expect(second).toEqual({ id: expect.any(String), message: 'Once' })
    expect(third).toEqual(second)
    expect(await readFeed()).toEqual([Object(second).id])
  })
})
