import { gunzipSync } from 'node:zlib'
import { collection, createGraph, socialSchema } from 'kithgraph'
import { createExplorer, type ExplorerOptions } from 'kithgraph/explorer'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { pageBundle } from '../../src/explorer/page-bundle.ts'

const ORIGIN = 'http://explorer.test'
const SCRIPT = `app-${pageBundle.script.hash}.js`
const STYLE = `app-${pageBundle.style.hash}.css`
const GZIP = { headers: { 'Accept-Encoding': 'br, gzip' } }

const createTestExplorer = (options: ExplorerOptions = { graphPath: '/graph' }) => {
  const explorer = createExplorer(createGraph(createMemoryStore()), options)
  return (path: string, init: RequestInit = {}) => explorer(new Request(ORIGIN + path, init))
}

const pageOf = async (options: ExplorerOptions): Promise<string> =>
  (await createTestExplorer(options)('/explorer/')).text()

/** Returns the settings in the page, as its script reads them. */
const settingsIn = (page: string): unknown => {
  const [, text = ''] = /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(page) ?? []
  return JSON.parse(text)
}

describe.each(['', '/explorer', '/a/b.c/explorer'])('an Explorer mounted at %j', basePath => {
  const requestExplorer = createTestExplorer()

  it('serves its page, which links its files by relative URLs', async () => {
    const response = await requestExplorer(`${basePath}/`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    const page = await response.text()
    const files = [...page.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, file = '']) => file)
    expect(files.sort()).toEqual([`./${STYLE}`, `./${SCRIPT}`].sort())
    for (const file of files) {
      const { pathname } = new URL(file, `${ORIGIN}${basePath}/`)
      expect((await requestExplorer(pathname)).status, pathname).toBe(200)
    }
  })

  it.each(['schema.json', 'plan.json?type=user', 'notices.txt'])('serves %s', async name => {
    expect((await requestExplorer(`${basePath}/${name}`)).status).toBe(200)
  })

  it('returns 404 for any other file', async () => {
    for (const name of ['app-0123456789abcdef.js', 'favicon.ico', 'index.html'])
      expect((await requestExplorer(`${basePath}/${name}`)).status, name).toBe(404)
  })
})

describe('an Explorer URL without the final slash', () => {
  it.each([
    ['/explorer', '/explorer/'],
    ['/tools/explorer?token=1', '/tools/explorer/?token=1'],
    ['/tools/ex:plorer', '/tools/ex:plorer/'],
  ])('redirects %s to %s', async (from, to) => {
    const { status, headers } = await createTestExplorer()(from)
    expect([status, new URL(headers.get('location') ?? '', ORIGIN + from).href]).toEqual([308, ORIGIN + to])
  })
})

