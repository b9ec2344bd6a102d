import { expect, it } from 'vitest'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'

const still = { reducedMotion: 'reduce' } as const

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
