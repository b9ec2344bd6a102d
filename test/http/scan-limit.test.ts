import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { openLongLists, shelfId } from '../helpers/long-lists.ts'
import { drawing, replaceSeams } from '../helpers/scan-seams.ts'
import { faultOf } from '../unit/abuse/fault-of.ts'
import { form } from './served-world.ts'

const ORIGIN = 'http://graph.test'
const SCAN = 50

/** Long lists over HTTP, of which nobody sees anything, and a token of a viewer. */
const serveLists = async (shelves: number, limits = {}) => {
  const { graph, watch } = await openLongLists(shelves, { limits, secret: 'the secret of the cursors' })
  replaceSeams(graph, { drawUniform: drawing(0) })
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
  return { watch, token, requests, send, read }
}

const tooCostly = {
  status: 400,
  body: {
    error: {
      message: expect.stringContaining(`about ${SCAN} edges`),
      type: 'OAuthException',
      code: 1,
      error_data: { reason: 'too_costly', limit: SCAN },
      fbtrace_id: expect.any(String),
    },
  },
}

describe('a request that examines more than its drawn limit', async () => {
  const { token, requests, send, read } = await serveLists(2, { scan: SCAN })
  const id = shelfId(0)

  it.each([
    `/${id}?fields=things`,
    `/${id}?fields=things&partial=1`,
    `/?ids=${id},${shelfId(1)}&fields=things&partial=1`,
    `/${id}/things?summary=true`,
    `/${id}/things?summary=total_count&partial=1`,
    `/${shelfId(1)}?fields=id,things.limit(1).as(few)&debug=all`,
  ])('fails as a whole, and is not transient: %s', async path => {
    const { headers, ...response } = await read(path)
    expect(response).toEqual(tooCostly)
    expect(headers.get('retry-after')).toBeNull()
  })

  it('fails alone in a batch', async () => {
    const batch = [{ relative_url: `${id}?fields=things` }, { relative_url: `${id}?fields=id` }]
    const { body } = await read('/', form({ batch: JSON.stringify(batch) }))
    expect(body.map(({ code }: { code: number }) => code)).toEqual([400, 200])
    expect(JSON.parse(body[0].body)).toEqual(tooCostly.body)
  })

  it('is not sent again by the client', async () => {
    requests.length = 0
    const remote = createClient(ORIGIN, {
      fetch: (url, init) => send(new Request(url, init)),
      retry: { baseDelay: 1, maxDelay: 2 },
    })
    const fault = await faultOf(remote.getNode(token, { id, fields: 'things' }))
    expect(fault.data).toEqual({ reason: 'too_costly', limit: SCAN })
    expect(requests).toHaveLength(1)
  })

  it('is a page that ends at the limit where it is of one edge alone', async () => {
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
  it('share the two slots of their viewer, and have the same responses', async () => {
    const lists = [0, 1, 2, 3, 4]
    const { watch, read } = await serveLists(lists.length)
    const urls = lists.map(index => `${shelfId(index)}?fields=things.summary(true)`)
    const open = watch.hold()
    const batch = read('/', form({ batch: JSON.stringify(urls.map(url => ({ relative_url: url }))) }))
    await expect.poll(() => watch.ahead.length).toBe(2)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(watch.ahead).toHaveLength(2)
    open()
    const { body } = await batch
    for (const [index, url] of urls.entries()) {
      expect(JSON.parse(body[index].body)).toEqual((await read(`/${url}`)).body)
    }
  })
})
