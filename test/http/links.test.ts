import { describe, expect, it } from 'vitest'
import { computeProof } from '../../src/access/proof.ts'
import { findLinks } from '../helpers/links.ts'
import { ADA, NEWEST_FIRST, NEWEST_PHOTO } from '../helpers/world.ts'
import { createFormRequest, ORIGIN, parseJson, type ServedOptions, serveWorld } from './served-world.ts'

const { sendAsAda, read, send, graph, token } = await serveWorld()

const PAGE = 7

/** Collects all entries from a page on. Follows only the links in one direction. */
const followLinks = async (path: string, direction: 'next' | 'previous'): Promise<readonly string[]> => {
  const ids: string[] = []
  for (let link: string | undefined = ORIGIN + path; link !== undefined; ) {
    const { data, paging } = parseJson(await send(link.slice(ORIGIN.length)))
    const page = data.map(({ id }: { id: string }) => id)
    if (direction === 'next') ids.push(...page)
    else ids.unshift(...page)
    link = paging?.[direction]
  }
  return ids
}

describe('the links of a page', () => {
  it('lead through all pages and back, without further parameters', async () => {
    const path = `/v1.0/me/photos?access_token=${token}&limit=${PAGE}&fields=id`
    expect(await followLinks(path, 'next')).toEqual(NEWEST_FIRST)
    let last = parseJson(await send(path))
    while (last.paging.next !== undefined) last = parseJson(await send(last.paging.next.slice(ORIGIN.length)))
    const back = await followLinks(last.paging.previous.slice(ORIGIN.length), 'previous')
    expect(back).toEqual(NEWEST_FIRST.slice(0, back.length))
    expect(NEWEST_FIRST.slice(back.length)).toEqual(last.data.map(({ id }: { id: string }) => id))
  })

  it('are absolute, with the id of the viewer, the version and every parameter', async () => {
    const { paging } = await read(
      '/v1.0/me/photos?limit=2&fields=name,from{id}&order=chronological&summary=true',
    )
    const next = new URL(paging.next)
    expect(next.origin).toBe(ORIGIN)
    expect(next.pathname).toBe(`/v1.0/${ADA}/photos`)
    expect(Object.fromEntries(next.searchParams)).toEqual({
      limit: '2',
      fields: 'name,from{id}',
      order: 'chronological',
      summary: 'true',
      after: paging.cursors.after,
    })
  })

  it('repeat the parameter pretty if it is valid, but not method, redirect and unknown parameters', async () => {
    const carried = async (query: string): Promise<object> => {
      const { photos } = await read(`/me?fields=photos.limit(1){id}&${query}`)
      const { after, ...rest } = Object.fromEntries(new URL(photos.paging.next).searchParams)
      expect(after).toBe(photos.paging.cursors.after)
      return rest
    }
    const plain = { fields: 'id', limit: '1' }
    for (const [pretty, expected] of [
      ['1', '1'],
      ['true', '1'],
      ['0', '0'],
      ['false', '0'],
    ])
      expect(await carried(`pretty=${pretty}`)).toEqual({ pretty: expected, ...plain })
    for (const query of [`pretty=${'x'.repeat(10_000)}`, 'pretty=', 'callback=x', 'redirect=0', 'method=get'])
      expect(await carried(query)).toEqual(plain)
  })

  it('have no version if the request has none', async () => {
    expect(new URL((await read('/me/photos?limit=1')).paging.next).pathname).toBe(`/${ADA}/photos`)
  })

  it('contain the token and the proof only if the query has them', async () => {
    const proof = computeProof(token, 'the secret of demo')
    const parameters = { method: 'get', access_token: token, appsecret_proof: proof }
    const carrying = async (path: string, init: RequestInit = {}) => {
      const links = findLinks(parseJson(await send(path, init)))
      expect(links.length).toBeGreaterThan(1)
      return links.map(link => {
        const { searchParams } = new URL(link)
        return [searchParams.get('access_token'), searchParams.get('appsecret_proof')]
      })
    }
    const nested = '/me?fields=photos.limit(1){likes.limit(1)}'
    for (const carried of await carrying(`${nested}&access_token=${token}`))
      expect(carried).toEqual([token, null])
    for (const [one, two] of await carrying(`${nested}&access_token=${token}&appsecret_proof=${proof}`))
      expect([one, two]).toEqual([token, proof])
    for (const init of [createFormRequest(parameters), { headers: { authorization: `Bearer ${token}` } }])
      for (const carried of await carrying(nested, init)) expect(carried).toEqual([null, null])
  })

  it('lead to the nested edge if the page is nested in another', async () => {
    const fields = 'photos.limit(1){likes.limit(1).as(fans){id}}'
    const response = await read(`/me?fields=${encodeURIComponent(fields)}`)
    const { next } = response.photos.data[0].fans.paging
    expect(new URL(next).pathname).toBe(`/${NEWEST_PHOTO}/likes`)
    expect((await read(next.slice(ORIGIN.length))).data).toHaveLength(1)
  })

  it('contain the whole token if it has spaces and special characters', async () => {
    const app = 'demo|the secret of demo'
    const path = `/${NEWEST_PHOTO}/likes?limit=1&access_token=${encodeURIComponent(app)}`
    const { next } = parseJson(await send(path)).paging
    expect(new URL(next).searchParams.get('access_token')).toBe(app)
    expect((await send(next.slice(ORIGIN.length))).status).toBe(200)
  })

  it('have the same form as the links in metadata', async () => {
    const { metadata } = parseJson(await send(`/v1.0/me?metadata=1&access_token=${token}`))
    expect(metadata.connections.photos).toBe(`${ORIGIN}/v1.0/${ADA}/photos?access_token=${token}`)
  })

  it('are relative, as in-process, if a client requests it', async () => {
    const headers = { 'kithgraph-links': 'relative' }
    const { text } = await send(`/v1.0/me/photos?limit=1&access_token=${token}`, { headers })
    const page = await graph.getEdge(token, { id: 'me', edge: 'photos', limit: 1, version: 'v1.0' })
    expect(text).toBe(JSON.stringify(page))
    expect(text).not.toContain(token)
    expect((await sendAsAda('/2?fields=picture', { headers })).text).toContain('"/default-picture.svg"')
  })
})

