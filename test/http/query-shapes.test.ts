import { createClient } from 'kithgraph/client'
import { describe, expect, it } from 'vitest'
import { ADA, GRACE, NEWEST_FIRST } from '../helpers/world.ts'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'
import { createFormRequest, serveWorld } from './served-world.ts'

const { read, reasonOf, graph, handler, token } = await serveWorld()

const count = { data: [], summary: { order: 'reverse_chronological', total_count: NEWEST_FIRST.length } }
const named = { name: 'Ada Lovelace', id: ADA }

describe('a limit of 0 in a URL', () => {
  it('returns only the count if a summary is requested, by the path of an edge and in an expression', async () => {
    expect(await read('/me/photos?limit=0&summary=true')).toEqual(count)
    expect(await read('/me/photos?limit=0&summary=true&pretty=1')).toEqual(count)
    expect(await read(`/photos?ids=me&limit=0&summary=1`)).toEqual({ me: count })
    expect(await read('/me?fields=photos.limit(0).summary(true)')).toEqual({ photos: count, id: ADA })
  })

  it('is an error without a summary', async () => {
    for (const path of ['/me/photos?limit=0', '/me/photos?limit=0&summary=0', '/me?fields=photos.limit(0)'])
      expect(await reasonOf(path)).toBe('invalid_parameter')
  })

  it('has the same effect in getEdge of the client, and is an error in iterateEdge', async () => {
    const client = createClient('http://graph.test', {
      fetch: (url, init) => handler(new Request(url, init)),
    })
    expect(await client.getEdge(token, { id: 'me', edge: 'photos', limit: 0, summary: true })).toEqual(count)
    const iterator = client.iterateEdge(token, { id: 'me', edge: 'photos', limit: 0 })[Symbol.asyncIterator]()
    expect((await expectGraphError(iterator.next())).toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'limit',
    })
  })
})

describe('a time in a URL', () => {
  const ids = async (path: string): Promise<unknown[]> =>
    (await read(path)).data.map(({ id }: { readonly id: string }) => id)

  it.each([
    '2014-08-03T17:41:05+0000',
    '2014-08-03 17:41:05',
    '2014-08-03%2017:41:05',
    '2014-08-03+17:41:05',
  ])('does not need to be encoded: %s', async time => {
    expect(await ids(`/me/photos?since=${time}&until=${time}`)).toEqual(['142', '141', '140'])
    const inside = await read(`/me?fields=photos.since(${time}).until(${time}){id}`)
    expect(inside.photos.data).toEqual([{ id: '142' }, { id: '141' }, { id: '140' }])
  })

  it('can be one that the graph returned, and is repeated in the links', async () => {
    const { created_time: time } = await read('/142?fields=created_time')
    const first = await read(`/me/photos?since=${time}&until=${time}&limit=2&fields=id`)
    const next = new URL(first.paging.next)
    expect(await ids(next.pathname + next.search)).toEqual(['140'])
  })

  it.each(['1407087665000', 'yesterday', '-1%20day'])(
    'is rejected if it is not a valid time: %s',
    async time => {
      for (const path of [`/me/photos?since=${time}`, `/me?fields=photos.until(${time})`])
        expect(await reasonOf(path)).toBe('invalid_parameter')
    },
  )
})

describe('fields as a list in a URL', () => {
  it.each([
    'fields[]=first_name&fields[]=id',
    'fields%5B%5D=first_name&fields%5B%5D=id',
    'fields[0]=first_name&fields[1]=id',
    'fields[0]=first_name&fields[1]=id&fields=',
    'fields[7]=first_name,id',
    'fields[]=first_name&fields[]=&fields[]=id',
    'fields[0]=first_name&fields[1]=id&fields[0]=first_name',
  ])('is read as if joined by commas: %s', async query => {
    expect(JSON.stringify(await read(`/me?${query}`))).toBe(JSON.stringify({ first_name: 'Ada', id: ADA }))
  })

  it('can have modifiers, also for the entries of an edge', async () => {
    expect(await read('/me/photos?fields[]=id&fields[]=likes.limit(1){name}&limit=1')).toMatchObject({
      data: [{ id: NEWEST_FIRST[0], likes: { data: [{ name: 'Alan Turing' }] } }],
    })
  })

  it('can be sent in a form', async () => {
    const fields = createFormRequest({ method: 'get', 'fields[0]': 'first_name', 'fields[1]': 'id' })
    expect(await read('/me', fields)).toEqual({ first_name: 'Ada', id: ADA })
  })

  it('selects the default fields if it is empty', async () => {
    expect(await read('/me?fields[]=')).toEqual(named)
  })

  it('is an error together with a plain value, or with two values for one index', async () => {
    expect(await reasonOf('/me?fields=id&fields[]=name')).toBe('invalid_parameter')
    expect(await reasonOf('/me?fields[0]=id&fields[0]=name')).toBe('invalid_parameter')
    expect(await reasonOf('/me?fields[]=name&fields[]=name')).toBe('duplicate_name')
  })
})

describe('a parameter with two different values', () => {
  it('is ignored if it is unknown', async () => {
    for (const query of ['sdk=a&sdk=b', 'filter[]=a&filter[]=b', '__proto__=a&__proto__=b', '_=1&_=2'])
      expect(await read(`/me?${query}`)).toEqual(named)
  })

  it('is an error if it is known', async () => {
    for (const name of ['fields', 'ids', 'limit', 'access_token', 'pretty', 'debug'])
      expect(await reasonOf(`/me?${name}=1&${name}=2`)).toBe('invalid_parameter')
  })
})

describe('metadata in the parameter fields', () => {
  it('returns the selected parts, with absolute links', async () => {
    expect(await read(`/${GRACE}?fields=metadata{type}`)).toEqual({ metadata: { type: 'user' }, id: GRACE })
    const { metadata } = await read(`/v1.0/${ADA}?fields=metadata{type,connections}`)
    expect(metadata.type).toBe('user')
    expect(metadata.connections.photos).toBe(`http://graph.test/v1.0/${ADA}/photos`)
  })

  it('returns the same text as in-process', async () => {
    for (const fields of ['metadata', 'name,metadata{type,fields{name}},id', 'metadata.as(m){connections}']) {
      const text = JSON.stringify(await graph.getMe(token, { fields: [fields].join() }))
      const headers = { 'kithgraph-links': 'relative', authorization: `Bearer ${token}` }
      const url = `http://graph.test/me?fields=${encodeURIComponent(fields)}`
      expect(await (await handler(new Request(url, { headers }))).text()).toBe(text)
    }
  })
})

describe('a picture in the parameter fields', () => {
  it('accepts the modifier redirect, which clients send', async () => {
    expect(await read('/me?fields=picture.redirect(false).type(large)')).toMatchObject({
      picture: { data: { url: 'https://img.example/ada/200.jpg' } },
    })
  })
})
