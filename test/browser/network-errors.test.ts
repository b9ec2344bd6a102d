import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { findId } from '../../examples/demo/novel.ts'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'

const still = { reducedMotion: 'reduce' } as const

/** Holds back the requests for a path until the returned function is called. */
const holdRequests = async (page: Page, path: string): Promise<() => Promise<void>> => {
  const waiting: Route[] = []
  const isHeld = (url: URL) => url.pathname.endsWith(path) && !url.search.includes('metadata')
  await page.route(isHeld, route => void waiting.push(route))
  return async () => {
    await page.unroute(isHeld)
    // A request that the page has aborted cannot continue.
    await Promise.all(waiting.map(route => route.continue().catch(() => undefined)))
  }
}

/** Waits until all released requests have responses and the page has shown them. */
const waitForPage = (page: Page) => page.waitForLoadState('networkidle').then(() => page.waitForTimeout(100))

describeInBrowser('the Explorer', open => {
  it('shows that a request has no response, and still shows earlier and later responses', async () => {
    const { page } = await open()
    const { path, run, result, view, panel } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await page.route('**/me/friends', route => route.abort())
    await path.fill('me/friends')
    await run.click()
    await result.getByRole('alert').getByText('No response').waitFor()
    await view('History')
    await panel.getByRole('listitem').last().getByRole('button').click()
    await result.getByText('"Marius"').waitFor()
    expect(await result.getByRole('alert').count()).toBe(0)
    await page.unroute('**/me/friends')
    await path.fill('me/friends')
    await run.click()
    await result.getByText('"Joly"').waitFor()
  })

  it('shows a response without waiting for its plan or the type of its node', async () => {
    const { page } = await open({ hasToken: false })
    const { token, run, result, tree } = locateParts(page)
    await tree.getByRole('checkbox', { name: /^name / }).waitFor()
    await page.route(/plan\.json|metadata=1/, () => undefined)
    await token.fill((await open()).demo.token)
    await run.click()
    await result.getByText('"Marius"').waitFor()
  })

  it('shows the response to the last request, whatever the order of responses', async () => {
    const { page } = await open()
    const { path, run, result, view, panel } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    const release = await holdRequests(page, '/me/friends')
    await path.fill('me/friends')
    await run.click()
    await page.getByRole('button', { name: 'Running…' }).click()
    await path.fill('me/posts')
    await page.getByRole('button', { name: 'Running…' }).click()
    await result.getByText('"I am going after all."').waitFor()
    await release()
    await waitForPage(page)
    expect(await result.getByText('"Joly"').count()).toBe(0)
    await view('History')
    expect(await panel.getByRole('listitem').count()).toBe(2)
  })

  it('stops waiting for a response if the user opens an older one or changes the token', async () => {
    const { page, demo } = await open({ browser: still })
    const { path, token, run, result, view, panel, graph } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    const leaving = [
      async () => {
        await view('History')
        await panel.getByRole('listitem').last().getByRole('button').click()
      },
      () => token.fill(demo.unscopedToken),
    ]
    for (const leave of leaving) {
      const release = await holdRequests(page, '/me/friends')
      await path.fill('me/friends')
      await run.click()
      await page.getByRole('button', { name: 'Running…' }).waitFor()
      await leave()
      await run.waitFor()
      await release()
      await waitForPage(page)
      expect(await result.getByText('"Joly"').count()).toBe(0)
      expect(page.url()).toContain('#path=me&')
    }
    await view('Graph')
    expect(await graph.getByRole('button', { name: /^Joly/ }).count()).toBe(0)
  })

  it('draws a response as a graph for the path that was requested, even if the path was edited since', async () => {
    const { page } = await open({ browser: still })
    const { path, fields, run, result, view, graph } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    const release = await holdRequests(page, '/me/photos')
    await path.fill('me/photos')
    await fields.fill('name')
    await run.click()
    await path.fill('me/friends')
    await release()
    await result.getByText('"A gate in the rue Plumet"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'A gate in the rue Plumet, photo' }).waitFor()
  })

  it('shows the error of an edge only in the card of its node', async () => {
    const { page } = await open({ browser: still, urlSuffix: '#path=me%2Ffriends%3Flimit%3D2' })
    const { graph, view, result } = locateParts(page)
    await result.getByText('"Joly"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'Joly, user' }).click()
    const [joly, bossuet] = ['Joly', 'Bossuet'].map(name => graph.getByRole('region', { name }))
    const friends = `**/${findId('Joly')}/friends*`
    await page.route(friends, route => route.abort())
    await joly?.getByRole('button', { name: 'friends' }).click()
    await joly?.getByText('friends: No response').waitFor()
    await graph.getByRole('button', { name: 'Bossuet, user' }).click()
    await bossuet?.waitFor()
    expect(await graph.getByText('No response').count()).toBe(0)
  })

  it('reports a redirection, and does not follow it', async () => {
    const { page } = await open()
    const { path, run, result } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    const headers = { location: 'https://pictures.example/1.png' }
    await page.route('**/me/picture', route => route.fulfill({ status: 302, headers }))
    await path.fill('me/picture')
    await run.click()
    await result.getByRole('alert').getByText('redirect=0').waitFor()
  })

  it('shows a response that is not from a graph unchanged, and as an error', async () => {
    const { page } = await open()
    const { run, result } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await page.route('**/me', route => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
    await run.click()
    await result.getByText('<h1>Bad gateway</h1>').waitFor()
    expect(await result.getByText('502', { exact: true }).getAttribute('class')).toBe('bad')
  })

  it('returns to earlier requests with the history of the browser, even after a reload', async () => {
    const { page } = await open()
    const { path, run, result } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await path.fill('me/friends')
    await run.click()
    await result.getByText('"Joly"').waitFor()
    await page.reload()
    await result.getByText('"Joly"').waitFor()
    await path.fill('me/posts')
    await run.click()
    await result.getByText('"I am going after all."').waitFor()
    await page.goBack()
    await page.goBack()
    await expect.poll(() => path.inputValue()).toBe('me')
    expect(page.url()).toContain('#path=me&')
  })

  it('reads the schema if the page needs a cookie', async () => {
    const { page } = await open({ cookie: 'pass=1' })
    const { tree, plan } = locateParts(page)
    await tree.getByRole('checkbox', { name: /^name / }).waitFor()
    await plan.getByText('1 read').waitFor()
  })
})
