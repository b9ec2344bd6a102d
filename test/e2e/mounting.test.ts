import { once } from 'node:events'
import { createServer, request as requestOver } from 'node:http'
import { connect, createServer as createServer2 } from 'node:http2'
import express from 'express'
import { createGraph } from 'kithgraph'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, type HandlerOptions, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoreReadOptions, StoreReadRequest } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { sendRawRequest } from '../helpers/raw-request.ts'
import { createWorldHandler } from '../helpers/served-world.ts'
import { type RunningServer, startServer } from '../helpers/start-server.ts'
import { ADA, createWorldStore } from '../helpers/world.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'Content-Type': 'application/json' }
const ME = { name: 'Ada Lovelace', id: ADA }

const servers: RunningServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ stop }) => stop()))
})
const listen = async (...server: Parameters<typeof startServer>): Promise<string> => {
  const started = await startServer(...server)
  servers.push(started)
  return started.origin
}

/** Creates an Express app with middleware before and after the graph. */
const createExpressApp = async (before: express.Handler[], behind: express.Handler[] = []) => {
  const { handler, token } = await createWorldHandler({ basePath: '/graph' })
  const app = express()
  for (const middleware of before) app.use(middleware)
  app.use('/graph', toNodeListener(handler))
  for (const middleware of behind) app.use(middleware)
  app.post('/echo', (request, response) => {
    response.json(request.body)
  })
  const origin = await listen(createServer(app))
  return {
    origin,
    token,
    requestPath: (path: string, headers: typeof FORM | typeof JSON_BODY, body: string) =>
      sendRawRequest(origin, path, { method: 'POST', headers, body }).then(({ text }) => JSON.parse(text)),
  }
}

describe('a handler in Express', () => {
  const parsers = () => [express.json(), express.urlencoded({ extended: true })]

  it.each([
    ['before it', parsers, () => []],
    ['behind it', () => [], parsers],
  ])('works with body parsers %s', async (_, before, behind) => {
    const { requestPath, token } = await createExpressApp(before(), behind())
    const batch = [{ method: 'GET', relative_url: 'me' }]
    const expected = [{ code: 200, body: JSON.stringify(ME) }]
    const fields = { access_token: token, include_headers: 'false' }
    const asForm = new URLSearchParams({ ...fields, batch: JSON.stringify(batch) }).toString()
    expect(await requestPath('/graph', FORM, asForm)).toEqual(expected)
    expect(await requestPath('/graph', JSON_BODY, JSON.stringify({ ...fields, batch }))).toEqual(expected)
    expect(await requestPath('/echo', JSON_BODY, '{"own":true}')).toEqual({ own: true })
  })

  it('reads the body if a parser sets an empty object without reading it', async () => {
    const setEmptyBody: express.Handler = (request, _response, next) => {
      request.body = {}
      next()
    }
    const { requestPath, token } = await createExpressApp([setEmptyBody])
    expect(await requestPath('/graph/me', FORM, `method=get&access_token=${token}`)).toEqual(ME)
  })

  it('accepts an empty body that a parser has read', async () => {
    const { requestPath } = await createExpressApp(parsers())
    expect(await requestPath('/graph/me', JSON_BODY, '{}')).toMatchObject({ error: { code: 104 } })
  })

  it('works in nested routers that each have a part of the path', async () => {
    const { handler, token } = await createWorldHandler({ basePath: '/api/v7/graph' })
    const inner = express.Router().use('/graph', toNodeListener(handler))
    const app = express().use('/api', express.Router().use('/v7', inner))
    const origin = await listen(createServer(app))
    const { text } = await sendRawRequest(
      origin,
      `/api/v7/graph/v1.0/me/photos?limit=1&access_token=${token}`,
    )
    expect(JSON.parse(text).paging.next).toContain(`${origin}/api/v7/graph/v1.0/${ADA}/photos?`)
  })

  it('does nothing if the response is already sent', async () => {
    const respondEarly: express.Handler = (_request, response, next) => {
      response.status(503).send('too late')
      next()
    }
    const { origin, token } = await createExpressApp([respondEarly])
    const { status, text } = await sendRawRequest(origin, `/graph/me?access_token=${token}`)
    expect([status, text]).toEqual([503, 'too late'])
  })
})

