import { expect, it } from 'vitest'
import { findProblems, PHONE } from './accessibility.ts'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'

describeInBrowser('the page of the Explorer', open => {
  // The two schemes differ only in colours.
  const schemes = [
    { colorScheme: 'light', options: { resultTypes: ['violations'] } },
    { colorScheme: 'dark', options: { resultTypes: ['violations'], runOnly: ['color-contrast'] } },
  ] as const
  for (const { colorScheme, options } of schemes) {
    it(`has no serious accessibility problem with ${colorScheme} colours`, async () => {
      const { page, demo } = await open({ browser: { colorScheme, reducedMotion: 'reduce' } })
      const { fields, error, run, result, graph, view, proposals, token, plan } = locateParts(page)
      await fields.fill('name,posts.limit(1){message,from}')
      await run.click()
      await result.getByText('"I am going after all."').waitFor()
      expect(await findProblems(page, options)).toEqual([])
      await view('Graph')
      await graph.getByRole('button', { name: 'Marius, user' }).click()
      expect(await findProblems(page, options)).toEqual([])
      for (const name of ['Code', 'History']) {
        await view(name)
        expect(await findProblems(page, options)).toEqual([])
      }
      await view('Response')
      await token.fill(demo.unscopedToken)
      await fields.fill('name,birthday')
      await run.click()
      await result.getByText('left out').waitFor()
      await fields.fill('friends.limit(100){friends.limit(100){friends.limit(100)}}')
      await plan.getByText('over the limit').waitFor()
      expect(await findProblems(page, options)).toEqual([])
      await fields.fill('nmae')
      await error.waitFor()
      await run.click()
      await result.getByRole('alert').waitFor()
      expect(await findProblems(page, options)).toEqual([])
      await fields.press('Control+a')
      await page.keyboard.type('p')
      await proposals.waitFor()
      expect(await findProblems(page, options)).toEqual([])
    })
  }

  it('follows the light or dark scheme of the system unless the user chooses one', async () => {
    const { page } = await open({ browser: { colorScheme: 'dark' } })
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const dark = await background()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(background).not.toBe(dark)
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect.poll(background).toBe(dark)
    await page.getByRole('radio', { name: 'Auto' }).check()
    await expect.poll(background).not.toBe(dark)
  })

  it('works at any mount path', async () => {
    for (const basePath of ['', '/a/b/c']) {
      const { page, url } = await open({ basePath })
      await locateParts(page).result.getByText('"Marius"').waitFor()
      expect(page.url()).toBe(`${url}#path=me&version=v1.0`)
    }
  })

  it('fits the width of a phone in every view', async () => {
    const { page } = await open({ browser: PHONE })
    const { fields, result, run, graph, view } = locateParts(page)
    await fields.fill('name,friends.limit(30){name,chapters}')
    await run.click()
    await result.getByText('"Cosette"').waitFor()
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    expect(await width()).toBe(360)
    for (const name of ['Graph', 'Code', 'History']) {
      await view(name)
      if (name === 'Graph') await graph.getByRole('button', { name: 'Cosette, user' }).waitFor()
      expect(await width()).toBe(360)
    }
  })

  it('can be shared by its URL, which does not contain the token', async () => {
    const { page, demo, url } = await open()
    const { path, fields, run, result } = locateParts(page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await path.fill(`me/friends?limit=2&access_token=${demo.token}`)
    await fields.fill('name,chapters')
    await run.click()
    await result.getByText('"Joly"').waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Link copied' }).waitFor()
    const shared = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(shared).toBe(`${url}#path=me%2Ffriends%3Flimit%3D2&version=v1.0&fields=name%2Cchapters`)

    const opened = await open({ hasToken: false, urlSuffix: new URL(shared).hash })
    const other = locateParts(opened.page)
    await expect.poll(() => other.path.inputValue()).toBe('me/friends?limit=2')
    await other.fields.getByText('name,chapters').waitFor()
    expect(await other.token.inputValue()).toBe('')
  })

  it('keeps the token out of URLs and storage, and hides it by default', async () => {
    const { page, demo } = await open({ hasToken: false })
    const { token, run, result, path } = locateParts(page)
    const urls: string[] = []
    page.on('request', request => urls.push(request.url()))
    await token.fill(demo.token)
    expect(await token.getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Show the token' }).click()
    expect(await token.getAttribute('type')).toBe('text')
    await run.click()
    await result.getByText('"Marius"').waitFor()
    await result.getByRole('link', { name: '1056' }).click()
    await expect.poll(() => path.inputValue()).toBe('1056')
    const kept = await page.evaluate(
      'indexedDB.databases().then(list => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, list, history.state, location.href]))',
    )
    expect(urls.length).toBeGreaterThan(2)
    expect([kept, ...urls].join()).not.toContain(demo.token)
    expect(kept).toMatch(/^\[\{"kithgraph-explorer-history:\/tools\/explorer\/":"[^}]*\},.*\},\{\},"",\[\]/)
  })

  it('shows HTML in an error message as text', async () => {
    const { page } = await open({ urlSuffix: '#path=me&fields=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E' })
    const { result } = locateParts(page)
    await result.getByRole('alert').getByText('<img').first().waitFor()
    expect(await page.locator('img').count()).toBe(0)
  })
})
