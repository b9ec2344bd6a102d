import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type RunningExample, startExample } from '../helpers/start-example.ts'
import { hasChromium, launchChromium } from './chromium.ts'

const ABOUT = 'the page of the example react'
const FIRST_PAGE = ['Day 12', 'Day 11', 'Day 10', 'Day 9', 'Day 8']
const SECOND_PAGE = ['Day 7', 'Day 6', 'Day 5', 'Day 4', 'Day 3']
const THIRD_PAGE = ['Day 2', 'Day 1']

const TOKEN_EXPIRED = {
  error: {
    message: 'Error validating access token: Session has expired',
    type: 'OAuthException',
    code: 190,
    error_subcode: 463,
    error_data: { reason: 'token_expired' },
    fbtrace_id: '0123456789abcdef',
  },
}

describe.skipIf(!hasChromium(ABOUT))(ABOUT, () => {
  let example: RunningExample
  let browser: Browser
  let origin: string
  let page: Page
  let requests: Request[]
  beforeAll(async () => {
    example = await startExample('react/main.ts', /Ctrl-C stops\.\n/)
    origin = /http:\/\/[\d.:]+/.exec(example.printed)?.[0] ?? ''
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
    expect(await example.stop()).toMatchObject({ code: 0 })
  })
  afterEach(() => page.context().close())

  const open = async (): Promise<void> => {
    page = await (await browser.newContext()).newPage()
    requests = []
    page.on('request', request => {
      if (request.url().includes('/graph/')) requests.push(request)
    })
    await page.goto(`${origin}/`)
    await page.getByRole('heading', { name: 'Photos of Ada' }).waitFor()
  }
  const readTitles = () => page.getByRole('listitem').allTextContents()
  const moreButton = () => page.getByRole('button', { name: 'More' })

  it('shows each entry of an edge once, page by page, until the last', async () => {
    await open()
    await expect.poll(readTitles).toEqual(FIRST_PAGE)
    await moreButton().click()
    await expect.poll(readTitles).toEqual([...FIRST_PAGE, ...SECOND_PAGE])
    await moreButton().click()
    await expect.poll(readTitles).toEqual([...FIRST_PAGE, ...SECOND_PAGE, ...THIRD_PAGE])
    await expect.poll(() => moreButton().count()).toBe(0)
  })

  it('sends its requests to the graph at its own origin, with the token in a header', async () => {
    await open()
    await expect.poll(readTitles).toEqual(FIRST_PAGE)
    expect(requests.map(request => request.url())).toEqual([
      `${origin}/graph/me?fields=name`,
      `${origin}/graph/me/photos?fields=title&limit=5`,
    ])
    for (const request of requests)
      expect(await request.headerValue('authorization')).toMatch(/^Bearer \S{60,}$/)
  })

  it('does not repeat a request whose token has expired, and shows that the user must sign in', async () => {
    await open()
    await expect.poll(readTitles).toEqual(FIRST_PAGE)
    await page.route('**/graph/**', route => route.fulfill({ status: 400, json: TOKEN_EXPIRED }))
    requests = []
    await moreButton().click()
    await page.getByRole('alert').getByText('Please sign in again.').waitFor()
    expect(requests).toHaveLength(1)
    expect(await readTitles()).toEqual(FIRST_PAGE)
  })

  it('repeats a request that failed temporarily', async () => {
    await open()
    await expect.poll(readTitles).toEqual(FIRST_PAGE)
    await page.route('**/graph/**', route => route.abort(), { times: 1 })
    await moreButton().click()
    await expect.poll(readTitles).toEqual([...FIRST_PAGE, ...SECOND_PAGE])
  })
})
