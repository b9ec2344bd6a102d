import { createClient } from 'kithgraph/client'
import { afterEach, describe, expect, it, vi } from 'vitest'

const openPage = (href: string): void => void vi.stubGlobal('location', { href })

/** Returns the URLs that a client requests for `getMe`. */
const readUrls = async (baseUrl: string): Promise<readonly string[]> => {
  const urls: string[] = []
  const { getMe } = createClient(baseUrl, {
    fetch: async url => {
      urls.push(url)
      return Response.json({ id: '4' })
    },
  })
  await getMe('token')
  return urls
}

const EXPECTED_PATH =
  'an absolute URL, or a path at the origin of the page without a query, such as /graph; received'

describe('a relative base URL of the client', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it.each([
    ['/graph', 'https://app.example/graph/me'],
    ['/graph/', 'https://app.example/graph/me'],
    ['/', 'https://app.example/me'],
    ['graph', 'https://app.example/tools/graph/me'],
    ['./graph', 'https://app.example/tools/graph/me'],
    ['../graph', 'https://app.example/graph/me'],
  ])('is resolved against the page: %s', async (baseUrl, expected) => {
    openPage('https://app.example/tools/page?tab=1#top')
    expect(await readUrls(baseUrl)).toEqual([expected])
  })

  it('is resolved when the client is created, so that navigation does not change it', async () => {
    openPage('https://app.example/a/b')
    const urls: string[] = []
    const { getMe } = createClient('graph', {
      fetch: async url => {
        urls.push(url)
        return Response.json({ id: '4' })
      },
    })
    openPage('https://app.example/c/d/e')
    await getMe('token')
    expect(urls).toEqual(['https://app.example/a/graph/me'])
  })

  it('stays at the origin of a page whose path looks like a host', async () => {
    openPage('https://app.example//other.example/page')
    expect(await readUrls('/graph')).toEqual(['https://app.example/graph/me'])
    expect(await readUrls('graph')).toEqual(['https://app.example//other.example/graph/me'])
  })

  it('does not inherit the password of the page', async () => {
    openPage('https://ada:secret@app.example/')
    expect(await readUrls('/graph')).toEqual(['https://app.example/graph/me'])
  })

  it.each([
    '//other.example/graph',
    '/\\other.example',
    '\\\\other.example',
    '/\t/other.example',
    '/graph?a=b',
    '/graph#a',
  ])('causes a TypeError if it leads to another origin or has a query: %j', baseUrl => {
    openPage('https://app.example/page')
    expect(() => createClient(baseUrl)).toThrow(
      new TypeError(`createClient: "baseUrl" must be ${EXPECTED_PATH} ${JSON.stringify(baseUrl)}`),
    )
  })

  it('causes a TypeError that does not show a password', () => {
    openPage('https://app.example/page')
    expect(() => createClient('//ada:secret@app.example/graph')).toThrow(
      new TypeError(`createClient: "baseUrl" must be ${EXPECTED_PATH} a URL that may contain a password`),
    )
  })

  it.each([
    'about:blank',
    'about:srcdoc',
    'file:///home/page.html',
    'blob:https://app.example/1',
    'data:text/html,',
  ])('causes a TypeError in a page without an HTTP address: %s', href => {
    openPage(href)
    expect(() => createClient('/graph')).toThrow(
      new TypeError(
        'createClient: "baseUrl" must be an absolute URL outside a web page, such as https://api.example/graph; received "/graph"',
      ),
    )
  })

  it('causes a TypeError if it is empty, also in a page', () => {
    openPage('https://app.example/page')
    expect(() => createClient('')).toThrow('must be an absolute URL')
  })

  it('does not change an absolute URL', async () => {
    openPage('https://app.example/page')
    expect(await readUrls('https://api.example/graph')).toEqual(['https://api.example/graph/me'])
  })
})
