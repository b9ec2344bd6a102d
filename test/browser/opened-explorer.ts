import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { createDemo, type Demo } from '../../examples/demo/graph.ts'
import { type Listening, listening } from '../helpers/listening.ts'

/** Where Debian's package has it. */
const CHROMIUM = '/usr/bin/chromium'

/** A graph, and a token for it. */
type World = { readonly graph: Parameters<typeof createExplorer>[0]; readonly token: string }

/** How the Explorer is opened. */
export type Opening = {
  /** Where the Explorer is mounted. Default `/tools/explorer`. */
  readonly basePath?: string
  /** Whose graph is looked at. Default: the demo's. */
  readonly world?: World
  /** Whether the graph is served at an origin of its own. Default false. */
  readonly isElsewhere?: boolean
  /** What has to stand in a request's `Cookie` for the Explorer to answer. */
  readonly cookie?: string
  /** What stands behind the path, such as a fragment. */
  readonly rest?: string
  /** Whether the page begins with a token. Default true. */
  readonly hasToken?: boolean
  /** Beside the size 1280 × 800, in light colours. */
  readonly browser?: BrowserContextOptions
}

/** An Explorer in a browser of its own, and what it looks at. */
export type OpenedExplorer = {
  readonly page: Page
  readonly demo: Demo
  /** Of the page, without a query or fragment. */
  readonly url: string
}

const GRAPH_PATH = '/api/graph'

/** Serves a graph at a path, and its Explorer at another. */
const serve = ({ graph, token }: World, graphPath: string, opening: Opening): Promise<Listening> => {
  const { basePath = '/tools/explorer', hasToken = true, cookie = '' } = opening
  const handler = toNodeListener(createHandler(graph, { basePath: GRAPH_PATH }))
  const demoToken = hasToken ? token : undefined
  const explorer = toNodeListener(createExplorer(graph, { graphPath, demoToken }))
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    if (url.startsWith(GRAPH_PATH)) return handler(request, response)
    const isLetIn = url.startsWith(basePath) && (headers.cookie ?? '').includes(cookie)
    return isLetIn ? explorer(request, response) : response.writeHead(404).end()
  })
  return listening(server)
}

/** Serves a graph alone. */
const serveGraph = ({ graph }: World): Promise<Listening> => {
  const handler = createHandler(graph, { basePath: GRAPH_PATH, cors: { origin: '*' } })
  return listening(createServer(toNodeListener(handler)))
}

/** A browser tells of requests that fail, too; those that the page asks for, and that a test breaks off, are its business. */
const FAULT =
  /^Failed to load resource: (?:the server responded with a status of (?:40[03]|502) |net::ERR_FAILED)/

/** Notes what no page may do: errors, violations of its policy, requests to others than its server. */
const watch = (page: Page, origins: readonly string[], problems: string[]): void => {
  page.on('pageerror', error => problems.push(`${error}`))
  page.on('console', message => {
    if (message.type() === 'error' && !FAULT.test(message.text())) problems.push(message.text())
  })
  page.on('request', request => {
    const url = new URL(request.url())
    if (!origins.includes(url.origin) && url.protocol !== 'data:') problems.push(`A request to ${url.origin}`)
  })
}

/**
 * Describes what a page does in a real browser, which is started once for all the tests. Where there is none, they are left
 * out, and it is said so. A test fails, too, for what a page must never do. What is to run in the page is given as text:
 * the types of a browser would clash with those of Node.
 */
export const describeInBrowser = (
  about: string,
  tests: (open: (opening?: Opening) => Promise<OpenedExplorer>) => void,
): void => {
  const isThere = existsSync(CHROMIUM)
  if (!isThere) process.stderr.write(`\n*** LEFT OUT, since there is no ${CHROMIUM} here: ${about} ***\n\n`)

  describe.skipIf(!isThere)(about, () => {
    let browser: Browser
    let demo: Demo
    const opened: (() => Promise<unknown>)[] = []
    const problems: string[] = []
    beforeAll(async () => {
      demo = await createDemo(createMemoryStore())
      const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
      browser = await chromium.launch({ executablePath: CHROMIUM, args })
    })
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(close => close()))
      expect(problems.splice(0)).toEqual([])
    })
    afterAll(() => browser.close())

    tests(async (opening = {}) => {
      const { basePath = '/tools/explorer', rest = '', world = demo, cookie } = opening
      const elsewhere = opening.isElsewhere ? await serveGraph(world) : undefined
      const { origin, stop } = await serve(world, (elsewhere?.origin ?? '') + GRAPH_PATH, opening)
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...opening.browser })
      opened.push(() => context.close().then(() => Promise.all([stop(), elsewhere?.stop()])))
      if (cookie !== undefined) {
        const [name = '', value = ''] = cookie.split('=')
        await context.addCookies([{ name, value, url: origin }])
      }
      const page = await context.newPage()
      watch(page, [origin, elsewhere?.origin ?? origin], problems)
      const url = `${origin}${basePath}/`
      await page.goto(url + rest)
      return { page, demo, url }
    })
  })
}
