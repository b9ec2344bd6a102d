import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { expect, it } from 'vitest'
import { findId } from '../../examples/demo/novel.ts'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'

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

describeInBrowser('a request of the Explorer', open => {
  it('has the chosen version, and the field tree shows the fields of that version', async () => {
    const { page } = await open({ world: await createWorld() })
    const { result, tree, run, fields, error } = locateParts(page)
    const version = page.getByLabel('Version')
    await result.getByText('"countess"').waitFor()
    expect(await version.inputValue()).toBe('v2.0')
    await version.selectOption('v1.0')
    await tree.getByRole('checkbox', { name: /^nickname/ }).waitFor()
    expect(await tree.getByRole('checkbox', { name: /^handle/ }).count()).toBe(0)
    await run.click()
    await result.getByText('"A."').waitFor()
    expect(new URL(page.url()).hash).toBe('#path=me&version=v1.0')
    await fields.fill('handle')
    await error.getByText('handle').waitFor()
    await version.selectOption('v2.0')
    await error.waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(() => version.inputValue()).toBe('v2.0')
  })

  it('has the version of a shared link, or the newest version if that one does not exist', async () => {
    const world = await createWorld()
    for (const [requestedVersion, served] of [
      ['v1.0', 'v1.0'],
      ['v9.9', 'v2.0'],
      ['../../elsewhere', 'v2.0'],
    ] as const) {
      const urlSuffix = `#${new URLSearchParams({ path: 'me', version: requestedVersion })}`
      const { page } = await open({ world, urlSuffix })
      await locateParts(page).result.getByText('"Ada"').waitFor()
      await expect.poll(() => page.getByLabel('Version').inputValue()).toBe(served)
    }
  })

  it('can be sent to a graph at another origin', async () => {
    const { page, url } = await open({ hasOtherOrigin: true, browser: still })
    const { result, path, run, view, graph, panel, plan } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await plan.getByText('1 read').waitFor()
    await path.fill('me/friends?limit=1')
    await run.click()
    await result.getByRole('link', { name: /after=/ }).click()
    await result.getByText('"Bossuet"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'Bossuet, user' }).waitFor()
    await view('Code')
    expect(await panel.textContent()).not.toContain(`fetch('${new URL(url).origin}`)
  })

  it('can be for several nodes at once, with completion of their fields', async () => {
    const { page } = await open({ browser: still })
    const { path, tree, fields, proposals, run, result, view, graph, panel } = locateParts(page)
    const [joly, bossuet] = [findId('Joly'), findId('Bossuet')]
    await path.fill(`?ids=${joly},${bossuet}`)
    await tree.getByRole('heading', { name: 'user' }).waitFor()
    await fields.click()
    await page.keyboard.type('abou')
    await proposals.getByText('about').click()
    await page.keyboard.type(',name')
    await page.keyboard.press('Control+Enter')
    await result.getByText('"Bossuet"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'Joly, user' }).waitFor()
    await view('Code')
    await panel.getByText('graph.getNodes(token, {').waitFor()
    await path.fill(`friends?ids=${joly},${bossuet}&limit=1`)
    await fields.fill('name')
    await view('Response')
    await run.click()
    await result.getByText('data').first().waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'As a list' }).click()
    await expect.poll(() => graph.getByText(/^friends → /).count()).toBe(2)
  })
})

describeInBrowser('the controls of the Explorer', open => {
  it('run a request by Enter in the token field and by Ctrl-Enter everywhere', async () => {
    const { page, demo } = await open({ hasToken: false })
    const { token, result, path } = locateParts(page)
    await token.fill(demo.token)
    await token.press('Enter')
    await result.getByText('"Marius"').waitFor()
    await path.fill('me/friends?limit=1')
    await page.getByRole('tab', { name: 'Response' }).press('Control+Enter')
    await result.getByText('"Joly"').waitFor()
  })

  it('have text of at least 16 pixels on a phone, and one line per history entry', async () => {
    const { page } = await open({
      browser: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    })
    const { result, fields, run, view, panel } = locateParts(page)
    await fields.fill('name,friends.limit(2){name,chapters},posts.limit(1){message,viewer_likes}')
    await run.click()
    await result.getByText('"Joly"').waitFor()
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.control input, .control select, .editor')].map(one =>
        parseFloat(getComputedStyle(one.shadowRoot?.querySelector('.cm-content') ?? one).fontSize))`,
    )
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
    await view('History')
    const entry = await panel.getByRole('listitem').first().boundingBox()
    expect(entry?.height).toBeLessThan(50)
  })

  it('do not include the field tree if the type of a node is unknown without a token', async () => {
    const { page } = await open({ hasToken: false })
    const { path, tree } = locateParts(page)
    await tree.waitFor()
    await path.fill('4003')
    await page.getByText('Enter a token to load').waitFor()
    expect(await tree.count()).toBe(0)
  })
})
