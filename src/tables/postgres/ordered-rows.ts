import { quoteIdentifier } from '../../stores/quote-identifier.ts'
import type { TableColumn } from '../model/table-model.ts'
import type { EntryRows } from '../sql/entry-rows.ts'
import { allOf } from '../sql/sql-text.ts'
import type { Stretch } from '../sql/stretches.ts'

/** The columns that a query uses of each alias. */
export type UsedColumns = ReadonlyMap<string, readonly TableColumn[]>

/** The rows of a range: their clauses, and their order, which is empty if they are in it already. */
export type OrderedRows = { readonly from: string; readonly order: string }

/** The alias of the rows of several stretches. */
const JOINED = 'joined_rows'

/**
 * Returns columns under names of their own, for a query whose rows get the alias `joined`, and the clauses that make
 * them columns of their aliases again.
 */
export const renameColumns = (
  used: UsedColumns,
  joined: string,
): { readonly renamed: string; readonly restored: string } => {
  const renamed: string[] = []
  const restored = [...used].map(([alias, columns]) => {
    const names = new Set(columns.map(({ name }) => quoteIdentifier(name)))
    const columnsOfAlias = [...names].map(name => {
      const newName = `c${renamed.length}`
      renamed.push(`${alias}.${name} as ${newName}`)
      return `${joined}.${newName} as ${name}`
    })
    return `cross join lateral (select ${columnsOfAlias.join(', ')}) as ${alias}`
  })
  return { renamed: renamed.join(', '), restored: restored.join(' ') }
}

/**
 * Returns the rows of a range in its order. The rows of several stretches are joined before a query selects anything
 * from them, because lists in lists would otherwise double a statement at each level.
 *
 * @param used The columns that the query uses.
 * @param limit The maximum number of rows that the query reads, as an expression.
 */
export const orderedRowsSql = (
  { from, conditions }: EntryRows,
  stretches: readonly Stretch[],
  used: UsedColumns,
  limit: string,
): OrderedRows => {
  const parts = stretches.map(stretch => ({
    from: `${from} where ${allOf([...conditions, ...stretch.conditions])}`,
    order: `order by ${stretch.order}`,
  }))
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  const { renamed, restored } = renameColumns(used, JOINED)
  // A foreign server does not know `greatest`. It could otherwise execute whole parts, at the same time, in any order.
  const selects = parts.map(
    part => `(select ${renamed} from ${part.from} ${part.order} limit greatest(${limit}, 0))`,
  )
  return { from: `(${selects.join(' union all ')}) as ${JOINED} ${restored}`, order: '' }
}
