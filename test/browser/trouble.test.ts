import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { idOf } from '../../examples/demo/novel.ts'
import { on } from './on.ts'
import { describeInBrowser } from './opened-explorer.ts'

const still = { reducedMotion: 'reduce' } as const

/** Holds the requests to what a path begins with back, until the function that is answered lets them go. */
const held = async (page: Page, path: string): Promise<() => Promise<void>> => {
  const waiting: Route[] = []
  const isHeld = (url: URL) => url.pathname.endsWith(path) && !url.search.includes('metadata')
  await page.route(isHeld, route => void waiting.push(route))
  return async () => {
    await page.unroute(isHeld)
    // What the page gave up cannot go on.
    await Promise.all(waiting.map(route => route.continue().catch(() => undefined)))
  }
}

/** Once all that was let go has come back, and the page had time to make something of it. */
const settled = (page: Page) => page.waitForLoadState('networkidle').then(() => page.waitForTimeout(100))

describeInBrowser('the Explorer, where the network is in trouble', open => {
  it('says that no answer came, and shows what came before and after', async () => {
    const { page } = await open()
    const { path, run, answer, view, panel } = on(page)
    await answer.getByText('"Marius"').waitFor()
    await page.route('**/me/friends', route => route.abort())
    await path.fill('me/friends')
    await run.click()
    await answer.getByRole('alert').getByText('No answer came').waitFor()
    await view('History')
    await panel.getByRole('listitem').last().getByRole('button').click()
    await answer.getByText('"Marius"').waitFor()
    expect(await answer.getByRole('alert').count()).toBe(0)
    await page.unroute('**/me/friends')
    await path.fill('me/friends')
    await run.click()
    await answer.getByText('"Joly"').waitFor()
  })

  it('shows an answer at once, whatever becomes of its plan and of what its node is', async () => {
    const { page } = await open({ hasToken: false })
    const { token, run, answer, tree } = on(page)
    await tree.getByRole('checkbox', { name: /^name/ }).waitFor()
    await page.route(/plan\.json|metadata=1/, () => undefined)
    await token.fill((await open()).demo.token)
    await run.click()
    await answer.getByText('"Marius"').waitFor()
  })

  it('shows the answer to what was asked last, in whatever order answers come', async () => {
    const { page } = await open()
    const { path, run, answer, view, panel } = on(page)
    await answer.getByText('"Marius"').waitFor()
    const letGo = await held(page, '/me/friends')
    await path.fill('me/friends')
    await run.click()
    await page.getByRole('button', { name: 'Running…' }).click()
    await path.fill('me/posts')
    await page.getByRole('button', { name: 'Running…' }).click()
    await answer.getByText('"I am going after all."').waitFor()
    await letGo()
    await settled(page)
    expect(await answer.getByText('"Joly"').count()).toBe(0)
    await view('History')
    expect(await panel.getByRole('listitem').count()).toBe(2)
  })

  it('waits for no answer once another of the past is looked at, or the token is another', async () => {
    const { page, demo } = await open({ browser: still })
    const { path, token, run, answer, view, panel, graph } = on(page)
    await answer.getByText('"Marius"').waitFor()
    const leaving = [
      async () => {
        await view('History')
        await panel.getByRole('listitem').last().getByRole('button').click()
      },
      () => token.fill(demo.bareToken),
    ]
    for (const leave of leaving) {
      const letGo = await held(page, '/me/friends')
      await path.fill('me/friends')
      await run.click()
      await page.getByRole('button', { name: 'Running…' }).waitFor()
      await leave()
      await run.waitFor()
      await letGo()
      await settled(page)
      expect(await answer.getByText('"Joly"').count()).toBe(0)
      expect(page.url()).toContain('#path=me&')
    }
    await view('Graph')
    expect(await graph.getByRole('button', { name: /^Joly/ }).count()).toBe(0)
  })

  it('draws an answer as what was asked, whatever was typed meanwhile', async () => {
    const { page } = await open({ browser: still })
    const { path, fields, run, answer, view, graph } = on(page)
    await answer.getByText('"Marius"').waitFor()
    const letGo = await held(page, '/me/photos')
    await path.fill('me/photos')
    await fields.fill('name')
    await run.click()
    await path.fill('me/friends')
    await letGo()
    await answer.getByText('"A gate in the rue Plumet"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'A gate in the rue Plumet, photo' }).waitFor()
  })

  it('says in the card of a node what came of an edge, and in no other card', async () => {
    const { page } = await open({ browser: still, rest: '#path=me%2Ffriends%3Flimit%3D2' })
    const { graph, view, answer } = on(page)
    await answer.getByText('"Joly"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'Joly, user' }).click()
    const [joly, bossuet] = ['Joly', 'Bossuet'].map(name => graph.getByRole('region', { name }))
    const friends = `**/${idOf('Joly')}/friends*`
    await page.route(friends, route => route.abort())
    await joly?.getByRole('button', { name: 'friends' }).click()
    await joly?.getByText('friends: No answer came').waitFor()
    await graph.getByRole('button', { name: 'Bossuet, user' }).click()
    await bossuet?.waitFor()
    expect(await graph.getByText('No answer came').count()).toBe(0)
  })

  it('tells that an answer leads elsewhere, and follows it nowhere', async () => {
    const { page } = await open()
    const { path, run, answer } = on(page)
    await answer.getByText('"Marius"').waitFor()
    const headers = { location: 'https://pictures.example/1.png' }
    await page.route('**/me/picture', route => route.fulfill({ status: 302, headers }))
    await path.fill('me/picture')
    await run.click()
    await answer.getByRole('alert').getByText('redirect=0').waitFor()
  })

  it('shows what is no answer of a graph as it is, and not as a success', async () => {
    const { page } = await open()
    const { run, answer } = on(page)
    await answer.getByText('"Marius"').waitFor()
    await page.route('**/me', route => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
    await run.click()
    await answer.getByText('<h1>Bad gateway</h1>').waitFor()
    expect(await answer.getByText('502', { exact: true }).getAttribute('class')).toBe('bad')
  })

  it('shows after a reload what a step back asked, and no answer of another', async () => {
    const { page } = await open()
    const { path, run, answer } = on(page)
    await answer.getByText('"Marius"').waitFor()
    await path.fill('me/friends')
    await run.click()
    await answer.getByText('"Joly"').waitFor()
    await page.reload()
    await answer.getByText('"Joly"').waitFor()
    await path.fill('me/posts')
    await run.click()
    await answer.getByText('"I am going after all."').waitFor()
    await page.goBack()
    await page.goBack()
    await expect.poll(() => path.inputValue()).toBe('me')
    expect(page.url()).toContain('#path=me&')
  })

  it('knows the schema where a cookie lets the page in', async () => {
    const { page } = await open({ cookie: 'pass=1' })
    const { tree, plan } = on(page)
    await tree.getByRole('checkbox', { name: /^name/ }).waitFor()
    await plan.getByText('1 wave').waitFor()
  })
})