describe('a handler over HTTP/2', () => {
  const requestOverHttp2 = async (
    path: string,
    headers: { readonly [name: string]: string } = {},
    body = '',
  ) => {
    const { handler, token } = await createWorldHandler({ limits: { body: 1000 } })
    const origin = await listen(createServer2(toNodeListener(handler)))
    const client = connect(origin)
    const requestHeaders = { ':path': path, authorization: `Bearer ${token}`, ...headers }
    const stream = client.request(requestHeaders, { endStream: body === '' }).setEncoding('utf8')
    if (body !== '') stream.end(body)
    const [responseHeaders] = await once(stream, 'response')
    let text = ''
    for await (const chunk of stream) text += chunk
    client.close()
    return { origin, status: responseHeaders[':status'], body: JSON.parse(text) }
  }

  it('returns links to the authority of the request', async () => {
    const { origin, status, body } = await requestOverHttp2('/v1.0/me/photos?limit=1')
    expect(status).toBe(200)
    expect(body.paging.next).toMatch(new RegExp(`^${origin}/v1\\.0/${ADA}/photos\\?`))
  })

  it('reads bodies, and rejects those that are too large', async () => {
    const post = { ':method': 'POST', 'content-type': 'application/x-www-form-urlencoded' }
    expect((await requestOverHttp2('/me', post, 'method=get')).body).toEqual(ME)
    expect((await requestOverHttp2('/me', post, `method=get&x=${'x'.repeat(2000)}`)).status).toBe(413)
  })
})

describe('an Explorer in a server of Node', () => {
  const explorer = createExplorer(createGraph(createMemoryStore()), { graphPath: '/graph' })
  const listener = toNodeListener(explorer)

  it('serves its page and its script at a nested mount path', async () => {
    const inner = express.Router().use('/explorer', listener)
    const origin = await listen(createServer(express().use('/tools', inner)))
    const opened = await fetch(`${origin}/tools/explorer`)
    expect([opened.status, opened.url]).toEqual([200, `${origin}/tools/explorer/`])
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(await opened.text()) ?? []
    const headers = { 'Accept-Encoding': 'gzip' }
    const app = await sendRawRequest(origin, new URL(script, opened.url).pathname, { headers })
    expect([app.status, app.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(Number(app.headers['content-length'])).toBeGreaterThan(0)
  })

  it('works over HTTP/2', async () => {
    const client = connect(await listen(createServer2(listener)))
    const stream = client.request({ ':path': '/schema.json', ':method': 'GET' }).setEncoding('utf8')
    let text = ''
    for await (const chunk of stream) text += chunk
    client.close()
    expect(JSON.parse(text)).toHaveProperty('types')
  })

  it('rejects unsupported methods and invalid requests', async () => {
    const origin = await listen(createServer(listener))
    expect(await sendRawRequest(origin, '/', { method: 'POST', body: 'x' })).toMatchObject({ status: 405 })
    expect(await sendRawRequest(origin, '/', { method: 'TRACE' })).toMatchObject({ status: 400, text: '' })
    expect(await sendRawRequest(origin, '/', { headers: { Host: 'a b' } })).toMatchObject({
      status: 400,
      text: '',
    })
  })
})

describe('a disconnected client', () => {
  /** Creates a handler for a graph whose store reports a read, and rejects it only when its signal aborts. */
  const serveStuckStore = async (options: HandlerOptions = {}) => {
    let onRequest = (): void => undefined
    let onAbort = (): void => undefined
    const isRequested = new Promise<void>(resolve => {
      onRequest = resolve
    })
    const isAborted = new Promise<void>(resolve => {
      onAbort = resolve
    })
    const read = (_: StoreReadRequest, { signal }: StoreReadOptions) =>
      new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          onAbort()
          reject(signal.reason)
        })
        onRequest()
      })
    const auth = {
      authenticate: () => ({
        session: { viewer: ADA, app: 'demo', scopes: [], issuedAt: 0, expiresAt: undefined },
      }),
    }
    const handler = createHandler(
      createGraph(delegateStore(await createWorldStore(), { read }), { auth }),
      options,
    )
    return { listener: toNodeListener(handler), handler, isRequested, isAborted }
  }

  it('aborts the store reads of its request over HTTP/1.1', async () => {
    const { listener, isRequested, isAborted } = await serveStuckStore()
    const origin = await listen(createServer(listener))
    const client = requestOver(`${origin}/1?access_token=any`).on('error', () => undefined)
    client.end()
    await isRequested
    client.destroy()
    await isAborted
  })

  it('aborts the store reads of its request over HTTP/2, where the connection stays open', async () => {
    const { listener, isRequested, isAborted } = await serveStuckStore()
    const client = connect(await listen(createServer2(listener)))
    const stream = client.request({ ':path': '/1?access_token=any' }).on('error', () => undefined)
    await isRequested
    stream.close()
    await isAborted
    client.close()
  })

  it('aborts the store reads of a web Request by its signal', async () => {
    const { handler, isRequested, isAborted } = await serveStuckStore()
    const aborter = new AbortController()
    const response = handler(new Request('http://localhost/1?access_token=any', { signal: aborter.signal }))
    await isRequested
    aborter.abort()
    await isAborted
    expect((await response).status).toBe(503)
  })
})
