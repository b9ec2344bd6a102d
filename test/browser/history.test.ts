import { expect, it } from 'vitest'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'

const FORBIDDEN_STORAGE = `Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('The operation is insecure.', 'SecurityError') },
})`
const FULL_STORAGE = `Storage.prototype.setItem = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}`
const createGarbage = (text: string) =>
  `localStorage.setItem('kithgraph-explorer-history:/tools/explorer/', ${JSON.stringify(text)})`

describeInBrowser('the history of the Explorer', open => {
  it('survives a reload, after which a click sends an earlier request again', async () => {
    const { page } = await open()
    const { path, fields, run, result, view, panel } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await path.fill('me/friends?limit=1')
    await fields.fill('name,chapters')
    await run.click()
    await result.getByText('"Joly"').waitFor()
    await page.reload()
    await result.getByText('"Joly"').waitFor()
    await view('History')
    await expect
      .poll(() => panel.getByRole('listitem').allTextContents())
      .toEqual(['200me/friends?limit=1name,chapters', '200me'])
    await panel.getByRole('listitem').last().getByRole('button').click()
    await result.getByText('"Marius"').waitFor()
    expect([await path.inputValue(), await fields.locator('.cm-placeholder').count()]).toEqual(['me', 1])
  })

  it('fills in an earlier request, and does not send it, if the page has no token', async () => {
    const { page, demo } = await open({ hasToken: false })
    const { token, path, run, result, view, panel } = locateParts(page)
    await token.fill(demo.token)
    await path.fill('me/friends?limit=1')
    await run.click()
    await result.getByText('"Joly"').waitFor()
    await page.reload()
    await view('History')
    await path.fill('me')
    await panel.getByRole('button', { name: 'me/friends' }).click()
    await result.getByText('No response yet').waitFor()
    expect(await path.inputValue()).toBe('me/friends?limit=1')
  })

  it('can be cleared', async () => {
    const { page } = await open()
    const { result, view, panel } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await view('History')
    await panel.getByRole('button', { name: 'Clear' }).click()
    await panel.getByText('No requests yet').waitFor()
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  it('is separate for Explorers at different paths of one origin', async () => {
    const { page, url } = await open({ basePath: '/tools', hasToken: false })
    const { run, path, result, view, panel } = locateParts(page)
    await path.fill('me/posts')
    await run.click()
    await result.getByRole('alert').waitFor()
    await page.goto(`${url}other/#path=me`)
    await view('History')
    await panel.getByText('No requests yet').waitFor()
    await page.goto(`${url}#path=me`)
    await view('History')
    await panel.getByRole('button', { name: 'me/posts' }).waitFor()
  })

  it.each([
    ['is forbidden', FORBIDDEN_STORAGE],
    ['is full', FULL_STORAGE],
    ['contains invalid JSON', createGarbage('{')],
    ['contains other values', createGarbage('[{"path":"me"},7]')],
  ])('lasts as long as the page if the storage of the browser %s', async (_, initScript) => {
    const { page } = await open({ initScript })
    const { path, run, result, view, panel } = locateParts(page)
    await result.getByText('"Marius"').waitFor()
    await path.fill('me/friends?limit=1')
    await run.click()
    await result.getByText('"Joly"').waitFor()
    await view('History')
    expect(await panel.getByRole('listitem').count()).toBe(2)
    await panel.getByRole('listitem').last().getByRole('button').click()
    await result.getByText('"Marius"').waitFor()
  })
})
