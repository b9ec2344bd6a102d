import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { expect, it } from 'vitest'
import { createDemo } from '../../examples/demo/graph.ts'
import { findId, novelRecords } from '../../examples/demo/novel.ts'
import { EXPLORER_FIELDS } from '../../examples/demo/requests.ts'
import { demoSchema } from '../../examples/demo/schema.ts'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'

/** Creates the graph of the novel with a low cost limit. */
const createLimitedWorld = async () => {
  const graph = createGraph(createMemoryStore(), { schema: demoSchema, limits: { cost: 1000 } })
  await graph.load(novelRecords())
  const token = await graph.tokens.issue({
    viewer: findId('Marius'),
    app: 'test',
    scopes: ['user_friends'],
  })
  return { graph, token, hasCollections: true }
}

describeInBrowser('the plan of a request in the Explorer', open => {
  it('has the number of reads, the cost and the limit, next to the expression and to the response', async () => {
    const { page } = await open({ initialFields: 'name,friends.limit(2){name}' })
    const { plan, responsePlan, result } = locateParts(page)
    await result.getByText('"Joly"').waitFor()
    for (const figures of [plan, responsePlan]) {
      await figures.getByText('2 reads').waitFor()
      await figures.getByText('cost 4 of 25,000').waitFor()
    }
  })

  it('stays visible next to a long response', async () => {
    const { page } = await open({ initialFields: 'friends{name,friends{name}}' })
    const { plan, responsePlan, result } = locateParts(page)
    await result.getByText('"Joly"').first().waitFor()
    await responsePlan.waitFor()
    await page.mouse.move(900, 600)
    await page.mouse.wheel(0, 2000)
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(1500)
    for (const figures of [plan, responsePlan]) {
      const { y = -1 } = (await figures.boundingBox()) ?? {}
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThan(800)
    }
  })

  it('shows in red that the cost is over the limit, before the request is sent', async () => {
    const { page } = await open({ world: await createLimitedWorld() })
    const { plan, responsePlan, fields, run, result } = locateParts(page)
    await plan.getByText('cost 1 of 1,000').waitFor()
    const readColour = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.plan li:nth-child(2)')).color`)
    const normalColour = await readColour()
    await fields.fill('friends.limit(60){friends.limit(60)}')
    await plan.getByText('cost 3,722, over the limit of 1,000').waitFor()
    expect(await readColour()).not.toBe(normalColour)
    expect(await plan.getByText('over the limit').getAttribute('class')).toBe('bad')
    await run.click()
    await result.getByRole('alert').getByText('query_too_expensive').waitFor()
    await responsePlan.getByText('cost 3,722, over the limit of 1,000').waitFor()
    await fields.fill('friends.limit(20){friends.limit(20)}')
    await plan.getByText('cost 442 of 1,000').waitFor()
  })

  it('depends on the size of a page and on the number of nodes in the path', async () => {
    const { page } = await open({ world: await createLimitedWorld() })
    const { plan, path } = locateParts(page)
    await plan.getByText('cost 1 of 1,000').waitFor()
    const ids = ['Joly', 'Bossuet'].map(findId).join(',')
    for (const [target, cost] of [
      ['me/friends', 27],
      ['me/friends?limit=3', 5],
      [`?ids=${ids}`, 2],
      [`friends?ids=${ids}&limit=3`, 10],
    ] as const) {
      await path.fill(target)
      await plan.getByText(`cost ${cost} of 1,000`).waitFor()
    }
  })

  it('is absent without an error for paths that exist only over HTTP', async () => {
    const { page } = await open()
    const { plan, path, error } = locateParts(page)
    await plan.waitFor()
    for (const target of ['me/permissions', 'me/picture?redirect=0']) {
      await path.fill(target)
      await plan.waitFor({ state: 'detached' })
      await page.waitForTimeout(500)
      expect(await error.count()).toBe(0)
      await path.fill('me')
      await plan.waitFor()
    }
  })
})

describeInBrowser('the fields that a response leaves out', open => {
  const initialFields = 'name,birthday,email.as(mail),friends.limit(2){name,birthday}'

  it('are shown with the missing scope in each object of the response', async () => {
    const { graph } = await createDemo(createMemoryStore())
    const viewer = findId('Marius')
    const token = await graph.tokens.issue({ viewer, app: 'test', scopes: ['user_friends', 'email'] })
    const { page } = await open({ world: { graph, token, hasCollections: true }, initialFields })
    const { result } = locateParts(page)
    const notes = result.getByText('left out: scope user_birthday is required')
    await notes.first().waitFor()
    expect(await notes.count()).toBe(3)
    expect(await result.locator('s').allTextContents()).toEqual(['birthday', 'birthday', 'birthday'])
    await result.getByText('"marius@abc.example"').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await result.getByRole('button', { name: 'Copy the response' }).click()
    await result.getByText('Copied').first().waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).not.toContain('left out')
  })

  it('do not include fields without a value, nor any field if the token has all scopes', async () => {
    const { page } = await open({ initialFields })
    const { result } = locateParts(page)
    const permissions = page.waitForResponse(/me\/permissions$/)
    await page.reload()
    // Joly has no birthday, so the page reads the scopes of the token.
    await permissions
    await result.getByText('"Joly"').waitFor()
    expect(await result.getByText('left out').count()).toBe(0)
  })

  it('are shown for the token that the request was sent with', async () => {
    const { page, demo } = await open({ initialFields: 'name,birthday' })
    const { result, token, run } = locateParts(page)
    await result.getByText('"1810"').waitFor()
    await token.fill(demo.unscopedToken)
    expect(await result.getByText('left out').count()).toBe(0)
    await run.click()
    await result.getByText('left out: scope user_birthday is required').waitFor()
    await token.fill(demo.token)
    await run.click()
    await result.getByText('"1810"').waitFor()
    expect(await result.getByText('left out').count()).toBe(0)
  })
})

describeInBrowser('the first query of the demo', open => {
  it('has four levels and works with the token of the demo', async () => {
    const { page } = await open({ initialFields: EXPLORER_FIELDS })
    const { result, fields, tree } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    for (const text of ['"Joly"', '"Breakfast at the Corinthe"', '"Wait for me."', '"Grantaire"'])
      await result.getByText(text).first().waitFor()
    await fields.getByText('friends').waitFor()
    await tree
      .getByRole('checkbox', { name: /^message/ })
      .first()
      .waitFor()
  })

  it('is replaced by the query of a shared URL', async () => {
    const { page } = await open({ initialFields: EXPLORER_FIELDS, urlSuffix: '#path=me&fields=id' })
    const { result, fields } = locateParts(page)
    await result.getByText('"1056"').waitFor()
    expect(await fields.textContent()).toBe('id')
  })
})
