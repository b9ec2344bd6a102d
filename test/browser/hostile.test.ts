import { expect, it } from 'vitest'
import { on } from './on.ts'
import { describeInBrowser } from './opened-explorer.ts'

const still = { reducedMotion: 'reduce' } as const
const HTML = '<img src=x onerror="document.title=`taken`">'

/** An answer of the graph with whatever in it. */
const fulfilled = (body: object) => ({ status: 200, json: body })

describeInBrowser('the Explorer, whatever the graph answers', open => {
  it('makes links of the web alone, and text of everything else', async () => {
    const { page } = await open({ browser: still })
    const { run, answer, view, graph } = on(page)
    await answer.getByText('"Marius"').waitFor()
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
    await page.route('**/me', route => route.fulfill(fulfilled(body)))
    await run.click()
    await answer.getByText('evil.example').waitFor()
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

  it('takes what a schema and a fault say for text', async () => {
    const { page } = await open()
    const { run, answer, fields, tree, fault, editor, proposals } = on(page)
    await answer.getByText('"Marius"').waitFor()
    await page.route('**/schema.json*', async route => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll(
        /"description":"[^"]*"/g,
        `"description":${JSON.stringify(HTML)}`,
      )
      await route.fulfill({ response, body: text })
    })
    const error = { message: HTML, type: HTML, code: 1, error_data: { reason: HTML, suggestions: [HTML] } }
    await page.route('**/plan.json*', route =>
      route.fulfill({ status: 400, json: { error, range: { from: 0, to: 2 } } }),
    )
    await page.route('**/me', route => route.fulfill({ status: 400, json: { error } }))
    await page.reload()
    await answer.getByRole('alert').getByText(HTML).first().waitFor()
    await tree.getByRole('checkbox', { name: /^name/ }).waitFor()
    await fields.fill('about')
    await page.getByRole('region', { name: 'Fields', exact: true }).getByText(HTML).first().waitFor()
    await editor.locator('.cm-lintRange-error').hover()
    await editor.getByText(HTML).first().waitFor()
    await fields.press('Control+a')
    await page.keyboard.type('na')
    await proposals.getByText('name').first().waitFor()
    await run.click()
    await fault.count()
    expect(await page.locator('img[src]').count()).toBe(0)
    expect(await page.title()).toBe('Graph Explorer')
  })

  it('stays at hand with an answer of ten thousand entries, each with more of them', async () => {
    const { page } = await open({ browser: still })
    const { run, answer, view, graph } = on(page)
    await answer.getByText('"Marius"').waitFor()
    const entries = (length: number, from: number) =>
      Array.from({ length }, (_, place) => ({ id: `${from + place}`, name: `No. ${from + place}` }))
    const data = entries(10_000, 1000).map(one => ({ ...one, friends: { data: entries(50, 20_000) } }))
    const about = 'lorem ipsum '.repeat(100_000)
    await page.route('**/me', route => route.fulfill(fulfilled({ id: '1056', about, friends: { data } })))
    await run.click()
    const more = answer.getByRole('button', { name: '9,900 more' })
    await more.waitFor()
    const elements = () => page.evaluate<number>('document.querySelectorAll("*").length')
    expect(await elements()).toBeLessThan(15_000)
    await answer.getByText('more characters').waitFor()
    await more.click()
    await answer.getByText('"No. 1100"').waitFor()
    expect(await elements()).toBeLessThan(20_000)
    await view('Graph')
    await graph.getByText(/^9,7\d\d more nodes were met than can be told apart here\. /).waitFor()
    expect(await graph.locator('[role=button]').count()).toBe(300)
    await graph.getByRole('button', { name: 'Clear' }).click()
    await graph.getByText('Run something first').waitFor()
  })
})
