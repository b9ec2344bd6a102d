import { expect, it } from 'vitest'
import { EXPLORER_FIELDS } from '../../examples/demo/requests.ts'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'

const still = { reducedMotion: 'reduce' } as const

/** Code that returns the font sizes of the line labels on the screen, in pixels. */
const LABEL_SIZES = `[...document.querySelectorAll('.line text')].map(label => {
  const { a, b } = label.getScreenCTM()
  return parseFloat(getComputedStyle(label).fontSize) * Math.hypot(a, b)
})`

describeInBrowser('the graph view of the Explorer', open => {
  it('shows the nodes of responses, and adds nodes after a click on an edge of a node', async () => {
    const { page } = await open({ browser: still })
    const { graph, view, result } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'Marius, user' }).click()
    const card = graph.getByRole('region', { name: 'Marius' })
    await card.getByRole('button', { name: 'posts' }).click()
    await graph.getByRole('button', { name: 'I am going after all., post' }).waitFor()
    await card.getByRole('button', { name: 'friends' }).click()
    await graph.getByRole('button', { name: 'Cosette, user' }).waitFor()
    await card.getByText('friends: 19 on the first page').waitFor()
    expect(await graph.getByRole('list', { name: 'Types' }).textContent()).toMatch(/user 20post 3/)
  })

  it('can be used with the keyboard only', async () => {
    const { page } = await open({ browser: still })
    const { graph, view, result } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await view('Graph')
    const marius = graph.getByRole('button', { name: 'Marius, user' })
    await marius.focus()
    await page.keyboard.press('Enter')
    const photos = graph.getByRole('button', { name: 'photos', exact: true })
    await photos.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    const gate = graph.getByRole('button', { name: 'A gate in the rue Plumet, photo' })
    await gate.waitFor()
    await page.keyboard.press('Escape')
    await marius.and(page.locator(':focus')).waitFor()
    const near = page
      .locator('[role=button][data-id]:focus')
      .and(graph.getByRole('button', { name: 'photo' }))
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']) {
      if ((await near.count()) === 0) await page.keyboard.press(key)
    }
    await near.waitFor()
    await page.keyboard.press('Enter')
    await graph.getByRole('button', { name: 'comments', exact: true }).waitFor()
  })

  it('shows the type of a node if the schema allows several types at its position', async () => {
    const { page } = await open({ browser: still })
    const { path, fields, run, graph, view, result } = locateParts(page)
    await path.fill('4003')
    await fields.fill('message,from,to')
    await run.click()
    await result.getByText('"Enjolras"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'Enjolras, user' }).waitFor()
    await graph.getByRole('button', { name: 'Friends of the ABC, page' }).waitFor()
  })

  it('can be shown as a list with the same content', async () => {
    const { page } = await open({ browser: still, urlSuffix: '#path=me%2Ffriends%3Flimit%3D2' })
    const { graph, view, result } = locateParts(page)
    await result.getByText('"Joly"').waitFor()
    await view('Graph')
    await graph.getByRole('button', { name: 'user 1056, user' }).waitFor()
    await graph.getByRole('button', { name: 'As a list' }).click()
    await graph.getByText('friends → Joly, Bossuet').waitFor()
  })

  it('labels each line with the names of its edges, at the size of the other texts', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open({ browser: { ...still, colorScheme }, initialFields: EXPLORER_FIELDS })
      const { graph, view, result } = locateParts(page)
      await result.getByText('"Marius"').waitFor()
      await view('Graph')
      await graph.getByText('friends', { exact: true }).first().waitFor()
      const labels = graph.locator('.line text')
      const names = new Set(await labels.allTextContents())
      expect(names).toEqual(new Set(['friends', 'photos', 'comments', 'from']))
      expect(await labels.count()).toBe(await graph.locator('.line').count())
      const sizes = await page.evaluate<number[]>(LABEL_SIZES)
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(10.9)
      expect(Math.max(...sizes)).toBeLessThan(13)
    }
  })

  it('labels the lines of the selected node first, and more lines at a larger zoom', async () => {
    const fields = 'name,friends{name,friends{name,friends.limit(5){name}}}'
    const { page } = await open({ browser: still, initialFields: fields })
    const { graph, view, result } = locateParts(page)
    await result.getByText('"Marius"').first().waitFor()
    await view('Graph')
    const labels = graph.locator('.line text')
    await labels.first().waitFor()
    const initialCount = await labels.count()
    expect(initialCount).toBeLessThan(await graph.locator('.line').count())
    for (let step = 0; step < 4; step++) await graph.getByRole('button', { name: 'Zoom in' }).click()
    await expect.poll(() => labels.count()).toBeGreaterThan(2 * initialCount)
    await graph.getByRole('button', { name: 'Jondrette, user' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => graph.locator('.near text').count()).toBeGreaterThan(0)
  })

  it('can be zoomed by buttons and the wheel, and fitted to the view', async () => {
    const { page } = await open({ browser: still })
    const { graph, view, result } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await view('Graph')
    const drawn = graph.getByRole('group', { name: /^Graph/ }).locator('> g')
    const transform = () => drawn.getAttribute('transform')
    const start = await transform()
    await graph.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(transform).not.toBe(start)
    await graph.getByRole('button', { name: 'Fit' }).click()
    await expect.poll(transform).toBe(start)
    await drawn.hover()
    await page.mouse.wheel(0, 200)
    await expect.poll(transform).not.toBe(start)
  })
})
