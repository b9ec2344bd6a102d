import { createServer } from 'node:http'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { createDemo, type Demo } from '../../examples/demo/graph.ts'
import { type RunningServer, startServer } from '../helpers/start-server.ts'
import { hasChromium, launchChromium } from './chromium.ts'

/** A graph and a token for it. */
type World = {
  readonly graph: Parameters<typeof createExplorer>[0]
  readonly token: string
  /** Whether the schema has collections. */
  readonly hasCollections?: boolean
}

/** Options for opening the Explorer. */
export type ExplorerOptions = {
  /** The path at which the Explorer is mounted. Default `/tools/explorer`. */
  readonly basePath?: string
  /** The graph that the Explorer shows. Default: the graph of the demo. */
  readonly world?: World
  /** Whether the graph is served at another origin. Default false. */
  readonly hasOtherOrigin?: boolean
  /** A cookie that the Explorer requires. */
  readonly cookie?: string
  /**
   * Text after the path, such as a fragment. Default: the query of the path `me` with the initial fields, if
   * the page would open on collections.
   */
  readonly urlSuffix?: string
  /** Whether the page has a token at the start. Default true. */
  readonly hasToken?: boolean
  /** Returns the tokens of the viewers that the page offers. Default: none. */
  readonly viewers?: (demo: Demo) => { readonly [name: string]: string }
  /** The initial field expression of the page. Default: none. */
  readonly initialFields?: string
  /** Code that runs before the scripts of the page. */
  readonly initScript?: string
  /** Further options of the browser, which has 1280 × 800 pixels and light colours. */
  readonly browser?: BrowserContextOptions
}

/** An Explorer in a browser context, and the demo behind it. */
export type OpenedExplorer = {
  readonly page: Page
  readonly demo: Demo
  /** The URL of the page, without a query or fragment. */
  readonly url: string
}

const GRAPH_PATH = '/api/graph'

/** Returns the fragment of the query with which the page of a schema without collections opens. */
const printInitialQuery = (fields: string | undefined): string =>
  `#${new URLSearchParams({ path: 'me', version: 'v1.0', ...(fields !== undefined && { fields }) })}`

/** Serves a graph at one path and its Explorer at another. */
const serve = (
  { graph, token }: World,
  graphPath: string,
  options: ExplorerOptions,
  viewers: { readonly [name: string]: string } | undefined,
): Promise<RunningServer> => {
  const { basePath = '/tools/explorer', hasToken = true, cookie = '', initialFields } = options
  const handler = toNodeListener(createHandler(graph, { basePath: GRAPH_PATH }))
  const demoToken = hasToken ? token : undefined
  const explorer = toNodeListener(createExplorer(graph, { graphPath, demoToken, viewers, initialFields }))
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    if (url.startsWith(GRAPH_PATH)) return handler(request, response)
    const isAllowed = url.startsWith(basePath) && (headers.cookie ?? '').includes(cookie)
    return isAllowed ? explorer(request, response) : response.writeHead(404).end()
  })
  return startServer(server)
}

/** Serves a graph without an Explorer. */
const serveGraph = ({ graph }: World): Promise<RunningServer> => {
  const handler = createHandler(graph, { basePath: GRAPH_PATH, cors: { origin: '*' } })
  return startServer(createServer(toNodeListener(handler)))
}

/** Messages of the browser about failed requests, which tests cause on purpose. */
const EXPECTED_CONSOLE_ERROR =
  /^Failed to load resource: (?:the server responded with a status of (?:40[03]|50[23]) |net::ERR_FAILED)/

/** Collects errors, violations of the page's Content-Security-Policy, and requests to other servers. */
const watchForProblems = (page: Page, origins: readonly string[], problems: string[]): void => {
  page.on('pageerror', error => problems.push(`${error}`))
  page.on('console', message => {
    if (message.type() === 'error' && !EXPECTED_CONSOLE_ERROR.test(message.text()))
      problems.push(message.text())
  })
  page.on('request', request => {
    const url = new URL(request.url())
    if (!origins.includes(url.origin) && url.protocol !== 'data:') problems.push(`A request to ${url.origin}`)
  })
}

/**
 * Declares tests of the page in a real browser, which starts once for all of them. Without a browser, the
 * tests are skipped with a message. A test also fails if the page logs an error or sends a request to another
 * server. Code that runs in the page is passed as text, because the types of a browser conflict with those of
 * Node.
 */
export const describeInBrowser = (
  about: string,
  tests: (open: (options?: ExplorerOptions) => Promise<OpenedExplorer>) => void,
): void => {
  describe.skipIf(!hasChromium(about))(about, () => {
    let browser: Browser
    let demo: Demo
    const cleanups: (() => Promise<unknown>)[] = []
    const problems: string[] = []
    beforeAll(async () => {
      demo = await createDemo(createMemoryStore())
      browser = await launchChromium()
    })
    afterEach(async () => {
      await Promise.all(cleanups.splice(0).map(close => close()))
      expect(problems.splice(0)).toEqual([])
    })
    afterAll(() => browser.close())

    tests(async (opening = {}) => {
      const { basePath = '/tools/explorer', world = { ...demo, hasCollections: true }, cookie } = opening
      const { urlSuffix = world.hasCollections ? printInitialQuery(opening.initialFields) : '' } = opening
      const otherServer = opening.hasOtherOrigin ? await serveGraph(world) : undefined
      const graphPath = (otherServer?.origin ?? '') + GRAPH_PATH
      const { origin, stop } = await serve(world, graphPath, opening, opening.viewers?.(demo))
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...opening.browser })
      cleanups.push(() => context.close().then(() => Promise.all([stop(), otherServer?.stop()])))
      if (cookie !== undefined) {
        const [name = '', value = ''] = cookie.split('=')
        await context.addCookies([{ name, value, url: origin }])
      }
      if (opening.initScript !== undefined) await context.addInitScript(opening.initScript)
      const page = await context.newPage()
      watchForProblems(page, [origin, otherServer?.origin ?? origin], problems)
      const url = `${origin}${basePath}/`
      await page.goto(url + urlSuffix)
      return { page, demo, url }
    })
  })
}
