import { BoundedMap } from '../../base/bounded-map.ts'
import type { RunStatement, Statement } from '../../stores/postgres/database.ts'
import type { TableName } from '../model/table-model.ts'
import { tableSql } from '../sql/sql-text.ts'

/**
 * Selects the tables whose row-level security does not apply to the current role. A view has it if it reads a table
 * that has it, and if neither the view nor a view that it reads is read as its owner.
 */
const SELECT_UNPROTECTED: Statement = {
  name: 'kithgraph row security of tables and views',
  text: `
with recursive read_relation (name, oid) as (
  select requested.name, requested.name::regclass::oid from json_array_elements_text($1::json) as requested(name)
  union
  select read_relation.name, pg_depend.refobjid
  from read_relation
  join pg_rewrite on pg_rewrite.ev_class = read_relation.oid
  join pg_depend on pg_depend.classid = 'pg_rewrite'::regclass and pg_depend.objid = pg_rewrite.oid
    and pg_depend.refclassid = 'pg_class'::regclass
)
select read_relation.name
from read_relation join pg_class using (oid)
group by read_relation.name
having not bool_and(pg_class.relkind <> 'v' or exists (
    select from pg_options_to_table(pg_class.reloptions)
    where option_name = 'security_invoker' and option_value::boolean
  ))
  or not bool_or(pg_class.relkind <> 'v' and row_security_active(pg_class.oid))
order by read_relation.name`,
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
   * Asserts that row-level security is active for the role of a transaction. The server names the role, because
   * several settings can change it, in any case of their letters, and the pools of replicas may have other users.
   *
   * @throws Error that names the tables, for the operator.
   */
  async assertActive(run: RunStatement, role: string | undefined): Promise<void> {
    if (!this.#hasTables || (role !== undefined && this.#checkedRoles.get(role) !== undefined)) return
    const rows = await run(SELECT_UNPROTECTED, [this.#tables])
    if (rows.length > 0) {
      const names = rows.map(([name]) => name).join(', ')
      throw new Error(
        `Row-level security does not apply to ${names}: enable it, read as a role that does not bypass it, and create views, also those that they read, with security_invoker`,
      )
    }
    if (role !== undefined) this.#checkedRoles.set(role, true)
  }
}
