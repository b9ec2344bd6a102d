import { createServer } from 'node:http'
import { toNodeListener } from 'kithgraph/http'
import { afterAll, describe, expect, it } from 'vitest'
import { startServer } from '../helpers/start-server.ts'
import { serveActions } from './action-world.ts'

const world = await serveActions({ graph: { limits: { actionTimeoutMs: 2000 } } })
const server = await startServer(createServer(toNodeListener(world.handler)))
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
