import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { type ServedTables, serveTables } from '../helpers/serve-tables.ts'
import { SHOP_TABLES } from '../helpers/shop-tables.ts'
import { hasChromium, launchChromium } from './chromium.ts'

describe.runIf(hasChromium('kithgraph serve in a browser'))('kithgraph serve in a browser', () => {
  let server: PostgresServer
  let served: ServedTables
  let browser: Browser
  beforeAll(async () => {
    server = await startPostgres()
    const pool = server.pool()
    await pool.query(SHOP_TABLES)
    const { user, password, host, port, database } = pool.options
    served = await serveTables([`postgres://${user}:${password}@${host}:${port}/${database}`])
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    await served.stop()
    await server.stop()
  })

  it('shows a row without cookies, and with no request to another place', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const urls: string[] = []
    page.on('request', request => urls.push(request.url()))
    await page.goto(`${served.url}#path=customer-1&version=v1.0`)
    await page.getByText('M4RK3R Ada').first().waitFor()
    expect(await context.cookies()).toEqual([])
    const base = served.url.replace(/explorer\/$/, '')
    expect(urls.filter(url => !url.startsWith(base))).toEqual([])
    await context.close()
  })

  it('shows nothing at a name that leads to this machine', async () => {
    const rebound = await launchChromium(['--host-resolver-rules=MAP rebound.example 127.0.0.1'])
    const page = await rebound.newPage()
    const response = await page.goto(served.url.replace('127.0.0.1', 'rebound.example'))
    expect(response?.status()).toBe(403)
    await rebound.close()
  })

  it('cannot be read by a page of another origin', async () => {
    const page = await browser.newPage()
    await page.goto('about:blank')
    const read = await page.evaluate(
      url =>
        fetch(url).then(
          response => response.text(),
          () => 'blocked',
        ),
      `${served.origin}${served.graphPath}/customer-1`,
    )
    expect(read).toBe('blocked')
    await page.close()
  })
})
