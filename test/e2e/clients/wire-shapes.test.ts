import { afterAll, describe, expect, it } from 'vitest'
import { APP_SECRET } from '../../helpers/served-world.ts'
import { ADA, GRACE, NEWEST_FIRST, NOBODY, SCOPES } from '../../helpers/world.ts'
import { createWireClient, FORM, form, JSON_BODY } from './wire-client.ts'

/**
 * The exact requests of clients of the Graph API, and the parts of the responses that they read. These
 * clients cannot run here, because they are written in other languages or use a fixed host.
 */

const { send, get, post, readAllPages, afterHost, proof, token, origin, stop } = await createWireClient()
afterAll(stop)

describe('a replay of the client Koala (Ruby)', () => {
  it('reads `data` as a collection, and follows the path and query of links', async () => {
    const first = `/me/photos?access_token=${token}&appsecret_proof=${proof}&fields=id,created_time&limit=25`
    expect(await readAllPages(first, afterHost)).toEqual(NEWEST_FIRST)
  })

  it('reads the properties of an error, and headers by lower-case names', async () => {
    const { status, headers, body } = await get(`/v3.1/${NOBODY}?access_token=${token}`)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ type: 'GraphMethodException', code: 100, error_subcode: 33 })
    expect(headers['x-fb-trace-id']).toBe(body.error.fbtrace_id)
    expect(headers['www-authenticate']).toMatch(/^OAuth "Facebook Platform" "invalid_request" "/)
  })

  it('sends a batch as a form, and reads the responses by position', async () => {
    const batch = JSON.stringify([
      { method: 'get', relative_url: 'me?fields=id%2Cname' },
      { method: 'get', relative_url: `${NOBODY}` },
    ])
    const { body } = await post('/', { headers: FORM, body: form({ access_token: token, batch }) })
    expect(body.map((item: { readonly code: number }) => item.code)).toEqual([200, 400])
    expect(JSON.parse(body[0].body)).toEqual({ id: ADA, name: 'Ada Lovelace' })
    expect(body[0].headers).toContainEqual({ name: 'ETag', value: expect.stringMatching(/^".+"$/) })
    expect(body[1].headers.map(({ name }: { readonly name: string }) => name)).toContain('WWW-Authenticate')
  })

  it('requests metadata, and a picture without a redirection', async () => {
    const { body } = await get(`/me?access_token=${token}&metadata=1`)
    expect(body.metadata.type).toBe('user')
    const link = new URL(body.metadata.connections.photos)
    expect([link.origin, link.pathname]).toEqual([origin, `/${ADA}/photos`])
    const picture = await get(`/me/picture?access_token=${token}&redirect=false&type=large`)
    expect(picture.body.data).toMatchObject({ url: 'https://img.example/ada/200.jpg', is_silhouette: false })
  })

  it('sends a deletion as POST with method=delete, which is rejected', async () => {
    const body = form({ access_token: token, method: 'delete' })
    const response = await post(`/${GRACE}`, { headers: FORM, body })
    expect([response.status, response.body.error.code, response.body.error.error_subcode]).toEqual([
      400, 100, 33,
    ])
  })
})

describe('a replay of the client facebook-sdk (Python)', () => {
  it('recognizes JSON by its content type, and errors by the body', async () => {
    const me = await get(`/v3.1/me?access_token=${token}`)
    expect(me.headers['content-type']).toContain('json')
    expect(me.headers['facebook-api-version']).toMatch(/^v\d+\.\d+$/)
    const rejected = await get(`/v3.1/me?access_token=nobody`)
    expect(rejected.headers['content-type']).toContain('json')
    expect(rejected.body.error.message).toMatch(/\w/)
  })

  it('removes the token from the query of a link, and adds its own', async () => {
    const follow = (next: string): string => {
      const parameters = new URL(next).searchParams
      // Without the token, the client fails with a KeyError.
      expect(parameters.get('access_token')).toBe(token)
      parameters.delete('access_token')
      return `/v3.1/me/photos?${parameters}&access_token=${token}`
    }
    expect(await readAllPages(`/v3.1/me/photos?limit=20&access_token=${token}`, follow)).toEqual(NEWEST_FIRST)
  })

  it('requests several ids at "/", permissions, and debug_token with an app token', async () => {
    const several = await get(`/v3.1/?ids=${ADA}%2C${GRACE}&access_token=${token}`)
    expect(Object.keys(several.body)).toEqual([ADA, GRACE])
    const permissions = await get(`/v3.1/me/permissions?access_token=${token}`)
    expect(permissions.body.data).toContainEqual({ permission: 'email', status: 'granted' })
    const asApp = encodeURIComponent(`demo|${APP_SECRET}`)
    const { body } = await get(`/v3.1/debug_token?input_token=${token}&access_token=${asApp}`)
    expect(body.data).toMatchObject({
      app_id: 'demo',
      type: 'USER',
      user_id: ADA,
      is_valid: true,
      scopes: SCOPES,
    })
  })
})

