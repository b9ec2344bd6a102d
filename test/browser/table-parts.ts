import type { Page } from 'playwright-core'

/** Locates the parts of the page that shows a request as a table. */
export const locateTable = (page: Page) => {
  const table = page.getByRole('table')
  const rows = table.locator('tbody tr')
  return {
    collections: page.getByRole('list', { name: 'Collections' }),
    edges: page.getByRole('list', { name: 'Edges' }),
    heading: page.getByRole('heading', { level: 2 }),
    table,
    rows,
    /** The links that identify the rows. */
    names: table.getByRole('rowheader'),
    columns: table.getByRole('columnheader'),
    picker: page.getByText('Columns', { exact: true }),
    previous: page.getByRole('button', { name: 'Previous' }),
    next: page.getByRole('button', { name: 'Next' }),
    error: page.getByRole('region', { name: 'Table' }).getByRole('alert'),
    option: (label: string) => page.getByRole('form', { name: 'Options' }).getByLabel(label, { exact: true }),
    mode: (label: string) => page.getByRole('radio', { name: label }).check(),
    link: (name: string) => page.getByRole('link', { name, exact: true }),
  }
}
