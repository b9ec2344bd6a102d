import { afterAll, describe, expect, it } from 'vitest'
import { APP_SECRET } from '../../helpers/served-world.ts'
import { ADA, GRACE, NEWEST_FIRST, NOBODY, SCOPES } from '../../helpers/world.ts'
import { createWireClient, FORM, form, JSON_BODY } from './wire-client.ts'

/**
 * What clients of the Graph API send, byte by byte, and what each of them reads of the answer. They are those
 * that no test here runs: written in other languages, or fixed on a host.
 */

const { send, get, post, walk, afterHost, proof, token, origin, stop } = await createWireClient()
afterAll(stop)

describe('Koala (Ruby)', () => {
  it('reads `data` as a collection, and follows what of a link comes behind its host', async () => {
    const first = `/me/photos?access_token=${token}&appsecret_proof=${proof}&fields=id,created_time&limit=25`
    expect(await walk(first, afterHost)).toEqual(NEWEST_FIRST)
  })

  it('reads the particulars of an error, and headers by their names in lower case', async () => {
    const { status, headers, body } = await get(`/v3.1/${NOBODY}?access_token=${token}`)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ type: 'GraphMethodException', code: 100, error_subcode: 33 })
    expect(headers['x-fb-trace-id']).toBe(body.error.fbtrace_id)
    expect(headers['www-authenticate']).toMatch(/^OAuth "Facebook Platform" "invalid_request" "/)
  })

  it('sends a batch as a form, its parameters sorted into the relative URL, and reads items by their place', async () => {
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

  it('asks for what a node has by metadata, and for a picture without being sent to it', async () => {
    const { body } = await get(`/me?access_token=${token}&metadata=1`)
    expect(body.metadata.type).toBe('user')
    const link = new URL(body.metadata.connections.photos)
    expect([link.origin, link.pathname]).toEqual([origin, `/${ADA}/photos`])
    const picture = await get(`/me/picture?access_token=${token}&redirect=false&type=large`)
    expect(picture.body.data).toMatchObject({ url: 'https://img.example/ada/200.jpg', is_silhouette: false })
  })

  it('deletes by a POST that says so, which is refused', async () => {
    const body = form({ access_token: token, method: 'delete' })
    const answer = await post(`/${GRACE}`, { headers: FORM, body })
    expect([answer.status, answer.body.error.code, answer.body.error.error_subcode]).toEqual([400, 100, 33])
  })
})

describe('facebook-sdk (Python)', () => {
  it('tells JSON by its content type, and errors by the body alone', async () => {
    const me = await get(`/v3.1/me?access_token=${token}`)
    expect(me.headers['content-type']).toContain('json')
    expect(me.headers['facebook-api-version']).toMatch(/^v\d+\.\d+$/)
    const refused = await get(`/v3.1/me?access_token=nobody`)
    expect(refused.headers['content-type']).toContain('json')
    expect(refused.body.error.message).toMatch(/\w/)
  })

  it('takes the token out of the query of a link, and asks again with its own', async () => {
    const follow = (next: string): string => {
      const parameters = new URL(next).searchParams
      // Without it, the client would end with a KeyError.
      expect(parameters.get('access_token')).toBe(token)
      parameters.delete('access_token')
      return `/v3.1/me/photos?${parameters}&access_token=${token}`
    }
    expect(await walk(`/v3.1/me/photos?limit=20&access_token=${token}`, follow)).toEqual(NEWEST_FIRST)
  })

  it('asks for several at a root with a slash, for permissions, and for what a token is with that of the app', async () => {
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

describe('fbgraph (JavaScript)', () => {
  it('builds its query from text, and follows links with its token put behind once more', async () => {
    const first = `/v2.9/me/photos?limit=30&access_token=${token}`
    expect(await walk(first, next => `${afterHost(next)}&access_token=${token}`)).toEqual(NEWEST_FIRST)
  })

  it('follows no redirection: it tells a picture by the content type, and reads the location', async () => {
    const { status, headers, text } = await send(`/v2.9/me/picture?type=large&access_token=${token}`)
    expect([status, text]).toEqual([302, ''])
    expect(headers['content-type']).toContain('image')
    expect(headers.location).toBe('https://img.example/ada/200.jpg')
  })
})

describe('python-facebook', () => {
  it('sends `fields` also where it is empty, which asks for the default ones', async () => {
    expect((await get(`/v19.0/me?fields=&access_token=${token}`)).body).toEqual({
      name: 'Ada Lovelace',
      id: ADA,
    })
  })
})

describe('clients of any kind', () => {
  it.each([
    ['braces that are not encoded', `/me?fields=photos.limit(1){id,comments{message}}&access_token=${token}`],
    [
      'all of them encoded',
      `/me?fields=photos%2Elimit%281%29%7Bid%2Ccomments%7Bmessage%7D%7D&access_token=${token}`,
    ],
    ['a slash at the end', `/v19.0/me/?access_token=${token}&fields=photos{id}`],
  ])('may write %s', async (_, path) => {
    expect((await get(path)).body.photos.data[0].id).toBe(NEWEST_FIRST[0])
  })

  it.each([
    ['a list of PHP', 'fields[]=first_name&fields[]=id'],
    ['a list of PHP with numbers', 'fields%5B0%5D=first_name&fields%5B1%5D=id'],
    ['parameters that mean nothing, twice', 'fields=first_name,id&filter[]=a&filter[]=b&sdk=1&sdk=2'],
  ])('may write fields as %s', async (_, query) => {
    expect((await get(`/v2.5/me?${query}&access_token=${token}`)).body).toEqual({
      first_name: 'Ada',
      id: ADA,
    })
  })

  it('may send a time back as they got it, its plus not encoded', async () => {
    const { body } = await get(`/${NEWEST_FIRST[0]}?fields=created_time&access_token=${token}`)
    const page = await get(`/me/photos?since=${body.created_time}&fields=id&access_token=${token}`)
    expect(page.body.data.map(({ id }: { readonly id: string }) => id)).toEqual(NEWEST_FIRST.slice(0, 3))
  })

  it('may ask for the type of a node, for a count alone, and for a picture that does not redirect', async () => {
    const fields = 'metadata{type},photos.limit(0).summary(true),picture.redirect(false)'
    expect((await get(`/me?fields=${fields}&access_token=${token}`)).body).toMatchObject({
      metadata: { type: 'user' },
      photos: { data: [], summary: { total_count: NEWEST_FIRST.length } },
      picture: { data: { is_silhouette: false } },
    })
  })

  it('may ask whether somebody is among the friends', async () => {
    const there = await get(`/me/friends/${GRACE}?access_token=${token}`)
    expect(there.body).toEqual({ data: [{ name: 'Grace Hopper', id: GRACE }] })
    expect((await get(`/me/friends/${NOBODY}?access_token=${token}`)).body).toEqual({ data: [] })
  })

  it('may send a GET with a body, which is dropped', async () => {
    const headers = { ...JSON_BODY, 'Content-Length': '15' }
    const answer = await send(`/me?access_token=${token}`, { headers, body: '{"fields":"id"}' })
    expect(JSON.parse(answer.text)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('may read by a POST that says so, for what fits no URL', async () => {
    const body = form({ access_token: token, method: 'GET', fields: 'id' })
    expect((await post('/me', { headers: FORM, body })).body).toEqual({ id: ADA })
  })
})