describe('a replay of the client fbgraph (JavaScript)', () => {
  it('follows links with its token appended a second time', async () => {
    const first = `/v2.9/me/photos?limit=30&access_token=${token}`
    expect(await readAllPages(first, next => `${afterHost(next)}&access_token=${token}`)).toEqual(
      NEWEST_FIRST,
    )
  })

  it('recognizes a picture by the content type of a redirection, and reads its location', async () => {
    const { status, headers, text } = await send(`/v2.9/me/picture?type=large&access_token=${token}`)
    expect([status, text]).toEqual([302, ''])
    expect(headers['content-type']).toContain('image')
    expect(headers.location).toBe('https://img.example/ada/200.jpg')
  })
})

describe('a replay of the client python-facebook', () => {
  it('sends empty `fields`, which select the default fields', async () => {
    expect((await get(`/v19.0/me?fields=&access_token=${token}`)).body).toEqual({
      name: 'Ada Lovelace',
      id: ADA,
    })
  })
})

describe('any client', () => {
  it.each([
    ['unencoded braces', `/me?fields=photos.limit(1){id,comments{message}}&access_token=${token}`],
    [
      'encoded braces',
      `/me?fields=photos%2Elimit%281%29%7Bid%2Ccomments%7Bmessage%7D%7D&access_token=${token}`,
    ],
    ['a final slash', `/v19.0/me/?access_token=${token}&fields=photos{id}`],
  ])('can send a path with %s', async (_, path) => {
    expect((await get(path)).body.photos.data[0].id).toBe(NEWEST_FIRST[0])
  })

  it.each([
    ['a PHP list', 'fields[]=first_name&fields[]=id'],
    ['a PHP list with indexes', 'fields%5B0%5D=first_name&fields%5B1%5D=id'],
    [
      'an expression next to unknown parameters that occur twice',
      'fields=first_name,id&filter[]=a&filter[]=b&sdk=1&sdk=2',
    ],
  ])('can send fields as %s', async (_, query) => {
    expect((await get(`/v2.5/me?${query}&access_token=${token}`)).body).toEqual({
      first_name: 'Ada',
      id: ADA,
    })
  })

  it('can send a time as it was received, with an unencoded plus', async () => {
    const { body } = await get(`/${NEWEST_FIRST[0]}?fields=created_time&access_token=${token}`)
    const page = await get(`/me/photos?since=${body.created_time}&fields=id&access_token=${token}`)
    expect(page.body.data.map(({ id }: { readonly id: string }) => id)).toEqual(NEWEST_FIRST.slice(0, 3))
  })

  it('can request the type of a node, only a count, and a picture without a redirection', async () => {
    const fields = 'metadata{type},photos.limit(0).summary(true),picture.redirect(false)'
    expect((await get(`/me?fields=${fields}&access_token=${token}`)).body).toMatchObject({
      metadata: { type: 'user' },
      photos: { data: [], summary: { total_count: NEWEST_FIRST.length } },
      picture: { data: { is_silhouette: false } },
    })
  })

  it('can request whether a person is among the friends', async () => {
    const there = await get(`/me/friends/${GRACE}?access_token=${token}`)
    expect(there.body).toEqual({ data: [{ name: 'Grace Hopper', id: GRACE }] })
    expect((await get(`/me/friends/${NOBODY}?access_token=${token}`)).body).toEqual({ data: [] })
  })

  it('can request the tagged or the uploaded photos, and the comments with all replies', async () => {
    const readIds = async (path: string) =>
      (await get(`${path}&fields=id&limit=100&access_token=${token}`)).body.data.map(
        ({ id }: { readonly id: string }) => id,
      )
    expect(await readIds('/me/photos?type=tagged')).toEqual(NEWEST_FIRST)
    expect(await readIds('/me/photos?type=uploaded')).toEqual([])
    const comments = await readIds(`/${NEWEST_FIRST[0]}/comments?`)
    expect(comments.length).toBeGreaterThan(0)
    expect(await readIds(`/${NEWEST_FIRST[0]}/comments?filter=toplevel`)).toEqual(comments)
    expect(await readIds(`/${NEWEST_FIRST[0]}/comments?filter=stream`)).toEqual([])
  })

  it('can send the parameters of its library and of its language with a request for an edge', async () => {
    const parameters =
      'sdk=joey&format=json&pretty=0&suppress_http_code=1&locale=en_US&transport=cors&return_ssl_resources=1' +
      '&callback=FB.__globalCallbacks.f1&method=get&date_format=U&appsecret_time=1&__paging_token=x&_=1'
    const { body } = await get(`/v2.5/me/photos?${parameters}&limit=1&access_token=${token}`)
    expect(body.data[0].id).toBe(NEWEST_FIRST[0])
  })

  it('gets an error for a filter that the edge does not have, instead of an unfiltered list', async () => {
    const { status, body } = await get(`/me/friends?filter=mutual&access_token=${token}`)
    expect([status, body.error.code]).toEqual([400, 100])
    expect(body.error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'filter' })
  })

  it('can send GET with a body, which is ignored', async () => {
    const headers = { ...JSON_BODY, 'Content-Length': '15' }
    const response = await send(`/me?access_token=${token}`, { headers, body: '{"fields":"id"}' })
    expect(JSON.parse(response.text)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('can read by POST with method=GET, for parameters that are too long for a URL', async () => {
    const body = form({ access_token: token, method: 'GET', fields: 'id' })
    expect((await post('/me', { headers: FORM, body })).body).toEqual({ id: ADA })
  })
})
