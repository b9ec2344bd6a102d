import type { Page } from 'playwright-core'

/** The parts of the page, as somebody finds them who sees or hears it. */
export const on = (page: Page) => {
  const request = page.getByRole('region', { name: 'Fields', exact: true })
  const panel = page.getByRole('tabpanel')
  return {
    path: page.getByRole('combobox', { name: 'Path' }),
    token: page.getByLabel('Token', { exact: true }),
    run: page.getByRole('button', { name: 'Run' }),
    fields: page.getByRole('textbox', { name: 'Fields' }),
    editor: page.locator('.editor'),
    proposals: page.getByRole('listbox'),
    plan: request.getByRole('list', { name: 'Plan' }),
    fault: request.getByRole('status').filter({ hasText: '#' }),
    tree: page.getByRole('region', { name: 'Field tree' }),
    panel,
    answer: page.getByRole('tabpanel', { name: 'Answer' }),
    graph: page.getByRole('tabpanel', { name: 'Graph' }),
    view: (name: string) => page.getByRole('tab', { name }).click(),
  }
}
