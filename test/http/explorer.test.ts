import { gunzipSync } from 'node:zlib'
import { createGraph } from 'kithgraph'
import { createExplorer, type ExplorerOptions } from 'kithgraph/explorer'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { pageBundle } from '../../src/explorer/page-bundle.ts'

const ORIGIN = 'http://explorer.test'
const SCRIPT = `app-${pageBundle.script.hash}.js`
const STYLE = `app-${pageBundle.style.hash}.css`
const GZIP = { headers: { 'Accept-Encoding': 'br, gzip' } }

const explorerOf = (options: ExplorerOptions = { graphPath: '/graph' }) => {
  const explorer = createExplorer(createGraph(createMemoryStore()), options)
  return (path: string, init: RequestInit = {}) => explorer(new Request(ORIGIN + path, init))
}

const pageOf = async (options: ExplorerOptions): Promise<string> =>
  (await explorerOf(options)('/explorer/')).text()

/** What the page is set to, as its script reads it. */
const settingsIn = (page: string): unknown => {
  const [, text = ''] = /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(page) ?? []
  return JSON.parse(text)
}

describe.each(['', '/explorer', '/a/b.c/explorer'])('an Explorer mounted at %j', basePath => {
  const ask = explorerOf()

  it('answers its page, which names its files relative to itself', async () => {
    const response = await ask(`${basePath}/`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    const page = await response.text()
    const files = [...page.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, file = '']) => file)
    expect(files.sort()).toEqual([`./${STYLE}`, `./${SCRIPT}`].sort())
    for (const file of files) {
      const { pathname } = new URL(file, `${ORIGIN}${basePath}/`)
      expect((await ask(pathname)).status, pathname).toBe(200)
    }
  })

  it.each(['schema.json', 'plan.json?type=user', 'notices.txt'])('answers %s', async name => {
    expect((await ask(`${basePath}/${name}`)).status).toBe(200)
  })

  it('knows no other file', async () => {
    for (const name of ['app-0123456789abcdef.js', 'favicon.ico', 'index.html'])
      expect((await ask(`${basePath}/${name}`)).status, name).toBe(404)
  })
})

describe('without the slash at the end', () => {
  it.each([
    ['/explorer', '/explorer/'],
    ['/tools/explorer?token=1', '/tools/explorer/?token=1'],
    ['/tools/ex:plorer', '/tools/ex:plorer/'],
  ])('%s leads to %s', async (from, to) => {
    const { status, headers } = await explorerOf()(from)
    expect([status, new URL(headers.get('location') ?? '', ORIGIN + from).href]).toEqual([308, ORIGIN + to])
  })
})

