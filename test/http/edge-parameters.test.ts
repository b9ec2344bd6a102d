import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CALL_PARAMETERS, isCallParameter } from '../../src/base/call-parameters.ts'
import { serveParameters } from './parameter-world.ts'
import { createFormRequest, createJsonRequest } from './served-world.ts'

const { read, idsOf } = await serveParameters()

const TAGGED = ['12', '11', '10']
const UPLOADED = ['14', '13', '12']

/** Values that the parameters of a call may have. */
const HARMLESS_VALUES: { readonly [name: string]: string } = {
  access_token: '',
  appsecret_proof: '',
  fields: 'id',
  limit: '25',
  after: '',
  before: '',
  since: '2010-01-01',
  until: '2020-01-01',
  order: 'reverse_chronological',
  summary: '0',
  offset: '0',
  node_type: 'person',
  method: 'get',
  debug: '',
  partial: '1',
  metadata: '0',
}

describe('a parameter of an edge in a URL', () => {
  it('chooses the list of the edge, and has its default without a value', async () => {
    expect(await idsOf('/me/photos')).toEqual(TAGGED)
    expect(await idsOf('/1/photos?type=tagged')).toEqual(TAGGED)
    expect(await idsOf('/v1.0/me/photos/?type=uploaded')).toEqual(UPLOADED)
  })

  it('applies to every id of a request for several', async () => {
    const pages = await read('/photos?ids=1,me&type=uploaded&fields=id&node_type=person')
    for (const id of ['1', 'me']) expect(pages[id].data).toEqual(UPLOADED.map(entry => ({ id: entry })))
  })

  it('applies to a request for one entry', async () => {
    expect(await idsOf('/me/photos/14')).toEqual([])
    expect(await idsOf('/me/photos/14?type=uploaded')).toEqual(['14'])
    expect(await idsOf('/me/photos/10?type=uploaded')).toEqual([])
    expect(await idsOf('/me/visits/10?min=1')).toEqual(['10'])
    expect(await idsOf('/me/visits/10?min=2')).toEqual([])
  })

  it.each<readonly [string, string, readonly string[]]>([
    ['a string', 'q=sun', ['10']],
    ['a string with encoded characters', 'q=a%26b%3Dc%2Bd', ['13']],
    ['an empty string', 'q=', ['11']],
    ['an int', 'min=3', ['13', '12']],
    ['a float', 'min=3&factor=0.75', ['13']],
    ['a bool', 'noted=false', ['12']],
    ['a bool as a digit', 'noted=1', ['13', '11', '10']],
    ['a datetime', 'from=2014-01-03T00:00:00Z', ['13', '12']],
    ['a datetime as in results, whose + is not encoded', 'from=2014-01-03T00:00:00+0000', ['13', '12']],
    ['a datetime in milliseconds', `from=${Date.UTC(2014, 0, 3)}`, ['13', '12']],
    ['an id', 'except=13', ['12', '11', '10']],
    ['me as an id', 'except=me&min=4', ['13']],
    [
      'an empty value of another type, which counts as no value',
      'min=&noted=&min=',
      ['13', '12', '11', '10'],
    ],
  ])('may be %s', async (_name, query, ids) => {
    expect(await idsOf(`/me/visits?${query}`)).toEqual(ids)
  })

  it('may be in a form, in a JSON body with values of other types, and in a batch', async () => {
    expect(await idsOf('/me/photos', createFormRequest({ method: 'get', type: 'uploaded' }))).toEqual(
      UPLOADED,
    )
    expect(await idsOf('/me/visits', createJsonRequest({ method: 'get', min: 3, noted: true }))).toEqual([
      '13',
    ])
    const batch = JSON.stringify([
      { relative_url: 'me/photos?type=uploaded' },
      { relative_url: 'me/photos?kind=uploaded' },
      { method: 'POST', relative_url: 'me/photos', body: 'method=get&type=uploaded' },
    ])
    const items = await read('/', createFormRequest({ batch }))
    expect(items.map(({ code }: { readonly code: number }) => code)).toEqual([200, 400, 200])
    for (const item of [items[0], items[2]])
      expect(JSON.parse(item.body).data.map(({ id }: { readonly id: string }) => id)).toEqual(UPLOADED)
  })

  it('is repeated in the links of the page', async () => {
    const { paging } = await read('/me/photos?type=uploaded&limit=2&fields=id')
    const next = new URL(paging.next)
    expect(next.searchParams.get('type')).toBe('uploaded')
    expect(await idsOf(next.pathname + next.search)).toEqual(UPLOADED.slice(2))
    const { searchParams } = new URL((await read('/me/photos?limit=2')).paging.next)
    expect(searchParams.has('type')).toBe(false)
  })

  it('is repeated in the links of a page inside an expression', async () => {
    const { photos } = await read('/me?fields=photos.type(uploaded).limit(1){id}')
    const next = new URL(photos.paging.next)
    expect(await idsOf(next.pathname + next.search)).toEqual(['13'])
  })

  it('belongs to the cursor', async () => {
    const { paging } = await read('/me/photos?type=uploaded&limit=1')
    const cursor = encodeURIComponent(paging.cursors.after)
    expect(await idsOf(`/me/photos?type=uploaded&after=${cursor}`)).toEqual(UPLOADED.slice(1))
    expect(await idsOf(`/me/photos?after=${cursor}`)).toBe('invalid_parameter')
  })
})

