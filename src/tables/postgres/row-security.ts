import { BoundedMap } from '../../base/bounded-map.ts'
import type { RunStatement, Statement } from '../../stores/postgres/database.ts'
import type { TableName } from '../model/table-model.ts'
import { tableSql } from '../sql/sql-text.ts'

/** The setting that changes the role of a transaction. */
export const ROLE_SETTING = 'role'

/**
 * Selects the tables whose row-level security does not apply to the current role, and the views that read their
 * tables as their owner.
 */
const SELECT_UNPROTECTED: Statement = {
  name: 'kithgraph row security',
  text: `
select requested.name
from json_array_elements_text($1::json) as requested(name)
join pg_class on pg_class.oid = requested.name::regclass
where case when pg_class.relkind = 'v'
  then not exists (
    select from pg_options_to_table(pg_class.reloptions)
    where option_name = 'security_invoker' and option_value::boolean
  )
  else not row_security_active(pg_class.oid)
end`,
}

/** The maximum number of roles that are remembered. */
const MAX_ROLES = 10_000

/** Checks that row-level security applies to some tables, in the first transaction of each role. */
export class RowSecurity {
  readonly #tables: string
  readonly #hasTables: boolean
  readonly #checkedRoles = new BoundedMap<true>(MAX_ROLES)

  constructor(tables: readonly TableName[]) {
    this.#hasTables = tables.length > 0
    this.#tables = JSON.stringify(tables.map(tableSql))
  }

  /**
   * Asserts that row-level security is active for the role of a transaction.
   *
   * @throws Error that names the tables, for the operator.
   */
  async assertActive(run: RunStatement, role: string): Promise<void> {
    if (!this.#hasTables || this.#checkedRoles.get(role) !== undefined) return
    const rows = await run(SELECT_UNPROTECTED, [this.#tables])
    if (rows.length > 0) {
      const names = rows.map(([name]) => name).join(', ')
      throw new Error(
        `Row-level security does not apply to ${names}: enable it, read as a role that does not bypass it, and create views with security_invoker`,
      )
    }
    this.#checkedRoles.set(role, true)
  }
}
