import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { locateActions } from './action-parts.ts'
import { createEventWorld, createWritableDemo } from './action-world.ts'
import { describeInBrowser } from './open-explorer.ts'

const printTable = (path: string): string =>
  `#${new URLSearchParams({ path, version: 'v1.0', view: 'table' })}`

describeInBrowser('the form of an action in the Explorer', open => {
  const openEventForm = async () => {
    const { page } = await open({ world: await createEventWorld(), urlSuffix: printTable('root') })
    const parts = locateActions(page)
    const bodies: (string | null)[] = []
    page.on('request', request => {
      if (request.method() !== 'GET') bodies.push(request.postData())
    })
    await parts.open('events.add')
    await parts.value('title').fill('Go evening')
    await parts.value('start_time').fill('2031-02-03T19:30:00')
    return { ...parts, page, bodies, focused: page.locator(':focus') }
  }

  it('does not run with a time of which the user entered only a part', async () => {
    const { value, run, done, page, bodies, focused } = await openEventForm()
    await value('end_time').focus()
    await page.keyboard.type('02')
    await run.click()
    await expect.poll(() => value('end_time').and(focused).count()).toBe(1)
    expect(bodies).toEqual([])
    await value('end_time').fill('2031-02-03T22:00:00')
    await run.click()
    await done.waitFor()
    expect(JSON.parse(bodies[0] ?? '').end_time).toBe('2031-02-03T22:00Z')
  })

  it('keeps the focus in an object that the user adds or removes', async () => {
    const { value, button, page, focused } = await openEventForm()
    await button('Add place').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => value('place.city').and(focused).count()).toBe(1)
    await button('Remove place').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => button('Add place').and(focused).count()).toBe(1)
  })

  it('shows a page that is not from the graph as an error, and no success', async () => {
    const { run, done, error, button, form, page } = await openEventForm()
    const signIn = { status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' }
    await page.route('**/root/people?*', route => route.fulfill(signIn))
    await button('Add to hosts').click()
    await button('Pick hosts 1').click()
    const message = 'The response has the status 200, and is not from the graph.'
    await form.getByRole('status').getByText(message).waitFor()
    await button('Remove hosts 1').click()
    await page.route('**/root/events?*', route => route.fulfill(signIn))
    await run.click()
    await error.getByText(message).waitFor()
    expect(await done.count()).toBe(0)
  })

  it('offers no nodes of the list before, while another list to pick from is loading', async () => {
    const { page } = await open({ world: await createWritableDemo(), urlSuffix: printTable('me') })
    const { open: openForm, button, picker, form } = locateActions(page)
    await page.route('**/me/accounts?*', () => {})
    await openForm('feed.add')
    await button('Pick page').click()
    await picker.getByText('Corinthe').waitFor()
    await form.getByRole('searchbox', { name: 'Filter this page' }).fill('corinthe')
    await form.getByLabel('List', { exact: true }).selectOption('accounts of me')
    await form.getByRole('status').getByText('Loading.').waitFor()
    expect(await picker.getByRole('button').count()).toBe(0)
    expect(await form.getByRole('searchbox', { name: 'Filter this page' }).inputValue()).toBe('')
  })

  it('repeats a call without a response with its key, also with other fields of the returned node', async () => {
    const { run, done, error, form, page } = await openEventForm()
    const keys: (string | undefined)[] = []
    await page.route('**/root/events?*', route => {
      if (route.request().method() === 'GET') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      return keys.length === 1 ? route.abort() : route.continue()
    })
    await run.click()
    await error.getByText(/^No response/).waitFor()
    await form.getByLabel('fields').fill('title')
    await run.click()
    await done.waitFor()
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]])
  })

  it('does not ask again to confirm an action that is running', async () => {
    const { page } = await open({ world: await createWritableDemo(), urlSuffix: printTable('4005') })
    const { open: openForm, run, dialog, done } = locateActions(page)
    const sent: Route[] = []
    await page.route('**/v1.0/4005', route =>
      route.request().method() === 'GET' ? route.continue() : void sent.push(route),
    )
    await openForm('delete')
    await run.click()
    await dialog.getByRole('button', { name: 'Run delete' }).click()
    await expect.poll(() => sent.length).toBe(1)
    await run.getByText('Running…').waitFor()
    await run.click()
    await sent[0]?.continue()
    await done.waitFor()
    expect([await dialog.count(), sent.length]).toEqual([0, 1])
  })

  it('closes the lists to pick from when the viewer changes, since they show what the last one may see', async () => {
    const world = await createWritableDemo()
    const viewers = () => ({ Marius: world.token, 'Marius without scopes': world.unscopedToken })
    const { page } = await open({ world, viewers, urlSuffix: printTable('me') })
    const { open: openForm, button, picker, value } = locateActions(page)
    await openForm('feed.add')
    await value('message').fill('To the barricade!')
    await button('Pick page').click()
    await picker.getByText('Corinthe').waitFor()
    await page.getByLabel('Viewer').selectOption('Marius without scopes')
    await expect.poll(() => picker.count()).toBe(0)
    expect(await value('message').inputValue()).toBe('To the barricade!')
  })
})
