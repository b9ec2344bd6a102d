import { expect, it } from 'vitest'
import { findId } from '../../examples/demo/novel.ts'
import { EXPLORER_FIELDS } from '../../examples/demo/requests.ts'
import { findProblems, PHONE } from './accessibility.ts'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'
import { locateTable } from './table-parts.ts'

const collections = { urlSuffix: '' } as const
const people = { urlSuffix: '#path=root%2Fpeople&version=v1.0&view=table' } as const

describeInBrowser('a schema with collections in the Explorer', open => {
  it('opens on the list of its collections, with their counts and descriptions', async () => {
    const { page, url } = await open(collections)
    const { collections: list } = locateTable(page)
    await list.getByText('77').waitFor()
    expect(await list.getByRole('link').allTextContents()).toEqual(['people', 'pages', 'posts', 'photos'])
    expect(await list.textContent()).toContain('77 → userThe people of the novel.')
    expect(page.url()).toBe(`${url}#path=root&version=v1.0&view=table`)
  })

  it('lists its collections without a token, and counts them after a token is entered', async () => {
    const { page, demo } = await open({ ...collections, hasToken: false })
    const { collections: list, link, error } = locateTable(page)
    await link('people').waitFor()
    expect(await list.getByText('77').count()).toBe(0)
    await locateParts(page).token.fill(demo.token)
    await list.getByText('77').waitFor()
    await locateParts(page).token.fill('')
    await link('people').click()
    await error.getByText('token_missing').waitFor()
    await page.goBack()
    await list.waitFor()
  })

  it('has the initial fields for the node of the viewer', async () => {
    const { page } = await open({ ...collections, initialFields: EXPLORER_FIELDS })
    const { link, heading, table } = locateTable(page)
    await link('me').click()
    await heading.getByText('Marius').waitFor()
    await table.getByRole('link', { name: 'Joly' }).waitFor()
    expect(await table.getByRole('link', { name: 'all friends' }).getAttribute('href')).toMatch(
      /^#path=1056%2Ffriends&version=v1\.0&view=table$/,
    )
  })
})

