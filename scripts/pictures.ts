/**
 * Takes the documentation's screenshots of the Explorer. Opens the demo in a real browser:
 *
 *     npm run pictures
 */
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { createMemoryStore } from 'kithgraph/memory'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { createDemo } from '../examples/demo/graph.ts'
import { listenOn } from '../examples/demo/listen.ts'
import { createListener } from '../examples/demo/listener.ts'
import { EXPLORER_FIELDS } from '../examples/demo/requests.ts'

const FOLDER = resolve(import.meta.dirname, '../docs/images')
const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2 }

/**
 * A screenshot: the fields of the request, its path (`me` by default) and its view, the browser context, and the
 * actions before the screenshot is taken.
 */
type Picture = {
  readonly name: string
  readonly fields: string
  readonly path?: string
  readonly view?: 'table'
  readonly context: BrowserContextOptions
  readonly prepare?: (page: Page) => Promise<void>
}

const PICTURES: readonly Picture[] = [
  { name: 'explorer', fields: EXPLORER_FIELDS, context: DESKTOP },
  {
    name: 'explorer-dark',
    fields: 'posts.limit(2) {\n  message, from, likes { name }\n},\nphotos',
    context: { ...DESKTOP, colorScheme: 'dark' },
    prepare: async page => {
      await page.getByRole('textbox', { name: 'Fields' }).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('.')
      await page.getByRole('listbox').waitFor()
      await page.getByRole('region', { name: 'Fields', exact: true }).getByText('Syntax error').waitFor()
    },
  },
  { name: 'explorer-phone', fields: EXPLORER_FIELDS, context: PHONE },
  {
    name: 'explorer-table',
    path: 'root/posts',
    fields: 'message,from,created_time,viewer_likes',
    view: 'table',
    context: DESKTOP,
    prepare: async page => {
      await page.getByText('Columns', { exact: true }).click()
    },
  },
  {
    name: 'explorer-action',
    path: 'me',
    fields: 'name',
    view: 'table',
    context: DESKTOP,
    prepare: async page => {
      await page.getByRole('button', { name: 'feed.add' }).click()
      await page.getByRole('textbox', { name: 'message' }).fill('Everybody to the rue de la Chanvrerie.')
      await page.getByRole('button', { name: 'Pick page' }).click()
      await page.getByRole('button', { name: 'Corinthe' }).waitFor()
    },
  },
  {
    name: 'explorer-graph',
    fields: EXPLORER_FIELDS,
    context: DESKTOP,
    prepare: async page => {
      await page.getByRole('tab', { name: 'Graph' }).click()
    },
  },
]

/** Makes the key of a call the same in every run. */
const STEADY_KEYS = 'crypto.getRandomValues = bytes => bytes.map((_, index) => index * 17)'

/** Replaces the duration of the response, which differs from run to run. */
const STEADY = `for (const part of document.querySelectorAll('[aria-label="Status"] li'))
  if (/^\\d+ ms$/.test(part.textContent)) part.textContent = '8 ms'`

const takePicture = async (browser: Browser, origin: string, picture: Picture): Promise<void> => {
  const context = await browser.newContext({ ...picture.context, reducedMotion: 'reduce' })
  await context.addInitScript(STEADY_KEYS)
  const page = await context.newPage()
  const { fields, path = 'me', view = 'query' } = picture
  await page.goto(`${origin}/explorer/#${new URLSearchParams({ path, fields, view })}`)
  await page.getByRole('list', { name: 'Status' }).or(page.getByRole('table')).waitFor()
  await picture.prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(STEADY)
  await page.screenshot({ path: join(FOLDER, `${picture.name}.png`), animations: 'disabled', caret: 'hide' })
  await context.close()
}

const demo = await createDemo(createMemoryStore())
const server = createServer(createListener({ ...demo, initialFields: EXPLORER_FIELDS }))
const origin = await listenOn(server, '0')
// Repaints the whole page, so that the same page always has the same bytes.
const args = ['--disable-partial-raster', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
for (const picture of PICTURES) await takePicture(browser, origin, picture)
await browser.close()
server.close()
server.closeAllConnections()
await demo.graph.close()
