import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { openLongLists, shelfId } from '../helpers/long-lists.ts'
import { drawInTurn, overrideScan } from '../helpers/scan-overrides.ts'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'
import { createFormRequest } from './served-world.ts'

const ORIGIN = 'http://graph.test'
const SCAN = 50

/** Serves long lists without any visible entry, and issues a token for a viewer. */
const serveLists = async (shelves: number, limits = {}) => {
  const { graph, monitor } = await openLongLists(shelves, { limits, secret: 'the secret of the cursors' })
  overrideScan(graph, { drawUniform: drawInTurn(0) })
  const token = await graph.tokens.issue({ viewer: shelfId(0), app: 'demo', scopes: [] })
  const requests: Request[] = []
  const handler = createHandler(graph)
  const send = async (request: Request): Promise<Response> => {
    requests.push(request.clone())
    return handler(request)
  }
  const read = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await send(new Request(ORIGIN + path, { ...init, headers }))
    const body = Object(await response.json())
    return { status: response.status, body, headers: response.headers }
  }
  return { monitor, token, requests, send, read }
}

const expectScanLimitError = {
  status: 400,
  body: {
    error: {
      message: expect.stringContaining(`about ${SCAN} edges`),
      type: 'OAuthException',
      code: 1,
      error_data: { reason: 'query_too_expensive', limit: SCAN },
      fbtrace_id: expect.any(String),
    },
  },
}

describe('a request that examines more edges than limits.scan allows', async () => {
  const { token, requests, send, read } = await serveLists(2, { scan: SCAN })
  const id = shelfId(0)

  it.each([
    `/${id}?fields=things`,
    `/${id}?fields=things&partial=1`,
    `/?ids=${id},${shelfId(1)}&fields=things&partial=1`,
    `/${id}/things?summary=true`,
    `/${id}/things?summary=total_count&partial=1`,
    `/${shelfId(1)}?fields=id,things.limit(1).as(few)&debug=all`,
  ])('fails as a whole with an error that is not transient: %s', async path => {
    const { headers, ...response } = await read(path)
    expect(response).toEqual(expectScanLimitError)
    expect(headers.get('retry-after')).toBeNull()
  })

  it('fails in a batch without an effect on the other requests', async () => {
    const batch = [{ relative_url: `${id}?fields=things` }, { relative_url: `${id}?fields=id` }]
    const { body } = await read('/', createFormRequest({ batch: JSON.stringify(batch) }))
    expect(body.map(({ code }: { code: number }) => code)).toEqual([400, 200])
    expect(JSON.parse(body[0].body)).toEqual(expectScanLimitError.body)
  })

  it('is not retried by the client', async () => {
    requests.length = 0
    const remote = createClient(ORIGIN, {
      fetch: (url, init) => send(new Request(url, init)),
      retry: { baseDelayMs: 1, maxDelayMs: 2 },
    })
    const error = await expectGraphError(remote.getNode(token, { id, fields: 'things' }))
    expect(error.toJSON().error.error_data).toEqual({ reason: 'query_too_expensive', limit: SCAN })
    expect(requests).toHaveLength(1)
  })

  it('returns a page that ends at the limit if it reads only one edge', async () => {
    const { status, body } = await read(`/${id}/things?fields=id`)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [],
      paging: { cursors: { after: expect.stringContaining('.') }, next: expect.stringContaining(ORIGIN) },
    })
    const { body: next } = await read(body.paging.next.slice(ORIGIN.length))
    expect(next.paging.cursors.after).not.toBe(body.paging.cursors.after)
  })
})

describe('the requests of a batch that examine more than 10,000 edges', () => {
  it('run two at a time for one viewer, with the same responses as single requests', async () => {
    const lists = [0, 1, 2, 3, 4]
    const { monitor, read } = await serveLists(lists.length)
    const urls = lists.map(index => `${shelfId(index)}?fields=things.summary(true)`)
    const release = monitor.hold()
    const batch = read(
      '/',
      createFormRequest({ batch: JSON.stringify(urls.map(url => ({ relative_url: url }))) }),
    )
    await expect.poll(() => monitor.active.length).toBe(2)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(monitor.active).toHaveLength(2)
    release()
    const { body } = await batch
    for (const [index, url] of urls.entries()) {
      expect(JSON.parse(body[index].body)).toEqual((await read(`/${url}`)).body)
    }
  })
})
