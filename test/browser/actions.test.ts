import { createClient } from 'kithgraph/client'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { demoActions } from '../../examples/demo/actions.ts'
import type { demoSchema } from '../../examples/demo/schema.ts'
import { findProblems, PHONE } from './accessibility.ts'
import { locateActions } from './action-parts.ts'
import { createEventWorld, createWritableDemo } from './action-world.ts'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'
import { locateTable } from './table-parts.ts'

const printTable = (path: string): string =>
  `#${new URLSearchParams({ path, version: 'v1.0', view: 'table' })}`

/** Returns the options that open a table of the demo, with a token that may run its actions. */
const tableOfDemo = async (path: string) => ({
  world: await createWritableDemo(),
  urlSuffix: printTable(path),
})

/** Returns the options that open a table of the graph of events. */
const tableOfEvents = async (path: string) => ({
  world: await createEventWorld(),
  urlSuffix: printTable(path),
})

/** Records the requests that write. */
const recordWrites = (page: Page) => {
  const writes: {
    readonly line: string
    readonly body: string | null
    readonly key: string | undefined
  }[] = []
  page.on('request', request => {
    if (request.method() === 'GET') return
    const { pathname, search } = new URL(request.url())
    const line = `${request.method()} ${pathname}${decodeURIComponent(search)}`
    writes.push({ line, body: request.postData(), key: request.headers()['idempotency-key'] })
  })
  return writes
}

