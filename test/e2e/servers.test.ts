import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GET, HEAD, OPTIONS, POST } from '../../examples/servers/next/route.ts'
import { type RawRequest, sendRawRequest } from '../helpers/raw-request.ts'
import { type RunningExample, startExample } from '../helpers/start-example.ts'

const SERVERS = ['express', 'fastify', 'hono', 'koa', 'node-http'] as const
/** Modules that all programs import. */
const SHARED = ['announce.ts', 'graph.ts']

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const LINE = /^(http:\S+?)\/graph\/v1\.0(\/me\?\S+?access_token=(\S+))\n/

describe('the server examples', () => {
  it('all have a test', async () => {
    const files = await readdir(new URL('../../examples/servers', import.meta.url))
    expect(files.sort()).toEqual([...SHARED, 'next', ...SERVERS.map(name => `${name}.ts`)].sort())
  })
})

describe('a graph mounted in a server', () => {
  const running = new Map<string, RunningExample>()
  beforeAll(async () => {
    await Promise.all(
      SERVERS.map(async name => running.set(name, await startExample(`servers/${name}.ts`, LINE))),
    )
  })
  afterAll(() => Promise.all([...running.values()].map(({ stop }) => stop())))

  it('can have its Explorer on the same server, as in Hono', async () => {
    const [, origin = ''] = LINE.exec(running.get('hono')?.printed ?? '') ?? []
    const page = await fetch(`${origin}/explorer`)
    expect([page.status, page.url]).toEqual([200, `${origin}/explorer/`])
    expect(await page.text()).toContain('{"graphPath":"/graph"}')
  })

  describe.each(SERVERS)('in %s', name => {
    const served = () => {
      const [, origin = '', path = '', token = ''] = LINE.exec(running.get(name)?.printed ?? '') ?? []
      const requestGraph = async (below: string, request?: RawRequest) => {
        const response = await sendRawRequest(origin, `/graph${below}`, request)
        return { ...response, body: JSON.parse(response.text) }
      }
      return { origin, path, token, requestGraph }
    }

    it('is served at the URL that the server prints, and its links lead back to the server', async () => {
      const { origin, path, requestGraph } = served()
      const { status, body } = await requestGraph(path)
      expect([status, body.name, body.photos.data[0].id]).toEqual([200, 'Ada', '11'])
      expect(body.photos.paging.next).toContain(`${origin}/graph/1/photos?`)
      const next = await requestGraph(body.photos.paging.next.replace(`${origin}/graph`, ''))
      expect(next.body.data[0].id).toBe('10')
    })

    it.each(['', '/', '/v1.0', '/v1.0/'])('serves batches at the root: %j', async root => {
      const { requestGraph, token } = served()
      const batch = JSON.stringify([{ relative_url: 'me' }])
      const body = new URLSearchParams({ batch, access_token: token, include_headers: 'false' }).toString()
      const response = await requestGraph(root, { method: 'POST', headers: FORM, body })
      expect(response.body).toEqual([{ code: 200, body: '{"name":"Ada","id":"1"}' }])
    })

    it('parses JSON and multipart forms, and rejects invalid ones', async () => {
      const { requestGraph, token } = served()
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
      const read = await requestGraph('/me', {
        method: 'POST',
        headers,
        body: '{"method":"get","fields":["id"]}',
      })
      expect(read.body).toEqual({ id: '1' })
      const broken = await requestGraph('/me', { method: 'POST', headers, body: '{"method":' })
      expect([broken.status, broken.body.error.error_data.parameter]).toEqual([400, 'body'])
      const multipart = { ...headers, 'Content-Type': 'multipart/form-data; boundary=x' }
      const body = '--x\r\nContent-Disposition: form-data; name="method"\r\n\r\nget\r\n--x--\r\n'
      expect((await requestGraph('/me', { method: 'POST', headers: multipart, body })).body).toHaveProperty(
        'id',
        '1',
      )
    })

    it('returns its own errors, even for unsupported methods', async () => {
      const { requestGraph, token } = served()
      const missing = await requestGraph(`/2?access_token=${token}`)
      expect([missing.status, missing.body.error.code]).toEqual([400, 100])
      const deleted = await requestGraph(`/1?access_token=${token}`, { method: 'DELETE' })
      expect([deleted.status, deleted.body.error.error_subcode]).toEqual([400, 33])
    })

    it('leaves other paths to the server', async () => {
      const { origin } = served()
      expect((await sendRawRequest(origin, '/health')).text).toBe('up')
      expect((await sendRawRequest(origin, '/graphs')).status).toBe(404)
    })

    it('is closed without an error when the server stops', async () => {
      expect(await running.get(name)?.stop()).toEqual({ code: 0, errors: '' })
    })
  })
})

/** Calls the export with the name of the method, as the router of Next does. */
describe('the route handler for Next', () => {
  const url = 'http://localhost:3000/graph/v1.0'

  it('responds to GET, POST, HEAD and OPTIONS by its exports', async () => {
    const rejected = await GET(new Request(`${url}/me`))
    expect([rejected.status, await rejected.json()]).toMatchObject([400, { error: { code: 104 } }])
    const body = new URLSearchParams({ batch: '[{"relative_url":"me"}]', include_headers: 'false' })
    const batch = await POST(new Request(`${url}/`, { method: 'POST', body }))
    expect([batch.status, await batch.json()]).toMatchObject([200, [{ code: 400 }]])
    const head = await HEAD(new Request(`${url}/me`, { method: 'HEAD' }))
    expect([head.status, await head.text()]).toEqual([400, ''])
    expect((await OPTIONS(new Request(`${url}/me`, { method: 'OPTIONS' }))).status).toBe(204)
  })

  it('exports only methods, since Next rejects anything else', async () => {
    const route = await import('../../examples/servers/next/route.ts')
    expect(Object.keys(route).sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST'])
  })
})
