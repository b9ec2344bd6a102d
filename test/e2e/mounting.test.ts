import { once } from 'node:events'
import { createServer, request as requestOver } from 'node:http'
import { connect, createServer as createServer2 } from 'node:http2'
import express from 'express'
import { createGraph } from 'kithgraph'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, type HandlerOptions, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { afterEach, describe, expect, it } from 'vitest'
import type { ReadOptions, Wave } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { type Listening, listening } from '../helpers/listening.ts'
import { rawRequest } from '../helpers/raw-request.ts'
import { handleWorld } from '../helpers/served-world.ts'
import { ADA, worldStore } from '../helpers/world.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'Content-Type': 'application/json' }
const ME = { name: 'Ada Lovelace', id: ADA }

const opened: Listening[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ stop }) => stop()))
})
const listen = async (...server: Parameters<typeof listening>): Promise<string> => {
  const started = await listening(...server)
  opened.push(started)
  return started.origin
}

/** An Express app that is made ready before the graph is mounted, and once more behind it. */
const expressOf = async (before: express.Handler[], behind: express.Handler[] = []) => {
  const { handler, token } = await handleWorld({ basePath: '/graph' })
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
    ask: (path: string, headers: typeof FORM | typeof JSON_BODY, body: string) =>
      rawRequest(origin, path, { method: 'POST', headers, body }).then(({ text }) => JSON.parse(text)),
  }
}

describe('in Express', () => {
  const parsers = () => [express.json(), express.urlencoded({ extended: true })]

  it.each([
    ['in front', parsers, () => []],
    ['behind', () => [], parsers],
  ])('parsers of bodies may stand %s', async (_, before, behind) => {
    const { ask, token } = await expressOf(before(), behind())
    const batch = [{ method: 'GET', relative_url: 'me' }]
    const answered = [{ code: 200, body: JSON.stringify(ME) }]
    const fields = { access_token: token, include_headers: 'false' }
    const asForm = new URLSearchParams({ ...fields, batch: JSON.stringify(batch) }).toString()
    expect(await ask('/graph', FORM, asForm)).toEqual(answered)
    expect(await ask('/graph', JSON_BODY, JSON.stringify({ ...fields, batch }))).toEqual(answered)
    expect(await ask('/echo', JSON_BODY, '{"own":true}')).toEqual({ own: true })
  })

  it('a parser that leaves an empty object behind has not taken the body away', async () => {
    const leaving: express.Handler = (request, _response, next) => {
      request.body = {}
      next()
    }
    const { ask, token } = await expressOf([leaving])
    expect(await ask('/graph/me', FORM, `method=get&access_token=${token}`)).toEqual(ME)
  })

  it('an empty body that was read is an empty body', async () => {
    const { ask } = await expressOf(parsers())
    expect(await ask('/graph/me', JSON_BODY, '{}')).toMatchObject({ error: { code: 104 } })
  })

  it('routers may have routers, each with a part of the path', async () => {
    const { handler, token } = await handleWorld({ basePath: '/api/v7/graph' })
    const inner = express.Router().use('/graph', toNodeListener(handler))
    const app = express().use('/api', express.Router().use('/v7', inner))
    const origin = await listen(createServer(app))
    const { text } = await rawRequest(origin, `/api/v7/graph/v1.0/me/photos?limit=1&access_token=${token}`)
    expect(JSON.parse(text).paging.next).toContain(`${origin}/api/v7/graph/v1.0/${ADA}/photos?`)
  })

  it('what has answered already is left alone', async () => {
    const impatient: express.Handler = (_request, response, next) => {
      response.status(503).send('too late')
      next()
    }
    const { origin, token } = await expressOf([impatient])
    const { status, text } = await rawRequest(origin, `/graph/me?access_token=${token}`)
    expect([status, text]).toEqual([503, 'too late'])
  })
})