describeInBrowser('the form of an action in the Explorer', open => {
  it('shows the new node after the action succeeded, and reads the open list again', async () => {
    const { page } = await open(await tableOfDemo('me/feed'))
    const { buttons, open: openForm, value, run, done } = locateActions(page)
    const { rows, names, heading } = locateTable(page)
    await expect.poll(() => names.first().textContent()).toBe('I am going after all.')
    const count = await rows.count()
    expect(await buttons.allTextContents()).toEqual(['feed.add'])
    await openForm('feed.add')
    await value('message').fill('To the barricade!')
    await run.click()
    await done.waitFor()
    await expect.poll(() => rows.count()).toBe(count + 1)
    expect(await names.first().textContent()).toBe('To the barricade!')
    await done.getByRole('link', { name: 'To the barricade!' }).click()
    await heading.getByText('To the barricade!').waitFor()
    expect(await locateActions(page).form.count()).toBe(0)
  })

  it('marks required values, and shows errors at their values, also those that only the graph finds', async () => {
    const { page } = await open(await tableOfDemo('4005'))
    const { open: openForm, value, issue, run, error, button } = locateActions(page)
    const writes = recordWrites(page)
    await openForm('comments.remove')
    expect(await value('target').getAttribute('aria-required')).toBe('true')
    await run.click()
    await issue('target').getByText('must be given, since it is required').waitFor()
    await expect.poll(() => value('target').and(page.locator(':focus')).count()).toBe(1)
    expect(await value('target').getAttribute('aria-invalid')).toBe('true')
    expect(writes).toEqual([])
    await value('target').fill('3001')
    expect(await issue('target').textContent()).toBe('')
    await run.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run comments.remove' }).click()
    await issue('target').getByText('must be the id of a node of type comment, which exists').waitFor()
    await error.getByText('invalid_parameter').waitFor()
    await expect.poll(() => value('target').and(page.locator(':focus')).count()).toBe(1)
    await button('Close').click()
    await openForm('comments.add')
    await value('message').fill('x'.repeat(2001))
    await run.click()
    await issue('message').getByText('must have at most 2000 characters; has 2001').waitFor()
  })

  it('asks before it deletes or removes, and cancels with the Escape key', async () => {
    const { page } = await open(await tableOfDemo('4005'))
    const { open: openForm, run, dialog, done } = locateActions(page)
    const writes = recordWrites(page)
    await openForm('delete')
    for (const cancel of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await run.click()
      await dialog.getByText('Run delete of post 4005?').waitFor()
      await cancel()
      await expect.poll(() => dialog.count()).toBe(0)
      await expect.poll(() => run.and(page.locator(':focus')).count()).toBe(1)
    }
    expect(writes).toEqual([])
    await run.click()
    await dialog.getByRole('button', { name: 'Run delete' }).click()
    await done.waitFor()
    expect(writes.map(({ line }) => line)).toEqual(['DELETE /api/graph/v1.0/4005'])
    // The open post is read again.
    await locateTable(page).error.getByText('node_not_found').waitFor()
  })

  it('picks nodes from collections and lists', async () => {
    const { page } = await open(await tableOfDemo('4005'))
    const { open: openForm, value, button, picker, form, run, dialog, done } = locateActions(page)
    const writes = recordWrites(page)
    await openForm('comments.remove')
    await button('Pick target').click()
    expect(await form.getByLabel('List', { exact: true }).locator('option').allTextContents()).toEqual([
      'comments of 4005',
    ])
    await picker.getByRole('button', { name: 'Mind the paving stones. 6004' }).click()
    expect(await value('target').inputValue()).toBe('6004')
    await form.getByText('Mind the paving stones.').waitFor()
    await run.click()
    await dialog.getByRole('button', { name: 'Run comments.remove' }).click()
    await done.waitFor()
    expect(writes.map(({ line, body }) => [line, body])).toEqual([
      ['DELETE /api/graph/v1.0/4005/comments/6004', null],
    ])
  })

  it('filters the nodes to pick by a text of their labels or ids', async () => {
    const { page } = await open(await tableOfEvents('root'))
    const { open: openForm, value, button, picker, form } = locateActions(page)
    const writes = recordWrites(page)
    await openForm('events.add')
    await button('Add to hosts').click()
    await button('Pick hosts 1').click()
    await picker.getByText('Person 30').waitFor()
    expect(await picker.getByRole('button').count()).toBe(25)
    const filter = form.getByRole('searchbox', { name: 'Filter this page' })
    await filter.fill(' PERSON 1')
    await expect.poll(() => picker.getByRole('button').count()).toBe(10)
    await filter.fill('nobody')
    await form.getByRole('status').getByText('No node of this page matches.').waitFor()
    await filter.press('Enter')
    await filter.fill('23')
    await picker.getByRole('button', { name: 'Person 23 23' }).click()
    expect(await value('hosts[0]').inputValue()).toBe('23')
    expect(writes).toEqual([])
  })

  it('shows the error of a list that the token may not read, instead of nodes to pick', async () => {
    const { page } = await open(await tableOfDemo('me'))
    const { open: openForm, button, picker, form } = locateActions(page)
    const list = form.getByLabel('List', { exact: true })
    await openForm('feed.add')
    await button('Pick page').click()
    await picker.getByText('Corinthe').waitFor()
    expect(await list.locator('option').allTextContents()).toEqual(['pages', 'likes of me', 'accounts of me'])
    await list.selectOption('likes of me')
    await form.getByRole('status').getByText('user_likes').waitFor()
    expect(await picker.getByRole('button').count()).toBe(0)
    await list.selectOption('pages')
    await picker.getByText('Corinthe').waitFor()
  })

  it('shows the request, the item of a batch and the call of the client that it makes', async () => {
    const options = await tableOfDemo('me')
    const { page, url } = await open(options)
    const { open: openForm, value, code, run, done } = locateActions(page)
    const writes = recordWrites(page)
    await openForm('feed.add')
    await value('message').fill("It's late")
    await value('page').fill('3001')
    const [curl = '', item = '', client = ''] = await Promise.all(
      ['curl', 'Item of a batch', 'Client'].map(title => code(title).textContent()),
    ).then(texts => texts.map(text => text ?? ''))
    await run.click()
    await done.waitFor()
    const [write] = writes
    expect(write?.line).toBe('POST /api/graph/v1.0/me/feed?fields=id,created_time,message')
    expect(write?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.parse(write?.body ?? '')).toEqual({ message: "It's late", page: '3001' })
    expect(curl).toContain(`-X POST '${new URL(url).origin}/api/graph/v1.0/me/feed?fields=`)
    for (const text of [curl, item, client]) {
      expect(text).toContain(write?.key)
      expect(text).not.toContain(options.world.token)
    }
    expect(client).toContain("action: 'feed.add',\n  parameters: { message: 'It\\'s late', page: '3001' },")
    const batch = new URLSearchParams({ batch: `[${item}]`, access_token: options.world.token })
    const response = await fetch(`${new URL(url).origin}/api/graph/`, { method: 'POST', body: batch })
    const [itemResponse] = (await response.json()) as readonly {
      readonly code: number
      readonly body: string
    }[]
    const [, callOptions] = /callAction\(token, (\{.*\})\)$/s.exec(client) ?? []
    const graphClient = createClient<typeof demoSchema, typeof demoActions>(
      `${new URL(url).origin}/api/graph`,
    )
    const result = await graphClient.callAction(options.world.token, Function(`return (${callOptions})`)())
    // The calls have the same key, so all of them return the same post.
    const link = await done.getByRole('link').getAttribute('href')
    expect(itemResponse?.code).toBe(200)
    for (const id of [JSON.parse(itemResponse?.body ?? '{}').id, result.id])
      expect(link).toContain(`path=${id}&`)
  })

  it('repeats a call without a response with its key, and gives each other call a new key', async () => {
    const { page } = await open(await tableOfDemo('4003'))
    const { open: openForm, value, run, error, done } = locateActions(page)
    const writes = recordWrites(page)
    await openForm('comments.add')
    await value('message').fill('First')
    await page.route('**/4003/comments?*', route => route.abort(), { times: 1 })
    await run.click()
    await error.getByText(/^No response/).waitFor()
    const badGateway = { status: 502, body: '<h1>Bad gateway</h1>' }
    await page.route('**/4003/comments?*', route => route.fulfill(badGateway), { times: 1 })
    await run.click()
    await error.getByText('The response has the status 502, and is not from the graph.').waitFor()
    await run.click()
    await done.waitFor()
    await run.click()
    await expect.poll(() => writes.length).toBe(4)
    await done.waitFor()
    await value('message').fill('Second')
    await run.click()
    await expect.poll(() => writes.length).toBe(5)
    const keys = writes.map(({ key }) => key)
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(new Set(keys).size).toBe(3)
  })

  it('shows the new node of an action that was carried out, although the read of the node failed', async () => {
    const { page } = await open(await tableOfDemo('4003'))
    const { open: openForm, value, run, error, done } = locateActions(page)
    await openForm('comments.add')
    await value('message').fill('First')
    await page.route('**/4003/comments?*', async route => {
      const response = await route.fetch()
      const { id } = await response.json()
      const readError = {
        message: 'The read failed',
        type: 'x',
        code: 1,
        error_data: { reason: 'store_error' },
      }
      await route.fulfill({ status: 503, json: { error: { ...readError, original_response: { id } } } })
    })
    await run.click()
    await error.getByText('The read failed').waitFor()
    await done.getByRole('link', { name: /^\d+$/ }).click()
    await locateTable(page).heading.getByText('First').waitFor()
  })

  it('runs actions of a graph at another origin, if the graph lists the origin of the page', async () => {
    const { page } = await open({ ...(await tableOfDemo('4004')), hasOtherOrigin: true })
    const { open: openForm, run, dialog, done } = locateActions(page)
    await openForm('likes.add')
    await run.click()
    await done.waitFor()
    await openForm('likes.remove')
    await run.click()
    await dialog.getByRole('button', { name: 'Run likes.remove' }).click()
    await done.waitFor()
  })

  it('sends no key to an action that accepts none', async () => {
    const { page } = await open(await tableOfEvents('100'))
    const { open: openForm, run, done, code } = locateActions(page)
    const writes = recordWrites(page)
    await openForm('remind')
    expect(await code('curl').textContent()).not.toContain('Idempotency-Key')
    await run.click()
    await done.waitFor()
    expect(writes).toEqual([{ line: 'POST /api/graph/v1.0/100/remind', body: null, key: undefined }])
  })

  it('has inputs for values of all kinds, and counts the collections again', async () => {
    const { page } = await open(await tableOfEvents('root'))
    const { open: openForm, value, issue, run, done, button, picker, form } = locateActions(page)
    const { collections } = locateTable(page)
    const writes = recordWrites(page)
    await collections.getByText('30').waitFor()
    await openForm('events.add')
    await value('title').fill('Go evening')
    await value('start_time').fill('2031-02-03T19:30:00')
    await value('kind').selectOption('closed')
    await value('seats').fill('501')
    await value('online').selectOption('true')
    await button('Add to hosts').click()
    await expect.poll(() => value('hosts[0]').and(page.locator(':focus')).count()).toBe(1)
    await button('Pick hosts 1').click()
    await form.getByRole('button', { name: 'Next' }).click()
    await picker.getByRole('button', { name: 'Person 2 2' }).click()
    await button('Add to hosts').click()
    await value('hosts[1]').fill('me')
    await button('Add to hosts').click()
    await button('Add place').click()
    await form.getByRole('checkbox', { name: 'null for floor' }).check()
    expect(await value('place.floor').isDisabled()).toBe(true)
    await run.click()
    await issue('seats').getByText('must be at most 500').waitFor()
    await issue('hosts').getByText('must have at most 2 items; has 3').waitFor()
    await issue('place.city').getByText('must be given').waitFor()
    await value('seats').fill('50')
    await button('Remove hosts 3').click()
    await value('place.city').fill('Paris')
    await run.click()
    await done.waitFor()
    expect(JSON.parse(writes[0]?.body ?? '')).toEqual({
      title: 'Go evening',
      start_time: '2031-02-03T19:30Z',
      kind: 'closed',
      seats: 50,
      online: true,
      hosts: ['2', 'me'],
      place: { city: 'Paris', floor: null },
    })
    await form.getByText('"2031-02-03T19:30:00+0000"').waitFor()
    await collections.getByText('2', { exact: true }).waitFor()
  })

  it('shows the error of the graph if the token lacks the scope', async () => {
    const { page } = await open({ urlSuffix: '#path=4003&version=v1.0&view=table' })
    const { open: openForm, form, run, error } = locateActions(page)
    await openForm('likes.add')
    await form.getByText('publish_likes').first().waitFor()
    await run.click()
    await error.getByText('scope_missing').waitFor()
  })

  it('belongs to the path of a query, in a view that only graphs with actions have', async () => {
    const { page } = await open({
      world: await createWritableDemo(),
      urlSuffix: '#path=me%2Ffeed&version=v1.0',
    })
    const { result, path, run: runQuery, view } = locateParts(page)
    const { buttons, open: openForm, value, form, done } = locateActions(page)
    await result.getByText('"I am going after all."').waitFor()
    await view('Actions')
    await openForm('feed.add')
    await value('message').fill('From the query')
    await page.keyboard.press('Control+Enter')
    await done.waitFor()
    await view('Response')
    await result.getByText('"From the query"').waitFor()
    await view('Actions')
    await path.fill('4003')
    await runQuery.click()
    await expect.poll(() => buttons.count()).toBe(6)
    expect(await form.count()).toBe(0)
    await path.fill('4003/reactions')
    await page.getByText('The path leads to no node or edge with actions.').waitFor()
  })

  it('shows no outcome of a call with another token, also of one that ends later, and keeps the values', async () => {
    const options = await tableOfEvents('root')
    const { page } = await open(options)
    const { open: openForm, value, run, done, form } = locateActions(page)
    const { token } = locateParts(page)
    const otherToken = await options.world.graph.tokens.issue({ viewer: '2', app: 'demo' })
    const writes = recordWrites(page)
    await openForm('events.add')
    await value('title').fill('Go evening')
    await value('start_time').fill('2031-02-03T19:30:00')
    await run.click()
    await done.waitFor()
    await token.fill(otherToken)
    await expect.poll(() => done.count()).toBe(0)
    expect(await form.getByText('"2031-02-03T19:30:00+0000"').count()).toBe(0)
    expect(await value('title').inputValue()).toBe('Go evening')
    await page.route('**/root/events?*', async route => {
      if (route.request().method() === 'POST') await token.fill(options.world.token)
      await route.continue()
    })
    await run.click()
    await expect.poll(() => writes.length).toBe(2)
    await expect.poll(() => form.getAttribute('aria-busy')).toBe('false')
    expect(await token.inputValue()).toBe(options.world.token)
    expect(await done.count()).toBe(0)
    await token.fill(otherToken)
    await done.waitFor()
  })

  it('shows the failure of an action and its data, also if the data contains HTML', async () => {
    const { page } = await open(await tableOfEvents('100'))
    const { open: openForm, value, run, error } = locateActions(page)
    await openForm('book')
    await value('name').fill('<img src=x>')
    await run.click()
    await error.getByText('The event is full.').waitFor()
    const texts = await error.locator('dt, dd').allTextContents()
    expect(texts.slice(4, 10)).toEqual([
      ...['Reason', 'action_failed'],
      ...['Failure', 'full'],
      ...['Data', '{"seats":0,"name":"<img src=x>"}'],
    ])
    expect(await page.locator('img[src]').count()).toBe(0)
  })

  it('shows the texts of the schema, of nodes and of errors as text, never as HTML', async () => {
    const HTML = '<img src=x onerror="document.title=`taken`">'
    const options = await tableOfDemo('4005')
    const { page } = await open({
      ...options,
      initScript: `const send = fetch; fetch = async (...args) => {
        const response = await send(...args)
        if (!String(args[0]).includes('schema.json')) return response
        const text = (await response.text()).replaceAll(/"description":"[^"]*"/g, ${JSON.stringify(`"description":${JSON.stringify(HTML)}`)})
        return new Response(text, response)
      }`,
    })
    const { open: openForm, button, picker, value, run, dialog, issue, form } = locateActions(page)
    await openForm('comments.remove')
    await form.getByText(HTML).first().waitFor()
    await page.route('**/4005/comments?*', route =>
      route.fulfill({
        json: { data: [{ id: '6004', message: HTML }], paging: { next: 'javascript:alert(1)' } },
      }),
    )
    await page.route('**/4005/comments/*', route =>
      route.fulfill({
        status: 400,
        json: {
          error: {
            message: HTML,
            error_data: { parameters: [{ parameter: 'target', expected: HTML, received: HTML }, HTML] },
          },
        },
      }),
    )
    await button('Pick target').click()
    expect(await button('Next').getAttribute('aria-disabled')).toBe('true')
    await picker.getByRole('button').click()
    expect(await value('target').inputValue()).toBe('6004')
    await run.click()
    await dialog.getByRole('button', { name: 'Run comments.remove' }).click()
    await issue('target').getByText(HTML).waitFor()
    expect(await page.locator('img[src]').count()).toBe(0)
    expect(await page.title()).toBe('Graph Explorer')
  })
})

