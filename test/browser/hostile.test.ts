import { expect, it } from 'vitest'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'
import { locateTable } from './table-parts.ts'

const still = { reducedMotion: 'reduce' } as const
const HTML = '<img src=x onerror="document.title=`taken`">'

/** Creates a response of the graph with any body. */
const createResponse = (body: object) => ({ status: 200, json: body })

describeInBrowser('the Explorer with hostile responses', open => {
  it('creates links only for http, https and paths of the graph, and shows other values as text', async () => {
    const { page } = await open({ browser: still })
    const { run, result, view, graph } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    const links = {
      safe: 'https://example.org/a?b',
      script: 'javascript:document.title="taken"',
      spaced: ' javascript:document.title="taken"',
      cased: 'JaVaScRiPt:document.title="taken"',
      data: 'data:text/html,<script>document.title="taken"</script>',
      file: 'file:///etc/passwd',
      next: 'javascript:document.title="taken"',
      previous: '//evil.example/1/friends',
    }
    const body = {
      id: '1056',
      name: HTML,
      message: HTML,
      ...links,
      friends: { data: [{ id: '7', name: HTML }] },
    }
    await page.route('**/me', route => route.fulfill(createResponse(body)))
    await run.click()
    await result.getByText('evil.example').waitFor()
    const targets = await page.evaluate(
      '[...document.querySelectorAll("main a")].map(a => a.getAttribute("href"))',
    )
    expect(targets).toEqual([
      expect.stringMatching(/^#path=1056&/),
      links.safe,
      expect.stringMatching(/^#path=1056%2Ffriends&/),
      expect.stringMatching(/^#path=7&/),
    ])
    await view('Graph')
    await graph.getByRole('button', { name: /^<img/ }).first().click()
    await graph.getByRole('button', { name: 'As a list' }).click()
    await graph
      .getByText(/^friends/)
      .first()
      .waitFor()
    expect(await page.locator('img[src]').count()).toBe(0)
    expect(await page.title()).toBe('Graph Explorer')
  })

  it('creates the same links in a table, and opens only pages of the graph', async () => {
    const fields = 'name,about,link'
    const urlSuffix = `#${new URLSearchParams({ path: 'root/people', version: 'v1.0', fields, view: 'table' })}`
    const { page } = await open({ urlSuffix })
    const { table, rows, next, previous } = locateTable(page)
    await expect.poll(() => rows.count()).toBe(25)
    const about = 'javascript:document.title="taken"'
    const body = {
      data: [{ id: '7', name: HTML, about, link: 'https://example.org/a' }],
      paging: { next: about, previous: '//evil.example/1/friends' },
    }
    await page.route('**/root/people*', route => route.fulfill(createResponse(body)))
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    const targets = await table.locator('a').evaluateAll(links => links.map(link => `${link}`))
    expect(targets).toEqual([expect.stringMatching(/#path=7&/), 'https://example.org/a'])
    for (const button of [next, previous]) expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(await page.locator('img[src]').count()).toBe(0)
  })

  it('shows the texts of a schema and of an error as text, never as HTML', async () => {
    const { page } = await open()
    const { run, result, fields, tree, error, editor, proposals } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await page.route('**/schema.json*', async route => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll(
        /"description":"[^"]*"/g,
        `"description":${JSON.stringify(HTML)}`,
      )
      await route.fulfill({ response, body: text })
    })
    const errorBody = {
      message: HTML,
      type: HTML,
      code: 1,
      error_data: { reason: HTML, suggestions: [HTML] },
    }
    await page.route('**/plan.json*', route =>
      route.fulfill({ status: 400, json: { error: errorBody, range: { from: 0, to: 2 } } }),
    )
    await page.route('**/me', route => route.fulfill({ status: 400, json: { error: errorBody } }))
    await page.reload()
    await result.getByRole('alert').getByText(HTML).first().waitFor()
    await tree.getByRole('checkbox', { name: /^name / }).waitFor()
    await fields.fill('about')
    await page.getByRole('region', { name: 'Fields', exact: true }).getByText(HTML).first().waitFor()
    await editor.locator('.cm-lintRange-error').hover()
    await editor.getByText(HTML).first().waitFor()
    await fields.press('Control+a')
    await page.keyboard.type('na')
    await proposals.getByText('name').first().waitFor()
    await run.click()
    await error.count()
    expect(await page.locator('img[src]').count()).toBe(0)
    expect(await page.title()).toBe('Graph Explorer')
  })

  it('stays usable with a response of 10,000 entries with nested entries', async () => {
    const { page } = await open({ browser: still })
    const { run, result, view, graph } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    const entries = (length: number, from: number) =>
      Array.from({ length }, (_, location) => ({ id: `${from + location}`, name: `No. ${from + location}` }))
    const data = entries(10_000, 1000).map(one => ({ ...one, friends: { data: entries(50, 20_000) } }))
    const about = 'lorem ipsum '.repeat(100_000)
    await page.route('**/me', route =>
      route.fulfill(createResponse({ id: '1056', about, friends: { data } })),
    )
    await run.click()
    const moreButton = result.getByRole('button', { name: '9,900 more' })
    await moreButton.waitFor()
    const elements = () => page.evaluate<number>('document.querySelectorAll("*").length')
    expect(await elements()).toBeLessThan(15_000)
    await result.getByText('more characters').waitFor()
    await moreButton.click()
    await result.getByText('"No. 1100"').waitFor()
    expect(await elements()).toBeLessThan(20_000)
    await view('Graph')
    await graph.getByText(/^9,7\d\d more nodes are not shown\. /).waitFor()
    expect(await graph.locator('[role=button]').count()).toBe(300)
    await graph.getByRole('button', { name: 'Clear' }).click()
    await graph.getByText('Run a request first').waitFor()
  })
})
