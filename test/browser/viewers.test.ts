import { expect, it } from 'vitest'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'

describeInBrowser('the viewers of the Explorer', open => {
  const viewers = ({ token, unscopedToken }: { readonly token: string; readonly unscopedToken: string }) => ({
    Marius: token,
    'Marius without scopes': unscopedToken,
  })

  it('can be chosen by their names, and each choice reads with the token of the viewer', async () => {
    const { page, demo } = await open({ viewers, hasToken: false, initialFields: 'name,posts' })
    const { result, token } = locateParts(page)
    const viewer = page.getByRole('combobox', { name: 'Viewer' })
    expect(await viewer.locator('option').allTextContents()).toEqual([
      'Other token',
      'Marius',
      'Marius without scopes',
    ])
    await viewer.selectOption('Marius')
    await result.getByText('200', { exact: true }).waitFor()
    expect(await token.inputValue()).toBe(demo.token)
    await viewer.selectOption('Marius without scopes')
    await result.getByText('403', { exact: true }).waitFor()
    await token.fill('something else')
    await expect.poll(() => viewer.locator('option:checked').textContent()).toBe('Other token')
  })

  it('are not offered if the Explorer has none', async () => {
    const { page } = await open()
    await locateParts(page).path.waitFor()
    expect(await page.getByRole('combobox', { name: 'Viewer' }).count()).toBe(0)
  })
})
