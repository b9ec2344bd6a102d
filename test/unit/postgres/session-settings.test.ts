import { expect, it } from 'vitest'
import { RowSecurity } from '../../../src/tables/postgres/row-security.ts'
import { SessionSettings } from '../../../src/tables/postgres/session-settings.ts'

it.each([
  ['no settings', undefined, 'settings: the result must be an object of strings; received undefined'],
  [
    'a setting that is not a string, by its name and without its value',
    { role: 'reader', 'app.account': 424242 },
    'settings: "app.account" must be a string; received number',
  ],
])('the settings of a table store reject %s', (_, settings, message) => {
  const prepared = new SessionSettings(() => settings as never, new RowSecurity([]))
  expect(() => prepared.prepare(undefined)).toThrow(new TypeError(message))
})
