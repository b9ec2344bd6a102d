import type { Page } from 'playwright-core'

/** Locates the parts of the page by their visible or accessible names. */
export const locateParts = (page: Page) => {
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
    responsePlan: panel.getByRole('list', { name: 'Plan' }),
    error: request.getByRole('status').filter({ hasText: '#' }),
    tree: page.getByRole('region', { name: 'Field tree' }),
    panel,
    result: page.getByRole('tabpanel', { name: 'Response' }),
    graph: page.getByRole('tabpanel', { name: 'Graph' }),
    view: (name: string) => page.getByRole('tab', { name }).click(),
  }
}
