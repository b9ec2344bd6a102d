import type { Page } from 'playwright-core'

/** Locates the parts of the page that show the actions of a node or an edge. */
export const locateActions = (page: Page) => {
  const panel = page.getByRole('region', { name: 'Actions', exact: true })
  const form = panel.getByRole('form')
  return {
    panel,
    form,
    /** The buttons that open the forms. */
    buttons: panel.locator('.action-list button'),
    open: (name: string) => panel.locator('.action-list').getByRole('button', { name, exact: true }).click(),
    value: (path: string) => form.locator(`[id="value-${path}"]`),
    issue: (path: string) => form.locator(`[id="value-${path}-issue"]`),
    run: form.getByRole('button', { name: /^Run/ }),
    button: (name: string) => form.getByRole('button', { name, exact: true }),
    picker: form.locator('.picker-list'),
    code: (title: string) => form.getByRole('region', { name: title, exact: true }).locator('pre'),
    done: form.getByRole('status').filter({ hasText: 'Done' }),
    error: form.getByRole('alert'),
    dialog: page.getByRole('dialog'),
  }
}
