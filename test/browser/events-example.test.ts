import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EVENTS } from '../../examples/events/ids.ts'
import { type EventsService, startEvents } from '../e2e/events-service.ts'
import { hasChromium, launchChromium } from './chromium.ts'

const ABOUT = 'the page of the example events'

describe.skipIf(!hasChromium(ABOUT))(ABOUT, () => {
  let service: EventsService
  let browser: Browser
  let page: Page
  let requests: string[]
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    service = await startEvents()
    page = await (await browser.newContext()).newPage()
    requests = []
    page.on('request', request => requests.push(request.url().replace(service.url, '')))
    await page.goto(`${service.url}/`)
  })
  afterEach(async () => {
    await page.context().close()
    await service.stop()
  })

  const pick = (viewer: string) => page.getByLabel('Viewer').selectOption(viewer)
  const readGroups = () => page.getByRole('heading').allTextContents()
  const menders = () => page.getByRole('region', { name: 'Menders' })
  const replyOf = (event: string) =>
    page.getByRole('listitem', { name: event }).locator('[aria-pressed=true]').allTextContents()

  it('shows the events, posts and comments of the groups that the viewer may see, with one request', async () => {
    await expect.poll(readGroups).toEqual(['Menders', 'Lantern makers'])
    const text = (await menders().textContent()) ?? ''
    for (const part of [
      'your role: admin',
      'Repair café',
      'Ada Quill: Who has a soldering iron?',
      'Ben Marrow: I do.',
    ])
      expect(text).toContain(part)
    expect(requests.filter(url => url.startsWith('/graph/'))).toHaveLength(1)
    await pick('dov')
    await expect.poll(readGroups).toEqual(['Menders', 'Lantern makers', 'Sourdough circle'])
  })

  it('shows the reply of the viewer to each event, and changes it', async () => {
    await pick('cleo')
    await expect.poll(() => replyOf('Repair café')).toEqual(['maybe'])
    await menders().getByRole('button', { name: 'going' }).click()
    await expect.poll(() => replyOf('Repair café')).toEqual(['going'])
    await pick('ben')
    await expect.poll(() => replyOf('Lantern building')).toEqual(['going'])
  })

  it('shows a new reply at once, and the old one again if the action fails', async () => {
    const replies = page.getByRole('region', { name: 'Lantern makers' })
    const lanterns = replies.getByRole('listitem', { name: 'Lantern building' })
    await lanterns.getByText('free places: 1').waitFor()
    await service.post('cleo', `/${EVENTS.lanterns}/attendees`, { state: 'going' })
    const sent: Route[] = []
    await page.route('**/attendees', route => {
      sent.push(route)
    })
    await lanterns.getByRole('button', { name: 'going' }).click()
    await expect.poll(() => sent.length).toBe(1)
    expect(await replyOf('Lantern building')).toEqual(['going'])
    await sent[0]?.continue()
    await expect.poll(() => replyOf('Lantern building')).toEqual([])
    await expect.poll(() => lanterns.getByRole('alert').textContent()).toBe(' No place is left')
    await lanterns.getByText('free places: 0').waitFor()
  })

  it('posts once if the first response is lost, because the client repeats the call with its key', async () => {
    const keys: (string | undefined)[] = []
    await page.route('**/posts', async route => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    const post = async (text: string) => {
      await page.getByLabel('Post in Menders').fill(text)
      await menders().getByRole('button', { name: 'Post' }).click()
      await menders().getByText(`Ada Quill: ${text}`).waitFor()
    }
    await post('Once')
    await post('And again')
    expect(await menders().getByText('Ada Quill: Once').count()).toBe(1)
    const [first, repeated, other] = keys
    expect([keys.length, repeated, other === first]).toEqual([3, first, false])
  })

  it('keeps the text of a post that fails, and shows why it and other actions fail', async () => {
    const message = 'The group is closed for now'
    const failure = { error: { message, type: 'x', code: 100, error_data: { reason: 'action_failed' } } }
    await page.route('**/graph/*/posts*', route => route.fulfill({ status: 400, json: failure }))
    await page.getByLabel('Post in Menders').fill('Who has a ladder?')
    await menders().getByRole('button', { name: 'Post' }).click()
    await menders().locator('form').getByText(message).waitFor()
    expect(await page.getByLabel('Post in Menders').inputValue()).toBe('Who has a ladder?')
    await page.route('**/graph/31', route => route.fulfill({ status: 400, json: failure }))
    await menders().getByRole('button', { name: 'Make private' }).click()
    await expect.poll(() => menders().getByRole('alert').count()).toBe(2)
  })

  it('posts in a group as a member of it, and joins an open one', async () => {
    await pick('cleo')
    await expect.poll(readGroups).toEqual(['Menders', 'Lantern makers'])
    const input = page.getByLabel('Post in Menders')
    expect(await input.count()).toBe(0)
    await menders().getByRole('button', { name: 'Join' }).click()
    await input.fill('Who has a ladder?')
    await menders().getByRole('button', { name: 'Post' }).click()
    await menders().getByText('Cleo Fenn: Who has a ladder?').waitFor()
    await expect.poll(() => input.inputValue()).toBe('')
  })

  it('no longer shows a group that becomes private to a viewer who is not in it', async () => {
    await pick('cleo')
    await expect.poll(readGroups).toEqual(['Menders', 'Lantern makers'])
    await pick('ada')
    await menders().getByRole('button', { name: 'Make private' }).click()
    await menders().getByText('private, your role: admin').waitFor()
    await pick('cleo')
    await expect.poll(readGroups).toEqual(['Lantern makers'])
    expect(await page.getByText('Repair café').count()).toBe(0)
    await pick('ben')
    await expect.poll(readGroups).toEqual(['Menders', 'Lantern makers'])
  })
})
