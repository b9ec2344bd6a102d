import { describe, expect, it } from 'vitest'
import { ADA, FIRST_COMMENT, GRACE, NEWEST_PHOTO } from '../helpers/world.ts'
import { parseJson, serveWorld } from './served-world.ts'

const { sendAsAda, read, reasonOf, send, token } = await serveWorld()

const readLocation = async (path: string): Promise<string | null> =>
  (await sendAsAda(path)).headers.get('location')

describe('the picture of a node', () => {
  it('is served as a redirection to the image', async () => {
    const { status, headers, text } = await sendAsAda('/me/picture')
    expect([status, text]).toEqual([302, ''])
    expect(headers.get('location')).toBe('https://img.example/ada/50.jpg')
    expect(headers.get('cache-control')).toBe('private')
    expect(headers.get('vary')).toBe('Authorization, kithgraph-links')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('has the requested size', async () => {
    expect(await readLocation(`/${ADA}/picture?type=large`)).toBe('https://img.example/ada/200.jpg')
    expect(await readLocation('/v1.0/me/picture?width=60&height=60')).toBe('https://img.example/ada/100.jpg')
    expect(await readLocation('/me/picture?type=thumbnail')).toBe('https://img.example/ada/50.jpg')
    expect(await reasonOf('/me/picture?width=wide')).toBe('invalid_parameter')
    expect(await reasonOf('/me/picture?type=large).as(x')).toBe('invalid_parameter')
  })

  it('is described as JSON if redirect is false', async () => {
    for (const no of ['0', 'false']) {
      expect(await read(`/me/picture?redirect=${no}&type=large`)).toEqual({
        data: { height: 200, is_silhouette: false, url: 'https://img.example/ada/200.jpg', width: 200 },
      })
    }
    expect(await reasonOf('/me/picture?redirect=maybe')).toBe('invalid_parameter')
  })

  it('is the default picture, which the handler serves, if the node has none', async () => {
    const { data } = await read(`/${GRACE}/picture?redirect=0`)
    expect(data).toEqual({
      height: 50,
      is_silhouette: true,
      url: 'http://graph.test/default-picture.svg',
      width: 50,
    })
    expect(await readLocation(`/${GRACE}/picture`)).toBe(data.url)
    expect(await read(`/${GRACE}?fields=picture`)).toEqual({ picture: { data }, id: GRACE })
    const { status, headers, text } = await send(new URL(data.url).pathname)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(text).toMatch(/^<svg /)
  })

  it('is an error if the node does not exist or its type has no picture', async () => {
    expect(await reasonOf('/999/picture')).toBe('node_not_found')
    expect(await reasonOf(`/${FIRST_COMMENT}/picture`)).toBe('field_not_found')
    expect(parseJson(await send('/me/picture')).error.code).toBe(104)
  })

  it('is described for each of several nodes', async () => {
    const one = await read('/me/picture?redirect=0&type=large')
    const other = await read(`/${GRACE}/picture?redirect=0&type=large`)
    expect(await read(`/picture?ids=me,${GRACE}&type=large`)).toEqual({ me: one, [GRACE]: other })
    expect(await reasonOf(`/picture?ids=me,${FIRST_COMMENT}`)).toBe('field_not_found')
    expect(await read(`/picture?ids=${GRACE},999&partial=1`)).toMatchObject({
      [GRACE]: { data: { is_silhouette: true } },
      __debug__: { messages: [{ type: 'warning' }] },
    })
  })

  it('has the error field_not_found if the type has none, with and without partial', async () => {
    for (const partial of [0, 1])
      expect(await reasonOf(`/${FIRST_COMMENT}/picture?partial=${partial}`)).toBe('field_not_found')
    const pictures = await read(`/picture?ids=${GRACE},${FIRST_COMMENT}&partial=1`)
    expect(Object.keys(pictures)).toEqual([GRACE, '__debug__'])
    expect(pictures.__debug__.messages).toEqual([
      expect.objectContaining({ message: expect.stringContaining('picture'), type: 'warning' }),
    ])
  })

  it('does not prevent a request for an edge of a node', async () => {
    expect(await read(`/${NEWEST_PHOTO}/likes?fields=id`)).toHaveProperty('data')
  })

  it('redirects only to http and https', async () => {
    const world = await serveWorld()
    for (const url of ['javascript:alert(1)', 'data:text/html,<b>', '//evil.example\r\nX: y', 'vbscript:x']) {
      await world.store.write(
        [
          {
            op: 'putNode',
            node: {
              id: '7',
              type: 'user',
              fields: { name: 'x', picture: [{ url, width: 50, height: 50 }] },
            },
          },
        ],
        { signal: undefined },
      )
      const { status, headers } = await world.sendAsAda('/7/picture')
      if (status === 302) expect(headers.get('location')).toMatch(/^https?:\/\/[\x21-\x7e]+$/)
      else expect(status).toBe(400)
    }
  })

  it('redirects to an encoded and normalized URL, even if links are relative', async () => {
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
      const relative = await world.sendAsAda('/7/picture', { headers: { 'kithgraph-links': 'relative' } })
      expect(relative.headers.get('location')).toBe(expected)
    }
    const picture = [{ url: '//img.example/x', width: 50, height: 50 }]
    const node = { id: '7', type: 'user', fields: { name: 'x', picture } }
    await world.store.write([{ op: 'putNode', node }], { signal: undefined })
    const locations = [{}, { 'kithgraph-links': 'relative' }].map(async headers =>
      (await world.sendAsAda('/7/picture', { headers })).headers.get('location'),
    )
    expect(await Promise.all(locations)).toEqual(['http://img.example/x', 'https://img.example/x'])
  })

  it('redirects to a URL without the token', async () => {
    expect((await send(`/me/picture?access_token=${token}`)).headers.get('location')).not.toContain(token)
  })
})