describe('methods', () => {
  it.each(['/explorer/', `/explorer/${SCRIPT}`, '/explorer/schema.json', '/explorer'])(
    'HEAD %s answers the headers of GET',
    async path => {
      const ask = explorerOf()
      const [got, head] = await Promise.all([ask(path), ask(path, { method: 'HEAD' })])
      expect([head.status, [...head.headers]]).toEqual([got.status, [...got.headers]])
      expect(await head.text()).toBe('')
    },
  )

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is none of them', async method => {
    const { status, headers } = await explorerOf()('/explorer/', { method })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

const PATHS = [
  '/explorer/',
  '/explorer',
  `/explorer/${SCRIPT}`,
  '/explorer/schema.json',
  '/explorer/plan.json',
  '/x.js',
]

describe('every answer', () => {
  const policyFor = async (graphPath: string, path = '/explorer/') =>
    (await explorerOf({ graphPath })(path)).headers.get('content-security-policy')

  it.each(PATHS)('has the headers that keep the page to itself: %s', async path => {
    const { headers } = await explorerOf()(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('lets the page ask the graph where that is elsewhere, and nobody besides', async () => {
    const policy = await policyFor('https://api.example:8443/graph')
    expect(policy).toContain("; connect-src 'self' https://api.example:8443; ")
    expect(await policyFor('/graph')).toBe(policy?.replace(' https://api.example:8443', ''))
  })

  it('is asked for again, but for the app, whose name changes with its content', async () => {
    const ask = explorerOf()
    for (const path of PATHS)
      expect((await ask(path)).headers.get('cache-control'), path).toBe(
        path.includes('app-') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
  })
})

describe('the app', () => {
  const NAMES = [SCRIPT, STYLE, 'notices.txt']

  it.each(NAMES)('is sent compressed to whom that suits, and plain to others: %s', async name => {
    const ask = explorerOf()
    const compressed = await ask(`/explorer/${name}`, GZIP)
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    const plain = await ask(`/explorer/${name}`)
    expect(plain.headers.get('content-encoding')).toBe(null)
    const unpacked = gunzipSync(new Uint8Array(await compressed.arrayBuffer()))
    expect(await plain.text()).toBe(unpacked.toString())
    for (const { headers } of [compressed, plain]) expect(headers.get('vary')).toBe('Accept-Encoding')
  })

  it.each([
    ['gzip', true],
    ['GZIP;q=0.5', true],
    ['br, gzip; q=1.0', true],
    ['*', true],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['identity', false],
    ['', false],
  ])('a client that accepts %j gets it compressed: %s', async (accepted, isCompressed) => {
    const { headers } = await explorerOf()(`/explorer/${SCRIPT}`, {
      headers: { 'Accept-Encoding': accepted },
    })
    expect(headers.has('content-encoding')).toBe(isCompressed)
  })

  it('names the licence of every package that it is made of', async () => {
    const notices = await (await explorerOf()('/explorer/notices.txt')).text()
    const headings = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \((?:MIT|ISC)\)$/gm)].map(([, name]) => name)
    expect(headings).toEqual(expect.arrayContaining(['@codemirror/view', 'd3-force', 'preact']))
    expect(notices.match(/Permission/g)?.length).toBe(headings.length)
  })

  it('is at most 250 KB as it is sent, page and notices included', async () => {
    const ask = explorerOf()
    const sent = ['', ...NAMES].map(
      async name => (await (await ask(`/explorer/${name}`, GZIP)).arrayBuffer()).byteLength,
    )
    const bytes = (await Promise.all(sent)).reduce((sum, length) => sum + length)
    expect(bytes).toBeLessThan(250 * 1024)
  })
})

describe('the settings in the page', () => {
  it.each([
    [{ graphPath: '/graph' }, { graphPath: '/graph' }],
    [{ graphPath: '/' }, { graphPath: '' }],
    [
      { graphPath: '/api/graph/', demoToken: 'abc' },
      { graphPath: '/api/graph', demoToken: 'abc' },
    ],
    [{ graphPath: 'https://api.example/graph/' }, { graphPath: 'https://api.example/graph' }],
    [{ graphPath: 'HTTP://API.example' }, { graphPath: 'http://api.example' }],
  ])('of %j are %j', async (options, settings) => {
    expect(settingsIn(await pageOf(options))).toEqual(settings)
  })

  it('end no script, whatever the token is', async () => {
    const demoToken = '</script><script>alert("1")</script><!--\u2028'
    const page = await pageOf({ graphPath: '/graph', demoToken })
    expect(settingsIn(page)).toEqual({ graphPath: '/graph', demoToken })
    expect(page.match(/<(?:script|!--)/g)).toEqual(['<script', '<script'])
  })
})

describe('misuse', () => {
  const graph = createGraph(createMemoryStore())
  // As a program without types calls it.
  const refusal = (given: unknown, options: unknown = { graphPath: '/graph' }) =>
    expect(() => Reflect.apply(createExplorer, undefined, [given, options]))

  it('is what is no graph', () => {
    refusal({}).toThrow(
      new TypeError('createExplorer: expected a graph that createGraph made, came an empty object'),
    )
  })

  it.each([
    [null, 'expected options as an object, came null'],
    [{ path: '/' }, 'unknown option "path"; expected one of graphPath, demoToken'],
    [{ graphPath: '/', demoToken: 7 }, 'demoToken must be text, came 7'],
  ])('is %j', (options, message) => {
    refusal(graph, options).toThrow(new TypeError(`createExplorer: ${message}`))
  })

  it.each([
    undefined,
    '',
    'graph',
    '//elsewhere.example/graph',
    '/graph?x=1',
    '/graph;x',
    'javascript:alert(1)',
    'https://api.example/graph?',
    'https://api.example/#graph',
    'https://user:secret@api.example/graph',
  ])('is the path %j', graphPath => {
    refusal(graph, { graphPath }).toThrow(
      /^createExplorer: graphPath must be a path such as \/graph, or a URL such as https:\/\/api\.example\/graph, came /,
    )
  })
})