describe('over HTTP/2', () => {
  const ask = async (path: string, headers: { readonly [name: string]: string } = {}, body = '') => {
    const { handler, token } = await handleWorld({ limits: { body: 1000 } })
    const origin = await listen(createServer2(toNodeListener(handler)))
    const client = connect(origin)
    const asked = { ':path': path, authorization: `Bearer ${token}`, ...headers }
    const stream = client.request(asked, { endStream: body === '' }).setEncoding('utf8')
    if (body !== '') stream.end(body)
    const [answered] = await once(stream, 'response')
    let text = ''
    for await (const chunk of stream) text += chunk
    client.close()
    return { origin, status: answered[':status'], body: JSON.parse(text) }
  }

  it('a graph is read, and its links lead to the authority that was asked', async () => {
    const { origin, status, body } = await ask('/v1.0/me/photos?limit=1')
    expect(status).toBe(200)
    expect(body.paging.next).toMatch(new RegExp(`^${origin}/v1\\.0/${ADA}/photos\\?`))
  })

  it('bodies are read, and refused where they are too large', async () => {
    const post = { ':method': 'POST', 'content-type': 'application/x-www-form-urlencoded' }
    expect((await ask('/me', post, 'method=get')).body).toEqual(ME)
    expect((await ask('/me', post, `method=get&x=${'x'.repeat(2000)}`)).status).toBe(413)
  })
})

describe('an Explorer behind servers of Node', () => {
  const explorer = createExplorer(createGraph(createMemoryStore()), { graphPath: '/graph' })
  const listener = toNodeListener(explorer)

  it('answers its page and its app, wherever it is mounted', async () => {
    const inner = express.Router().use('/explorer', listener)
    const origin = await listen(createServer(express().use('/tools', inner)))
    const opened = await fetch(`${origin}/tools/explorer`)
    expect([opened.status, opened.url]).toEqual([200, `${origin}/tools/explorer/`])
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(await opened.text()) ?? []
    const headers = { 'Accept-Encoding': 'gzip' }
    const app = await rawRequest(origin, new URL(script, opened.url).pathname, { headers })
    expect([app.status, app.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(Number(app.headers['content-length'])).toBeGreaterThan(0)
  })

  it('answers over HTTP/2', async () => {
    const client = connect(await listen(createServer2(listener)))
    const stream = client.request({ ':path': '/schema.json', ':method': 'GET' }).setEncoding('utf8')
    let text = ''
    for await (const chunk of stream) text += chunk
    client.close()
    expect(JSON.parse(text)).toHaveProperty('types')
  })

  it('refuses what it does not take, and what is no request at all', async () => {
    const origin = await listen(createServer(listener))
    expect(await rawRequest(origin, '/', { method: 'POST', body: 'x' })).toMatchObject({ status: 405 })
    expect(await rawRequest(origin, '/', { method: 'TRACE' })).toMatchObject({ status: 400, text: '' })
    expect(await rawRequest(origin, '/', { headers: { Host: 'a b' } })).toMatchObject({
      status: 400,
      text: '',
    })
  })
})

describe('a client that goes away', () => {
  /** A graph whose store tells when it is asked, and answers only once its signal aborts. */
  const stuck = async (options: HandlerOptions = {}) => {
    let asked = (): void => undefined
    let left = (): void => undefined
    const isAsked = new Promise<void>(resolve => {
      asked = resolve
    })
    const isLeft = new Promise<void>(resolve => {
      left = resolve
    })
    const read = (_: Wave, { signal }: ReadOptions) =>
      new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          left()
          reject(signal.reason)
        })
        asked()
      })
    const auth = {
      authenticate: () => ({
        session: { viewer: ADA, app: 'demo', scopes: [], issuedAt: 0, expiresAt: undefined },
      }),
    }
    const handler = createHandler(createGraph(delegateStore(await worldStore(), { read }), { auth }), options)
    return { listener: toNodeListener(handler), handler, isAsked, isLeft }
  }

  it('ends what is read for it', async () => {
    const { listener, isAsked, isLeft } = await stuck()
    const origin = await listen(createServer(listener))
    const client = requestOver(`${origin}/1?access_token=any`).on('error', () => undefined)
    client.end()
    await isAsked
    client.destroy()
    await isLeft
  })

  it('does so over HTTP/2, where the connection stays', async () => {
    const { listener, isAsked, isLeft } = await stuck()
    const client = connect(await listen(createServer2(listener)))
    const stream = client.request({ ':path': '/1?access_token=any' }).on('error', () => undefined)
    await isAsked
    stream.close()
    await isLeft
    client.close()
  })

  it('does so for requests of the Web, by their signal', async () => {
    const { handler, isAsked, isLeft } = await stuck()
    const aborter = new AbortController()
    const answer = handler(new Request('http://localhost/1?access_token=any', { signal: aborter.signal }))
    await isAsked
    aborter.abort()
    await isLeft
    expect((await answer).status).toBe(503)
  })
})