describeInBrowser('the forms of actions in the Explorer', open => {
  it('are in a view of their own next to a query, whose names fit in one line on a phone', async () => {
    const { page } = await open({ browser: PHONE })
    const tabs = page.getByRole('tab')
    await expect
      .poll(() => tabs.allTextContents())
      .toEqual(['Response', 'Graph', 'Code', 'History', 'Actions'])
    const boxes = await Promise.all((await tabs.all()).map(tab => tab.boundingBox()))
    for (const box of boxes) expect(box?.height).toBeLessThan(45)
    expect((boxes.at(-1)?.x ?? 360) + (boxes.at(-1)?.width ?? 0)).toBeLessThanOrEqual(360)
  })

  it('can be used with the keyboard alone', async () => {
    const { page } = await open(await tableOfDemo('me'))
    const { panel, value, button, form, run, done } = locateActions(page)
    const isFocused = async (locator: typeof run): Promise<boolean> =>
      (await locator.and(page.locator(':focus')).count()) === 1
    const pressUntilFocused = async (locator: typeof run): Promise<void> => {
      for (let step = 0; step < 40; step++) {
        if (await isFocused(locator)) return
        await page.keyboard.press('Tab')
      }
      throw new Error('The element cannot be reached with the Tab key')
    }
    await panel.waitFor()
    await pressUntilFocused(panel.getByRole('button', { name: 'feed.add', exact: true }))
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(value('message'))).toBe(true)
    await page.keyboard.type('With keys')
    await pressUntilFocused(button('Pick page'))
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(form.getByLabel('List', { exact: true }))).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(button('Pick page'))).toBe(true)
    await page.keyboard.press('Enter')
    await form.getByText('Corinthe').waitFor()
    await pressUntilFocused(form.getByRole('button', { name: 'Corinthe 3002' }))
    await page.keyboard.press('Enter')
    expect(await value('page').inputValue()).toBe('3002')
    await pressUntilFocused(run)
    await page.keyboard.press('Enter')
    await done.waitFor()
    expect(await isFocused(run)).toBe(true)
  })

  it('fit the width of a phone, with text of at least 16 pixels in their inputs', async () => {
    const { page } = await open({ ...(await tableOfEvents('root')), browser: PHONE })
    const { open: openForm, button, value, run, form, dialog } = locateActions(page)
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    await openForm('events.add')
    await button('Add to hosts').tap()
    await button('Add place').tap()
    await button('Pick hosts 1').tap()
    await form.getByText('Person 30').waitFor()
    await run.tap()
    await value('title').and(page.locator(':focus')).waitFor()
    expect(await width()).toBe(360)
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.field :is(input:not([type=checkbox]), select, textarea)')]
        .map(one => parseFloat(getComputedStyle(one).fontSize))`,
    )
    expect(sizes.length).toBeGreaterThan(8)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
    expect(await dialog.count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)('have no serious accessibility problem in %s colours', async scheme => {
    const { page } = await open({
      ...(await tableOfDemo('4005')),
      browser: { colorScheme: scheme, reducedMotion: 'reduce' },
    })
    const { open: openForm, button, value, run, dialog, picker, done, error } = locateActions(page)
    const options = { resultTypes: ['violations'] }
    await openForm('comments.remove')
    await button('Pick target').click()
    await picker.getByText('6004').waitFor()
    await run.click()
    expect(await findProblems(page, options)).toEqual([])
    await value('target').fill('3001')
    await run.click()
    await dialog.waitFor()
    expect(await findProblems(page, options)).toEqual([])
    await dialog.getByRole('button', { name: 'Run comments.remove' }).click()
    await error.waitFor()
    expect(await findProblems(page, options)).toEqual([])
    await openForm('comments.add')
    await value('message').fill('Good')
    await run.click()
    await done.waitFor()
    expect(await findProblems(page, options)).toEqual([])
  })
})
