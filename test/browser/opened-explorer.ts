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

/** How the Explorer is opened. */
export type Opening = {
  /** Where the Explorer is mounted. Default `/tools/explorer`. */
  readonly basePath?: string
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

/** Serves the demo's graph at `/api/graph`, and its Explorer. */
const serve = async ({ graph, token }: Demo, basePath: string, hasToken: boolean): Promise<Listening> => {
  const graphPath = '/api/graph'
  const handler = toNodeListener(createHandler(graph, { basePath: graphPath }))
  const demoToken = hasToken ? token : undefined
  const explorer = toNodeListener(createExplorer(graph, { graphPath, demoToken }))
  const server = createServer((request, response) => {
    if (request.url?.startsWith(graphPath)) return handler(request, response)
    if (request.url?.startsWith(basePath)) return explorer(request, response)
    return response.writeHead(404).end()
  })
  return listening(server)
}

/** A browser tells of answers that are faults, too; those that the page asks for are its business. */
const FAULT = /^Failed to load resource: the server responded with a status of 40[03] /

/** Notes what no page may do: errors, violations of its policy, requests to others than its server. */
const watch = (page: Page, origin: string, problems: string[]): void => {
  page.on('pageerror', error => problems.push(`${error}`))
  page.on('console', message => {
    if (message.type() === 'error' && !FAULT.test(message.text())) problems.push(message.text())
  })
  page.on('request', request => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:') problems.push(`A request to ${url.origin}`)
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

    tests(async ({ basePath = '/tools/explorer', rest = '', hasToken = true, browser: options } = {}) => {
      const { origin, stop } = await serve(demo, basePath, hasToken)
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      opened.push(() => context.close().then(stop))
      const page = await context.newPage()
      watch(page, origin, problems)
      const url = `${origin}${basePath}/`
      await page.goto(url + rest)
      return { page, demo, url }
    })
  })
}
