import { describeValue } from '../../base/describe.ts'
import { isPlainObject } from '../../base/json.ts'
import type { Session } from '../../base/session.ts'
import { usageError, usageErrorAbout } from '../../base/usage-error.ts'
import type { RunStatement, Statement } from '../../stores/postgres/database.ts'
import type { RowSecurity } from './row-security.ts'

/**
 * Returns the settings of the transaction of a read by their names, such as `{ role: 'reader', 'app.account': '42' }`.
 * If it throws, nothing is sent, and the call fails.
 */
export type SettingsFunction = (session: Session | undefined) => { readonly [name: string]: string }

/**
 * Sets settings until the end of the transaction, and returns the role that is then in effect. Names and values are
 * one parameter, so they are never SQL. The outer query runs after the inner one.
 */
const SET_SETTINGS: Statement = {
  name: 'kithgraph settings and role',
  text: `
select current_user::text, applied.settings
from (select count(set_config(key, value, true)) as settings from json_each_text($1::json)) as applied`,
}

/** @throws TypeError for settings that are not strings by name. Their values are never shown, only their types. */
function assertSettings(value: unknown): asserts value is { readonly [name: string]: string } {
  if (!isPlainObject(value))
    throw usageErrorAbout('settings', 'the result', 'an object of strings', describeValue(value))
  for (const [name, setting] of Object.entries(value))
    if (typeof setting !== 'string') throw usageError('settings', name, 'a string', typeof setting)
}

/** The settings of the transactions of a store. */
export class SessionSettings {
  readonly #create: SettingsFunction
  readonly #rowSecurity: RowSecurity

  constructor(create: SettingsFunction, rowSecurity: RowSecurity) {
    this.#create = create
    this.#rowSecurity = rowSecurity
  }

  /**
   * Returns the function that sets the settings of a session in a transaction. It runs before anything is read.
   *
   * @throws the error of the team's function; TypeError if it returns other values.
   */
  prepare(session: Session | undefined): (run: RunStatement) => Promise<void> {
    const settings: unknown = this.#create(session)
    assertSettings(settings)
    const parameter = JSON.stringify(settings)
    return async run => {
      const [row] = await run(SET_SETTINGS, [parameter])
      await this.#rowSecurity.assertActive(run, row?.[0] ?? undefined)
    }
  }
}
