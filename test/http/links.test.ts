import { describe, expect, it } from 'vitest'
import { proofOf } from '../../src/access/proof.ts'
import { linksIn } from '../helpers/links.ts'
import { ADA, NEWEST_FIRST, NEWEST_PHOTO } from '../helpers/world.ts'
import { form, jsonOf, ORIGIN, type ServedOptions, serveWorld } from './served-world.ts'

const { ask, read, send, graph, token } = await serveWorld()

const PAGE = 7

/** All entries from a page on, by following its links in one direction, without anything but the link. */
const followed = async (path: string, direction: 'next' | 'previous'): Promise<readonly string[]> => {
  const ids: string[] = []
  for (let link: string | undefined = ORIGIN + path; link !== undefined; ) {
    const { data, paging } = jsonOf(await send(link.slice(ORIGIN.length)))
    const page = data.map(({ id }: { id: string }) => id)
    if (direction === 'next') ids.push(...page)
    else ids.unshift(...page)
    link = paging?.[direction]
  }
  return ids
}

describe('links', () => {
  it('work alone, to the end and back', async () => {
    const path = `/v1.0/me/photos?access_token=${token}&limit=${PAGE}&fields=id`
    expect(await followed(path, 'next')).toEqual(NEWEST_FIRST)
    let last = jsonOf(await send(path))
    while (last.paging.next !== undefined) last = jsonOf(await send(last.paging.next.slice(ORIGIN.length)))
    const back = await followed(last.paging.previous.slice(ORIGIN.length), 'previous')
    expect(back).toEqual(NEWEST_FIRST.slice(0, back.length))
    expect(NEWEST_FIRST.slice(back.length)).toEqual(last.data.map(({ id }: { id: string }) => id))
  })

  it('are absolute, name the viewer by id, and keep the version and every parameter', async () => {
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

  it('carry nothing that was not understood', async () => {
    const carried = async (query: string): Promise<object> => {
      const { photos } = await read(`/me?fields=photos.limit(1){id}&${query}`)
      const { after, ...rest } = Object.fromEntries(new URL(photos.paging.next).searchParams)
      expect(after).toBe(photos.paging.cursors.after)
      return rest
    }
    const plain = { fields: 'id', limit: '1' }
    for (const [pretty, told] of [
      ['1', '1'],
      ['true', '1'],
      ['0', '0'],
      ['false', '0'],
    ])
      expect(await carried(`pretty=${pretty}`)).toEqual({ pretty: told, ...plain })
    for (const query of [`pretty=${'x'.repeat(10_000)}`, 'pretty=', 'callback=x', 'redirect=0', 'method=get'])
      expect(await carried(query)).toEqual(plain)
  })

  it('name no version where none was asked', async () => {
    expect(new URL((await read('/me/photos?limit=1')).paging.next).pathname).toBe(`/${ADA}/photos`)
  })

  it('carry the token and the proof only where the query did', async () => {
    const proof = proofOf(token, 'the secret of demo')
    const asked = { method: 'get', access_token: token, appsecret_proof: proof }
    const carrying = async (path: string, init: RequestInit = {}) => {
      const links = linksIn(jsonOf(await send(path, init)))
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
    for (const init of [form(asked), { headers: { authorization: `Bearer ${token}` } }])
      for (const carried of await carrying(nested, init)) expect(carried).toEqual([null, null])
  })

  it('of an edge inside lead to that edge, and work', async () => {
    const fields = 'photos.limit(1){likes.limit(1).as(fans){id}}'
    const answer = await read(`/me?fields=${encodeURIComponent(fields)}`)
    const { next } = answer.photos.data[0].fans.paging
    expect(new URL(next).pathname).toBe(`/${NEWEST_PHOTO}/likes`)
    expect((await read(next.slice(ORIGIN.length))).data).toHaveLength(1)
  })

  it('carry a token whole, whatever is in it', async () => {
    const app = 'demo|the secret of demo'
    const path = `/${NEWEST_PHOTO}/likes?limit=1&access_token=${encodeURIComponent(app)}`
    const { next } = jsonOf(await send(path)).paging
    expect(new URL(next).searchParams.get('access_token')).toBe(app)
    expect((await send(next.slice(ORIGIN.length))).status).toBe(200)
  })

  it('of metadata are of the same kind', async () => {
    const { metadata } = jsonOf(await send(`/v1.0/me?metadata=1&access_token=${token}`))
    expect(metadata.connections.photos).toBe(`${ORIGIN}/v1.0/${ADA}/photos?access_token=${token}`)
  })

  it('are those of the process where a client asks for them so', async () => {
    const headers = { 'kithgraph-links': 'relative' }
    const { text } = await send(`/v1.0/me/photos?limit=1&access_token=${token}`, { headers })
    const page = await graph.getEdge(token, { id: 'me', edge: 'photos', limit: 1, version: 'v1.0' })
    expect(text).toBe(JSON.stringify(page))
    expect(text).not.toContain(token)
    expect((await ask('/2?fields=picture', { headers })).text).toContain('"/silhouette.svg"')
  })
})

describe('where links begin', () => {
  const startOf = async (options: ServedOptions, path: string, headers: { [name: string]: string } = {}) => {
    const world = await serveWorld(options)
    return (await world.read(path, { headers })).paging.next.split(`/${ADA}/`)[0]
  }

  it('is the origin of the request, and the base path', async () => {
    expect(await startOf({}, '/me/photos?limit=1')).toBe(ORIGIN)
    expect(await startOf({ basePath: '/graph/api' }, '/graph/api/v1.0/me/photos?limit=1')).toBe(
      `${ORIGIN}/graph/api/v1.0`,
    )
  })

  it('is the base URL where one is given, slash or no slash', async () => {
    for (const baseUrl of ['https://api.example/g', 'https://api.example/g/'])
      expect(await startOf({ baseUrl }, '/me/photos?limit=1')).toBe('https://api.example/g')
  })

  it('is what a proxy says only if it is trusted', async () => {
    const headers = { 'x-forwarded-host': 'api.example:8443, inner', 'x-forwarded-proto': 'HTTPS' }
    expect(await startOf({}, '/me/photos?limit=1', headers)).toBe(ORIGIN)
    expect(await startOf({ trustProxy: true }, '/me/photos?limit=1', headers)).toBe(
      'https://api.example:8443',
    )
    expect(await startOf({ trustProxy: true }, '/me/photos?limit=1')).toBe(ORIGIN)
  })

  it('is never what is no host or no scheme', async () => {
    const world = await serveWorld({ trustProxy: true })
    for (const headers of [
      { 'x-forwarded-host': 'evil.example/path' },
      { 'x-forwarded-host': 'a b' },
      { 'x-forwarded-host': 'user@evil.example' },
      { 'x-forwarded-host': '"><script>' },
      { 'x-forwarded-proto': 'javascript' },
    ])
      expect(await world.reasonOf('/me/photos?limit=1', { headers })).toBe('bad_parameter')
  })

  it('is nothing where the request does not say', async () => {
    const { handler, token: mine } = await serveWorld()
    const { body } = await handler.answer({
      method: 'GET',
      url: '/me/photos?limit=1',
      headers: { authorization: `Bearer ${mine}` },
    })
    expect(JSON.parse(`${body}`).paging.next).toMatch(/^\/1\/photos\?/)
  })
})

describe('the base path', () => {
  it('is taken off, and nothing outside of it is served', async () => {
    const { read: get, reasonOf } = await serveWorld({ basePath: '/graph' })
    for (const path of ['/graph/me', '/graph//me/', '/graph?ids=me', '/graph/?id=me'])
      expect(JSON.stringify(await get(`${path}${path.includes('?') ? '&' : '?'}fields=id`))).toContain(
        `"id":"${ADA}"`,
      )
    for (const path of ['/me', '/graphs/me', '/GRAPH/me']) expect(await reasonOf(path)).toBe('unknown_path')
  })
})