describe('a parameter that the edge in the path does not have', () => {
  it.each([
    '/me/photos?filter=x',
    '/me/photos?types=uploaded',
    '/me/photos/10?filter=x',
    '/photos?ids=1&node_type=person&filter=x',
    '/me/photos?width=100',
    '/me/photos?filter[]=x',
    '/me/photos?constructor=x',
    '/10/likes?type=uploaded',
    '/10/likes?type=uploaded&node_type=photo',
  ])('is an error: %s', async path => {
    expect(await idsOf(path)).toBe('invalid_parameter')
  })

  it('is not shown in full in the error, because it may be a secret or very long', async () => {
    const secret = `demo|${'s'.repeat(5000)}`
    const { error } = await read(`/me/photos?${encodeURIComponent(secret)}=x`)
    expect(error.error_data.reason).toBe('invalid_parameter')
    expect(JSON.stringify(error)).not.toContain('sss')
  })

  it('is ignored if it is empty', async () => {
    expect(await idsOf('/me/photos?filter=&type=')).toEqual(TAGGED)
  })

  it('is ignored on paths without an edge, where each path has its own parameters', async () => {
    const node = { name: 'Ada', id: '1' }
    expect(await read('/me?type=uploaded&filter=x&filter=y')).toEqual(node)
    expect(await read('/1?type=uploaded&q=x')).toEqual(node)
    expect(await read('/?ids=1&type=uploaded&q=x')).toEqual({ 1: node })
    expect((await read('/me/picture?redirect=0&type=large&filter=x')).data.url).toContain('/nobody.svg')
    expect(await read('/me/permissions?filter=x')).toEqual({ data: [] })
  })

  it('depends on the type of the node, if several types have the edge', async () => {
    expect(await idsOf('/10/photos?type=newer')).toEqual(['11'])
    expect(await idsOf('/10/photos?type=uploaded')).toBe('invalid_parameter')
    expect(await idsOf('/1/photos?type=newer')).toBe('invalid_parameter')
    expect(await idsOf('/10/photos')).toBe('invalid_parameter')
  })
})

describe('a parameter of an edge with two values', () => {
  it('is an error if the values differ', async () => {
    for (const query of ['type=tagged&type=uploaded', 'filter=a&filter=b', 'type=&type=uploaded'])
      expect(await idsOf(`/me/photos?${query}`)).toBe('invalid_parameter')
  })

  it('is accepted if the values are equal', async () => {
    expect(await idsOf('/me/photos?type=uploaded&type=uploaded')).toEqual(UPLOADED)
  })
})

describe('a parameter of every call', () => {
  it('is used or ignored on every path with an edge', async () => {
    // The parameter ids is an error if the path has an id.
    for (const name of [...CALL_PARAMETERS].filter(name => name !== 'ids')) {
      const value = HARMLESS_VALUES[name] ?? 'x'
      for (const path of ['/me/photos', '/me/photos/12'])
        expect(await idsOf(`${path}?${name}=${value}`), name).toEqual(path === '/me/photos' ? TAGGED : ['12'])
    }
  })

  it('is ignored if its name begins with an underscore, even with two values', async () => {
    expect(await idsOf('/me/photos?_=1&_=2&__proto__=x&_reactName=y')).toEqual(TAGGED)
  })

  it('is listed in docs/http.md, and the list there has no other name', () => {
    const text = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8')
    const [, section = ''] = /\n### Parameters of every call\n([\s\S]*?)\n#/.exec(text) ?? []
    const [list = ''] = /(?:^`[^\n]*\n)+/m.exec(section) ?? []
    const names = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(names.toSorted()).toEqual([...CALL_PARAMETERS].toSorted())
    expect(section).toContain('names that begin with `_`')
    expect(isCallParameter('_any')).toBe(true)
  })
})