describeInBrowser('a table in the Explorer', open => {
  it('has a page of nodes, and buttons for the next and the previous page', async () => {
    const { page } = await open(collections)
    const { link, rows, names, next, previous, collections: list } = locateTable(page)
    await list.getByText('77').waitFor()
    const requests: string[] = []
    page.on('request', request => requests.push(new URL(request.url()).pathname))
    await link('people').click()
    await expect.poll(() => rows.count()).toBe(25)
    // A table needs no other request of the graph.
    expect(requests.filter(path => !path.endsWith('.json'))).toEqual(['/api/graph/v1.0/root/people'])
    expect(await names.first().textContent()).toBe('Myriel')
    expect(await previous.getAttribute('aria-disabled')).toBe('true')
    await next.click()
    await expect.poll(() => names.first().textContent()).not.toBe('Myriel')
    const second = await names.first().textContent()
    await next.click()
    await expect.poll(() => names.first().textContent()).not.toBe(second)
    await next.click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByText('2 rows').waitFor()
    expect(await next.getAttribute('aria-disabled')).toBe('true')
    await previous.click()
    await expect.poll(() => rows.count()).toBe(25)
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(2)
  })

  it('can be in every order of its list, and be filtered by the parameters of its list', async () => {
    const { page } = await open(people)
    const { rows, names, option, link } = locateTable(page)
    await expect.poll(() => names.first().textContent()).toBe('Myriel')
    await option('Order').selectOption('reverse_chronological')
    await expect.poll(() => names.first().textContent()).toBe('Mme.Hucheloup')
    await option('gender').selectOption('female')
    await expect.poll(() => names.allTextContents()).toEqual(['Cosette'])
    await option('gender').selectOption('')
    await expect.poll(() => rows.count()).toBe(25)
    await option('Rows').selectOption('10')
    await expect.poll(() => rows.count()).toBe(10)
    // A list by id has no times.
    expect(await option('since (UTC)').count()).toBe(0)
    await link('Collections').click()
    await link('posts').click()
    await option('until (UTC)').fill('1832-06-04T00:00')
    await expect.poll(() => rows.count()).toBe(2)
    await option('author').fill(findId('Enjolras'))
    await option('author').press('Enter')
    await page.getByText('This page has no nodes.').waitFor()
    await option('until (UTC)').fill('')
    await expect.poll(() => rows.count()).toBe(1)
    const hash = new URLSearchParams(new URL(page.url()).hash.slice(1))
    expect(hash.get('path')).toBe(`root/posts?author=${findId('Enjolras')}`)
  })

  it('has the columns that the user picks, and keeps them after a reload', async () => {
    const { page } = await open(people)
    const { columns, picker, table } = locateTable(page)
    await expect.poll(() => columns.allTextContents()).toEqual(['id', 'name'])
    await picker.click()
    await page.getByRole('checkbox', { name: 'gender' }).check()
    await page.getByRole('checkbox', { name: 'id', exact: true }).uncheck()
    await expect.poll(() => columns.allTextContents()).toEqual(['name', 'gender'])
    await page.reload()
    await table.getByText('male', { exact: true }).first().waitFor()
    expect(await columns.allTextContents()).toEqual(['name', 'gender'])
    await page.goBack()
    await expect.poll(() => columns.allTextContents()).toEqual(['id', 'name', 'gender'])
  })

  it('is the same request as the query, whose expression can be edited', async () => {
    const { page } = await open(people)
    const { rows, columns, mode, option } = locateTable(page)
    const { path, fields, run, result } = locateParts(page)
    await option('Rows').selectOption('10')
    await expect.poll(() => rows.count()).toBe(10)
    await mode('Query')
    expect(await path.inputValue()).toBe('root/people?limit=10')
    await result.getByText('"Myriel"').waitFor()
    await fields.fill('name,friends.limit(1){name}')
    await mode('Table')
    await expect.poll(() => columns.allTextContents()).toEqual(['name', 'friends'])
    await page.goBack()
    await expect.poll(() => path.inputValue()).toBe('root/people?limit=10')
    await page.goForward()
    await expect.poll(() => columns.allTextContents()).toEqual(['name', 'friends'])
    await mode('Query')
    await run.click()
    await result.getByRole('link', { name: 'friends' }).first().waitFor()
  })

  it('links to nodes, whose edges are tables too', async () => {
    const { page } = await open(collections)
    const { link, edges, heading, names, option, table } = locateTable(page)
    await link('posts').click()
    await table.getByRole('link', { name: 'Marius' }).first().click()
    await heading.getByText('Marius').waitFor()
    // A request whose response has not arrived has no entry in the browser's history.
    const hasEntry = (isOf: (hash: string) => boolean) => page.waitForURL(({ hash }) => isOf(hash))
    await edges.getByRole('link', { name: 'friends' }).click()
    await hasEntry(hash => hash.includes('friends'))
    await option('Order').selectOption('closest')
    await expect.poll(() => names.first().textContent()).toBe('Cosette')
    await heading.getByRole('link', { name: 'Marius' }).click()
    await hasEntry(hash => !hash.includes('friends'))
    await edges.getByRole('link', { name: 'photos' }).click()
    await hasEntry(hash => hash.includes('photos'))
    await expect.poll(() => names.count()).toBe(2)
    await option('type').selectOption('uploaded')
    await page.getByText('This page has no nodes.').waitFor()
    for (let step = 0; step < 3; step++) await page.goBack()
    await expect.poll(() => names.first().textContent()).toBe('Cosette')
    await page.reload()
    await expect.poll(() => names.first().textContent()).toBe('Cosette')
    await page.goBack()
    await expect.poll(() => names.first().textContent()).not.toBe('Cosette')
    expect(await option('Order').inputValue()).toBe('reverse_chronological')
  })

  it('shows an error in its place, and the fields that a token may not see', async () => {
    const { page, demo } = await open(people)
    const { picker, table, error, link, edges, heading, rows } = locateTable(page)
    const { token } = locateParts(page)
    await picker.click()
    await page.getByRole('checkbox', { name: 'birthday' }).check()
    await table.getByText('1769').waitFor()
    await token.fill(demo.unscopedToken)
    await token.press('Enter')
    await table.getByText('left out: scope user_birthday is required').first().waitFor()
    await link('Myriel').click()
    await edges.getByRole('link', { name: 'friends' }).click()
    await error.getByText('scope_missing').waitFor()
    await heading.getByText('friends').waitFor()
    await page.goBack()
    await edges.waitFor()
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(25)
  })
})