describe('the Explorer', () => {
  it.each(['/explorer/', `/explorer/${SCRIPT}`, '/explorer/schema.json', '/explorer'])(
    'returns the headers of GET for HEAD %s',
    async path => {
      const requestExplorer = createTestExplorer()
      const [got, head] = await Promise.all([
        requestExplorer(path),
        requestExplorer(path, { method: 'HEAD' }),
      ])
      expect([head.status, [...head.headers]]).toEqual([got.status, [...got.headers]])
      expect(await head.text()).toBe('')
    },
  )

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('rejects the method %s', async method => {
    const { status, headers } = await createTestExplorer()('/explorer/', { method })
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

describe('every response of the Explorer', () => {
  const policyFor = async (graphPath: string, path = '/explorer/') =>
    (await createTestExplorer({ graphPath })(path)).headers.get('content-security-policy')

  it.each(PATHS)('has the security headers: %s', async path => {
    const { headers } = await createTestExplorer()(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('allows connections only to its own origin and to the origin of its graph', async () => {
    const policy = await policyFor('https://api.example:8443/graph')
    expect(policy).toContain("; connect-src 'self' https://api.example:8443; ")
    expect(await policyFor('/graph')).toBe(policy?.replace(' https://api.example:8443', ''))
  })

  it('must be revalidated, except for the script, whose name contains a hash of its content', async () => {
    const requestExplorer = createTestExplorer()
    for (const path of PATHS)
      expect((await requestExplorer(path)).headers.get('cache-control'), path).toBe(
        path.includes('app-') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
  })
})

describe('the app of the Explorer (script, style and notices)', () => {
  const NAMES = [SCRIPT, STYLE, 'notices.txt']

  it.each(NAMES)('is compressed only for clients that accept it: %s', async name => {
    const requestExplorer = createTestExplorer()
    const compressed = await requestExplorer(`/explorer/${name}`, GZIP)
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    const plain = await requestExplorer(`/explorer/${name}`)
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
  ])('is sent for "Accept-Encoding: %s" with compression: %s', async (accepted, isCompressed) => {
    const { headers } = await createTestExplorer()(`/explorer/${SCRIPT}`, {
      headers: { 'Accept-Encoding': accepted },
    })
    expect(headers.has('content-encoding')).toBe(isCompressed)
  })

  it('names the licence of every bundled package', async () => {
    const notices = await (await createTestExplorer()('/explorer/notices.txt')).text()
    const headings = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \((?:MIT|ISC)\)$/gm)].map(([, name]) => name)
    expect(headings).toEqual(expect.arrayContaining(['@codemirror/view', 'd3-force', 'preact']))
    expect(notices.match(/Permission/g)?.length).toBe(headings.length)
  })

  it('has at most 250 KB when compressed, with the page and the notices', async () => {
    const requestExplorer = createTestExplorer()
    const sent = ['', ...NAMES].map(
      async name => (await (await requestExplorer(`/explorer/${name}`, GZIP)).arrayBuffer()).byteLength,
    )
    const bytes = (await Promise.all(sent)).reduce((sum, length) => sum + length)
    expect(bytes).toBeLessThan(250 * 1024)
  })
})

describe('the settings in the page of the Explorer', () => {
  it.each([
    [{ graphPath: '/graph' }, { graphPath: '/graph' }],
    [{ graphPath: '/' }, { graphPath: '' }],
    [
      { graphPath: '/api/graph/', demoToken: 'abc', initialFields: 'name' },
      { graphPath: '/api/graph', demoToken: 'abc', initialFields: 'name' },
    ],
    [{ graphPath: 'https://api.example/graph/' }, { graphPath: 'https://api.example/graph' }],
    [{ graphPath: 'HTTP://API.example' }, { graphPath: 'http://api.example' }],
    [
      { graphPath: '/graph', viewers: { Ada: 'abc', 'Ben </script>': 'def' } },
      { graphPath: '/graph', viewers: { Ada: 'abc', 'Ben </script>': 'def' } },
    ],
  ])('are derived from the options %j: %j', async (options, settings) => {
    expect(settingsIn(await pageOf(options))).toEqual(settings)
  })

  it('say whether the schema has collections, on which the page then opens', async () => {
    const schema = socialSchema.extend({}, { collections: { people: collection('user') } })
    const explorer = createExplorer(createGraph(createMemoryStore(), { schema }), { graphPath: '/graph' })
    const page = await (await explorer(new Request(`${ORIGIN}/explorer/`))).text()
    expect(settingsIn(page)).toEqual({ graphPath: '/graph', hasCollections: true })
  })

  it('do not end the script element, whatever the options are', async () => {
    const demoToken = '</script><script>alert("1")</script><!--\u2028'
    const page = await pageOf({ graphPath: '/graph', demoToken, initialFields: demoToken })
    expect(settingsIn(page)).toEqual({ graphPath: '/graph', demoToken, initialFields: demoToken })
    expect(page.match(/<(?:script|!--)/g)).toEqual(['<script', '<script'])
  })
})

describe('a usage error of createExplorer', () => {
  const graph = createGraph(createMemoryStore())
  // A call without types.
  const expectCreateExplorer = (given: unknown, options: unknown = { graphPath: '/graph' }) =>
    expect(() => Reflect.apply(createExplorer, undefined, [given, options]))

  it('is thrown if the first argument is not a graph', () => {
    expectCreateExplorer({}).toThrow(
      new TypeError(
        'createExplorer: "graph" must be a graph that createGraph() returns; received an empty object',
      ),
    )
  })

  it.each([
    [null, '"options" must be an object; received null'],
    [
      { path: '/' },
      'options must be one of "graphPath", "demoToken", "viewers", "initialFields"; received "path"',
    ],
    [{ graphPath: '/', viewers: ['a'] }, '"viewers" must be an object; received an array of length 1'],
    [{ graphPath: '/', viewers: { Ada: '' } }, '"viewers.Ada" must be a token; received an empty string'],
    [{ graphPath: '/', viewers: { Ada: 7 } }, '"viewers.Ada" must be a token; received 7'],
    [{ graphPath: '/', demoToken: 7 }, '"demoToken" must be a string; received 7'],
    [
      { graphPath: '/', initialFields: ['name'] },
      '"initialFields" must be a string; received an array of length 1',
    ],
  ])('is thrown for the options %j', (options, message) => {
    expectCreateExplorer(graph, options).toThrow(new TypeError(`createExplorer: ${message}`))
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
  ])('is thrown for the graphPath %j', graphPath => {
    expectCreateExplorer(graph, { graphPath }).toThrow(
      /^createExplorer: "graphPath" must be a path such as \/graph, or a URL such as https:\/\/api\.example\/graph; received (?!.*secret)/,
    )
  })
})
