import { describe, expect, it } from 'vitest'
import { ADA, FIRST_COMMENT, GRACE, NEWEST_PHOTO } from '../helpers/world.ts'
import { jsonOf, serveWorld } from './served-world.ts'

const { ask, read, reasonOf, send, token } = await serveWorld()

const locationOf = async (path: string): Promise<string | null> => (await ask(path)).headers.get('location')

describe('a picture', () => {
  it('is where an edge would be, and sends to the image', async () => {
    const { status, headers, text } = await ask('/me/picture')
    expect([status, text]).toEqual([302, ''])
    expect(headers.get('location')).toBe('https://img.example/ada/50.jpg')
    expect(headers.get('cache-control')).toBe('private')
    expect(headers.get('vary')).toBe('Authorization, kithgraph-links')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('has the size that is asked for', async () => {
    expect(await locationOf(`/${ADA}/picture?type=large`)).toBe('https://img.example/ada/200.jpg')
    expect(await locationOf('/v1.0/me/picture?width=60&height=60')).toBe('https://img.example/ada/100.jpg')
    expect(await locationOf('/me/picture?type=thumbnail')).toBe('https://img.example/ada/50.jpg')
    expect(await reasonOf('/me/picture?width=wide')).toBe('bad_parameter')
    expect(await reasonOf('/me/picture?type=large).as(x')).toBe('bad_parameter')
  })

  it('is told of, where redirect is false', async () => {
    for (const no of ['0', 'false']) {
      expect(await read(`/me/picture?redirect=${no}&type=large`)).toEqual({
        data: { height: 200, is_silhouette: false, url: 'https://img.example/ada/200.jpg', width: 200 },
      })
    }
    expect(await reasonOf('/me/picture?redirect=maybe')).toBe('bad_parameter')
  })

  it('is a silhouette for those who have none, which the handler serves itself', async () => {
    const { data } = await read(`/${GRACE}/picture?redirect=0`)
    expect(data).toEqual({
      height: 50,
      is_silhouette: true,
      url: 'http://graph.test/silhouette.svg',
      width: 50,
    })
    expect(await locationOf(`/${GRACE}/picture`)).toBe(data.url)
    expect(await read(`/${GRACE}?fields=picture`)).toEqual({ picture: { data }, id: GRACE })
    const { status, headers, text } = await send(new URL(data.url).pathname)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(text).toMatch(/^<svg /)
  })

  it('is missing where the node is, or has none', async () => {
    expect(await reasonOf('/999/picture')).toBe('node_missing')
    expect(await reasonOf(`/${FIRST_COMMENT}/picture`)).toBe('unknown_field')
    expect(jsonOf(await send('/me/picture')).error.code).toBe(104)
  })

  it('of several nodes is told of for each', async () => {
    const one = await read('/me/picture?redirect=0&type=large')
    const other = await read(`/${GRACE}/picture?redirect=0&type=large`)
    expect(await read(`/picture?ids=me,${GRACE}&type=large`)).toEqual({ me: one, [GRACE]: other })
    expect(await reasonOf(`/picture?ids=me,${FIRST_COMMENT}`)).toBe('unknown_field')
    expect(await read(`/picture?ids=${GRACE},999&partial=1`)).toMatchObject({
      [GRACE]: { data: { is_silhouette: true } },
      __debug__: { messages: [{ type: 'warning' }] },
    })
  })

  it('that a node cannot have is not told of as a node that is missing, partial or not', async () => {
    for (const partial of [0, 1])
      expect(await reasonOf(`/${FIRST_COMMENT}/picture?partial=${partial}`)).toBe('unknown_field')
    const pictures = await read(`/picture?ids=${GRACE},${FIRST_COMMENT}&partial=1`)
    expect(Object.keys(pictures)).toEqual([GRACE, '__debug__'])
    expect(pictures.__debug__.messages).toEqual([
      expect.objectContaining({ message: expect.stringContaining('picture'), type: 'warning' }),
    ])
  })

  it('is not where the name is an edge', async () => {
    expect(await read(`/${NEWEST_PHOTO}/likes?fields=id`)).toHaveProperty('data')
  })

  it('never sends a browser to anything but the web', async () => {
    const world = await serveWorld()
    for (const url of ['javascript:alert(1)', 'data:text/html,<b>', '//evil.example\r\nX: y', 'vbscript:x']) {
      await world.store.write(
        [
          {
            op: 'putNode',
            node: { id: '7', type: 'user', fields: { name: 'x', picture: [{ url, width: 50, height: 50 }] } },
          },
        ],
        { signal: undefined },
      )
      const { status, headers } = await world.ask('/7/picture')
      if (status === 302) expect(headers.get('location')).toMatch(/^https?:\/\/[\x21-\x7e]+$/)
      else expect(status).toBe(400)
    }
  })

  it('sends to the same place, whether links are absolute or relative', async () => {
    const world = await serveWorld()
    for (const [url, expected] of [
      ['/a b.jpg', '/a%20b.jpg'],
      ['/a%20b.jpg', '/a%20b.jpg'],
      ['pics/rel.jpg?size=1#top', '/pics/rel.jpg?size=1#top'],
      ['/pics/../..//img.example/x', '/img.example/x'],
      ['https://img.example/a%20b', 'https://img.example/a%20b'],
    ] as const) {
      const picture = [{ url, width: 50, height: 50 }]
      const node = { id: '7', type: 'user', fields: { name: 'x', picture } }
      await world.store.write([{ op: 'putNode', node }], { signal: undefined })
      const relative = await world.ask('/7/picture', { headers: { 'kithgraph-links': 'relative' } })
      expect(relative.headers.get('location')).toBe(expected)
    }
    const picture = [{ url: '//img.example/x', width: 50, height: 50 }]
    const node = { id: '7', type: 'user', fields: { name: 'x', picture } }
    await world.store.write([{ op: 'putNode', node }], { signal: undefined })
    const locations = [{}, { 'kithgraph-links': 'relative' }].map(async headers =>
      (await world.ask('/7/picture', { headers })).headers.get('location'),
    )
    expect(await Promise.all(locations)).toEqual(['http://img.example/x', 'https://img.example/x'])
  })

  it('keeps the token out of where it sends', async () => {
    expect((await send(`/me/picture?access_token=${token}`)).headers.get('location')).not.toContain(token)
  })
})