describeInBrowser('the tables of the Explorer', open => {
  it('can be used with the keyboard alone, and keep the focus', async () => {
    const { page } = await open(collections)
    const { link, rows, names, heading, edges, next } = locateTable(page)
    const isFocused = async (locator: ReturnType<typeof link>): Promise<boolean> =>
      (await locator.and(page.locator(':focus')).count()) === 1
    const pressUntilFocused = async (locator: ReturnType<typeof link>): Promise<void> => {
      for (let step = 0; step < 60; step++) {
        if (await isFocused(locator)) return
        await page.keyboard.press('Tab')
      }
      throw new Error('The element cannot be reached with the Tab key')
    }
    await link('people').waitFor()
    await pressUntilFocused(link('people'))
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(25)
    await expect.poll(() => isFocused(heading)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => names.first().textContent()).toBe('Mme.Hucheloup')
    await pressUntilFocused(page.locator('summary'))
    await page.keyboard.press('Enter')
    await pressUntilFocused(page.getByRole('checkbox', { name: 'gender' }))
    await page.keyboard.press('Space')
    await page.getByRole('columnheader', { name: 'gender' }).waitFor()
    await pressUntilFocused(next)
    await page.keyboard.press('Enter')
    await expect.poll(() => names.first().textContent()).not.toBe('Mme.Hucheloup')
    expect(await isFocused(next)).toBe(true)
    await names.first().getByRole('link').focus()
    await page.keyboard.press('Enter')
    await edges.waitFor()
    await expect.poll(() => isFocused(heading)).toBe(true)
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(25)
  })

  it('fit the width of a phone, with text of at least 16 pixels in their inputs', async () => {
    const { page } = await open({ ...collections, browser: PHONE })
    const { link, table, picker, edges, collections: list } = locateTable(page)
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    await list.getByText('77').waitFor()
    expect(await width()).toBe(360)
    await link('posts').tap()
    await table.waitFor()
    await picker.tap()
    expect(await width()).toBe(360)
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.options input, .options select')]
        .map(one => parseFloat(getComputedStyle(one).fontSize))`,
    )
    expect(sizes).toHaveLength(5)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
    await table.getByRole('link', { name: 'Marius' }).first().tap()
    await edges.waitFor()
    expect(await width()).toBe(360)
  })

  it.each(['light', 'dark'] as const)('have no serious accessibility problem in %s colours', async scheme => {
    const { page, demo } = await open({
      ...collections,
      browser: { colorScheme: scheme, reducedMotion: 'reduce' },
    })
    const { link, table, picker, edges, error, collections: list } = locateTable(page)
    const options = { resultTypes: ['violations'] }
    await list.getByText('77').waitFor()
    expect(await findProblems(page, options)).toEqual([])
    await link('posts').click()
    await table.waitFor()
    await picker.click()
    expect(await findProblems(page, options)).toEqual([])
    await table.getByRole('link', { name: 'Marius' }).first().click()
    await edges.waitFor()
    expect(await findProblems(page, options)).toEqual([])
    await locateParts(page).token.fill(demo.unscopedToken)
    await edges.getByRole('link', { name: 'friends' }).click()
    await error.waitFor()
    expect(await findProblems(page, options)).toEqual([])
  })
})
