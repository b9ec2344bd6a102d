import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GET, HEAD, OPTIONS, POST } from '../../examples/servers/next/route.ts'
import { type RawRequest, rawRequest } from '../helpers/raw-request.ts'
import { type Running, startExample } from '../helpers/running-example.ts'

const SERVERS = ['express', 'fastify', 'hono', 'koa', 'node-http'] as const
/** What the programs have in common. */
const SHARED = ['announce.ts', 'graph.ts']

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const LINE = /^(http:\S+?)\/graph\/v1\.0(\/me\?\S+?access_token=(\S+))\n/

describe('the servers among the examples', () => {
  it('are all run here', async () => {
    const files = await readdir(new URL('../../examples/servers', import.meta.url))
    expect(files.sort()).toEqual([...SHARED, 'next', ...SERVERS.map(name => `${name}.ts`)].sort())
  })
})

describe('a graph behind each server', () => {
  const running = new Map<string, Running>()
  beforeAll(async () => {
    await Promise.all(
      SERVERS.map(async name => running.set(name, await startExample(`servers/${name}.ts`, LINE))),
    )
  })
  afterAll(() => Promise.all([...running.values()].map(({ stop }) => stop())))

  it('may have its Explorer beside it, as in Hono', async () => {
    const [, origin = ''] = LINE.exec(running.get('hono')?.printed ?? '') ?? []
    const page = await fetch(`${origin}/explorer`)
    expect([page.status, page.url]).toEqual([200, `${origin}/explorer/`])
    expect(await page.text()).toContain('{"graphPath":"/graph"}')
  })

  describe.each(SERVERS)('%s', name => {
    const served = () => {
      const [, origin = '', path = '', token = ''] = LINE.exec(running.get(name)?.printed ?? '') ?? []
      const ask = async (below: string, request?: RawRequest) => {
        const answer = await rawRequest(origin, `/graph${below}`, request)
        return { ...answer, body: JSON.parse(answer.text) }
      }
      return { origin, path, token, ask }
    }

    it('answers the URL that it prints, whose links lead back to it', async () => {
      const { origin, path, ask } = served()
      const { status, body } = await ask(path)
      expect([status, body.name, body.photos.data[0].id]).toEqual([200, 'Ada', '11'])
      expect(body.photos.paging.next).toContain(`${origin}/graph/1/photos?`)
      const next = await ask(body.photos.paging.next.replace(`${origin}/graph`, ''))
      expect(next.body.data[0].id).toBe('10')
    })

    it.each(['', '/', '/v1.0', '/v1.0/'])('answers batches at the root: %j', async root => {
      const { ask, token } = served()
      const batch = JSON.stringify([{ relative_url: 'me' }])
      const body = new URLSearchParams({ batch, access_token: token, include_headers: 'false' }).toString()
      const answer = await ask(root, { method: 'POST', headers: FORM, body })
      expect(answer.body).toEqual([{ code: 200, body: '{"name":"Ada","id":"1"}' }])
    })

    it('reads JSON and multipart forms itself, and refuses broken ones itself', async () => {
      const { ask, token } = served()
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
      const read = await ask('/me', { method: 'POST', headers, body: '{"method":"get","fields":["id"]}' })
      expect(read.body).toEqual({ id: '1' })
      const broken = await ask('/me', { method: 'POST', headers, body: '{"method":' })
      expect([broken.status, broken.body.error.error_data.parameter]).toEqual([400, 'body'])
      const multipart = { ...headers, 'Content-Type': 'multipart/form-data; boundary=x' }
      const body = '--x\r\nContent-Disposition: form-data; name="method"\r\n\r\nget\r\n--x--\r\n'
      expect((await ask('/me', { method: 'POST', headers: multipart, body })).body).toHaveProperty('id', '1')
    })

    it('answers faults itself, also for methods that it does not have', async () => {
      const { ask, token } = served()
      const missing = await ask(`/2?access_token=${token}`)
      expect([missing.status, missing.body.error.code]).toEqual([400, 100])
      const deleted = await ask(`/1?access_token=${token}`, { method: 'DELETE' })
      expect([deleted.status, deleted.body.error.error_subcode]).toEqual([400, 33])
    })

    it('leaves the rest to the server', async () => {
      const { origin } = served()
      expect((await rawRequest(origin, '/health')).text).toBe('up')
      expect((await rawRequest(origin, '/graphs')).status).toBe(404)
    })

    it('closes its graph when it is told to stop', async () => {
      expect(await running.get(name)?.stop()).toEqual({ code: 0, errors: '' })
    })
  })
})

/** As its router does: it calls what a file exports under the name of the method, with the request. */
describe('a graph as a route handler of Next', () => {
  const url = 'http://localhost:3000/graph/v1.0'

  it('answers by its exports', async () => {
    const refused = await GET(new Request(`${url}/me`))
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 104 } }])
    const body = new URLSearchParams({ batch: '[{"relative_url":"me"}]', include_headers: 'false' })
    const batch = await POST(new Request(`${url}/`, { method: 'POST', body }))
    expect([batch.status, await batch.json()]).toMatchObject([200, [{ code: 400 }]])
    const head = await HEAD(new Request(`${url}/me`, { method: 'HEAD' }))
    expect([head.status, await head.text()]).toEqual([400, ''])
    expect((await OPTIONS(new Request(`${url}/me`, { method: 'OPTIONS' }))).status).toBe(204)
  })

  it('exports nothing that is no method, which Next refuses', async () => {
    const route = await import('../../examples/servers/next/route.ts')
    expect(Object.keys(route).sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST'])
  })
})