describe('the base of links', () => {
  const readLinkStart = async (
    options: ServedOptions,
    path: string,
    headers: { [name: string]: string } = {},
  ) => {
    const world = await serveWorld(options)
    return (await world.read(path, { headers })).paging.next.split(`/${ADA}/`)[0]
  }

  it('is the origin of the request and the base path', async () => {
    expect(await readLinkStart({}, '/me/photos?limit=1')).toBe(ORIGIN)
    expect(await readLinkStart({ basePath: '/graph/api' }, '/graph/api/v1.0/me/photos?limit=1')).toBe(
      `${ORIGIN}/graph/api/v1.0`,
    )
  })

  it('is the option baseUrl, with or without a final slash', async () => {
    for (const baseUrl of ['https://api.example/g', 'https://api.example/g/'])
      expect(await readLinkStart({ baseUrl }, '/me/photos?limit=1')).toBe('https://api.example/g')
  })

  it('is read from the headers of a proxy only with trustProxy', async () => {
    const headers = { 'x-forwarded-host': 'api.example:8443, inner', 'x-forwarded-proto': 'HTTPS' }
    expect(await readLinkStart({}, '/me/photos?limit=1', headers)).toBe(ORIGIN)
    expect(await readLinkStart({ trustProxy: true }, '/me/photos?limit=1', headers)).toBe(
      'https://api.example:8443',
    )
    expect(await readLinkStart({ trustProxy: true }, '/me/photos?limit=1')).toBe(ORIGIN)
  })

  it('makes a request fail if it is not a valid scheme and host', async () => {
    const world = await serveWorld({ trustProxy: true })
    for (const headers of [
      { 'x-forwarded-host': 'evil.example/path' },
      { 'x-forwarded-host': 'a b' },
      { 'x-forwarded-host': 'user@evil.example' },
      { 'x-forwarded-host': '"><script>' },
      { 'x-forwarded-proto': 'javascript' },
    ])
      expect(await world.reasonOf('/me/photos?limit=1', { headers })).toBe('invalid_parameter')
  })

  it('is empty if the request has no origin', async () => {
    const { handler, token: mine } = await serveWorld()
    const { body } = await handler.respond({
      method: 'GET',
      url: '/me/photos?limit=1',
      headers: { authorization: `Bearer ${mine}` },
    })
    expect(JSON.parse(`${body}`).paging.next).toMatch(/^\/1\/photos\?/)
  })
})

describe('the option basePath', () => {
  it('is removed from paths, and other paths are not found', async () => {
    const { read: get, reasonOf } = await serveWorld({ basePath: '/graph' })
    for (const path of ['/graph/me', '/graph//me/', '/graph?ids=me', '/graph/?id=me'])
      expect(JSON.stringify(await get(`${path}${path.includes('?') ? '&' : '?'}fields=id`))).toContain(
        `"id":"${ADA}"`,
      )
    for (const path of ['/me', '/graphs/me', '/GRAPH/me']) expect(await reasonOf(path)).toBe('path_not_found')
  })
})
