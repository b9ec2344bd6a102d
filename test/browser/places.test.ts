import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { expect, it } from 'vitest'
import { idOf } from '../../examples/demo/novel.ts'
import { on } from './on.ts'
import { describeInBrowser } from './opened-explorer.ts'

const still = { reducedMotion: 'reduce' } as const

const schema = defineSchema(
  {
    person: node({
      fields: {
        name: field.string({ default: true }),
        nickname: field.string({ default: true, removedIn: 'v2.0' }),
        handle: field.string({ default: true, since: 'v2.0' }),
      },
      edges: { friends: edge('person', { symmetric: true }) },
    }),
  },
  { versions: ['v1.0', 'v2.0'] },
)

const createWorld = async () => {
  const graph = createGraph(createMemoryStore(), { schema })
  await graph.write([
    {
      op: 'putNode',
      node: { id: '1', type: 'person', fields: { name: 'Ada', nickname: 'A.', handle: 'countess' } },
    },
  ])
  return { graph, token: await graph.tokens.issue({ viewer: '1', app: 'test' }) }
}

describeInBrowser('where the Explorer asks', open => {
  it('is the version that is chosen, with what that has', async () => {
    const { page } = await open({ world: await createWorld() })
    const { answer, tree, run, fields, fault } = on(page)
    const version = page.getByLabel('Version')
    await answer.getByText('"countess"').waitFor()
    expect(await version.inputValue()).toBe('v2.0')
    await version.selectOption('v1.0')
    await tree.getByRole('checkbox', { name: /^nickname/ }).waitFor()
    expect(await tree.getByRole('checkbox', { name: /^handle/ }).count()).toBe(0)
    await run.click()
    await answer.getByText('"A."').waitFor()
    expect(new URL(page.url()).hash).toBe('#path=me&version=v1.0')
    await fields.fill('handle')
    await fault.getByText('handle').waitFor()
    await version.selectOption('v2.0')
    await fault.waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(() => version.inputValue()).toBe('v2.0')
  })

  it('is the version of a shared link, or the newest where there is no such', async () => {
    const world = await createWorld()
    for (const [asked, served] of [
      ['v1.0', 'v1.0'],
      ['v9.9', 'v2.0'],
      ['../../elsewhere', 'v2.0'],
    ] as const) {
      const rest = `#${new URLSearchParams({ path: 'me', version: asked })}`
      const { page } = await open({ world, rest })
      await on(page).answer.getByText('"Ada"').waitFor()
      await expect.poll(() => page.getByLabel('Version').inputValue()).toBe(served)
    }
  })

  it('may be a graph at another origin', async () => {
    const { page, url } = await open({ isElsewhere: true, browser: still })
    const { answer, path, run, view, graph, panel, plan } = on(page)
    await answer.getByText('"Marius"').waitFor()
    await plan.getByText('1 wave').waitFor()
    await path.fill('me/friends?limit=1')
    await run.click()
    await answer.getByRole('link', { name: /after=/ }).click()
    await answer.getByText('"Bossuet"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'Bossuet, user' }).waitFor()
    await view('Code')
    expect(await panel.textContent()).not.toContain(`fetch('${new URL(url).origin}`)
  })

  it('may be several nodes at once, with help for their fields', async () => {
    const { page } = await open({ browser: still })
    const { path, tree, fields, proposals, run, answer, view, graph, panel } = on(page)
    const [joly, bossuet] = [idOf('Joly'), idOf('Bossuet')]
    await path.fill(`?ids=${joly},${bossuet}`)
    await tree.getByRole('heading', { name: 'user' }).waitFor()
    await fields.click()
    await page.keyboard.type('abou')
    await proposals.getByText('about').click()
    await page.keyboard.type(',name')
    await page.keyboard.press('Control+Enter')
    await answer.getByText('"Bossuet"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'Joly, user' }).waitFor()
    await view('Code')
    await panel.getByText('graph.getNodes(token, {').waitFor()
    await path.fill(`friends?ids=${joly},${bossuet}&limit=1`)
    await fields.fill('name')
    await view('Answer')
    await run.click()
    await answer.getByText('data').first().waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'As a list' }).click()
    await expect.poll(() => graph.getByText(/^friends → /).count()).toBe(2)
  })
})

describeInBrowser('what is at hand in the Explorer', open => {
  it('runs by Enter from the token, and by Ctrl-Enter from everywhere', async () => {
    const { page, demo } = await open({ hasToken: false })
    const { token, answer, path } = on(page)
    await token.fill(demo.token)
    await token.press('Enter')
    await answer.getByText('"Marius"').waitFor()
    await path.fill('me/friends?limit=1')
    await page.getByRole('tab', { name: 'Answer' }).press('Control+Enter')
    await answer.getByText('"Joly"').waitFor()
  })

  it('fits a phone: text that need not be scaled, and one line for each request of the past', async () => {
    const { page } = await open({
      browser: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    })
    const { answer, fields, run, view, panel } = on(page)
    await fields.fill('name,friends.limit(2){name,chapters},posts.limit(1){message,viewer_likes}')
    await run.click()
    await answer.getByText('"Joly"').waitFor()
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.control input, .control select, .editor')].map(one =>
        parseFloat(getComputedStyle(one.shadowRoot?.querySelector('.cm-content') ?? one).fontSize))`,
    )
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
    await view('History')
    const entry = await panel.getByRole('listitem').first().boundingBox()
    expect(entry?.height).toBeLessThan(50)
  })

  it('offers no empty list of fields where nothing is known of a node', async () => {
    const { page } = await open({ hasToken: false })
    const { path, tree } = on(page)
    await tree.waitFor()
    await path.fill('4003')
    await page.getByText('With a token').waitFor()
    expect(await tree.count()).toBe(0)
  })
})
