import type { EdgeTest } from '../../store/contract.ts'
import { TARGET } from './edge-table.ts'
import { findEdge, findList, type GraphTables } from './graph-tables.ts'

/** To seek one target takes about as long as to read so many edges of a list. */
const SOUGHT = 16

/** The list that each test is of; 0 where there is none. Those of one list mostly stand together. */
const listsOf = (tables: GraphTables, tests: readonly EdgeTest[]): number[] => {
  let last: EdgeTest | undefined
  let list = 0
  return tests.map(test => {
    if (last?.source !== test.source || last.name !== test.name)
      list = findList(tables, tables.nodes.find(test.source), test.name)
    last = test
    return list
  })
}

/** The targets of the lists that are read through. */
const targetsOf = (
  { outgoing, edges }: GraphTables,
  lists: readonly number[],
): ReadonlyMap<number, ReadonlySet<number>> => {
  const asked = new Map<number, number>()
  for (const list of lists) asked.set(list, (asked.get(list) ?? 0) + 1)
  const targets = new Map<number, Set<number>>()
  for (const [list, count] of asked) {
    if (list === 0 || count === 1 || outgoing.length(list) > SOUGHT * count) continue
    const found = new Set<number>()
    for (const edge of outgoing.edges(list)) found.add(edges.get(edge, TARGET))
    targets.set(list, found)
  }
  return targets
}

/**
 * Answers tests. Policies ask many of one list, such as the friends of a viewer: then the list is read through once, where
 * that is less than to seek each.
 */
export const readTests = (tables: GraphTables, tests: readonly EdgeTest[]): boolean[] => {
  const lists = listsOf(tables, tests)
  const targets = targetsOf(tables, lists)
  return tests.map(({ target }, index) => {
    const list = lists[index] ?? 0
    const node = tables.nodes.find(target)
    return targets.get(list)?.has(node) ?? (list !== 0 && findEdge(tables, list, node) !== 0)
  })
}
