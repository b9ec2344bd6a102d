import type { EdgeKey } from '../../store/contract.ts'
import { TARGET_COLUMN } from './edge-table.ts'
import { findEdge, findList, type GraphTables } from './graph-tables.ts'

/** The number of sequential reads in a list that take as long as one search. */
const READS_PER_SEARCH = 16

/** Returns the list of each check, 0 if there is none. Checks of one list are usually next to each other. */
const findCheckLists = (tables: GraphTables, checks: readonly EdgeKey[]): number[] => {
  let previousCheck: EdgeKey | undefined
  let list = 0
  return checks.map(check => {
    if (previousCheck?.source !== check.source || previousCheck.name !== check.name)
      list = findList(tables, tables.nodes.findNumber(check.source), check.name)
    previousCheck = check
    return list
  })
}

/** Returns the targets of the lists that are read completely. */
const readTargetsByList = (
  { outgoing, edges }: GraphTables,
  lists: readonly number[],
): ReadonlyMap<number, ReadonlySet<number>> => {
  const checkCounts = new Map<number, number>()
  for (const list of lists) checkCounts.set(list, (checkCounts.get(list) ?? 0) + 1)
  const targetsByList = new Map<number, Set<number>>()
  for (const [list, checkCount] of checkCounts) {
    if (list === 0 || checkCount === 1 || outgoing.lengthOf(list) > READS_PER_SEARCH * checkCount) continue
    const targetsOfList = new Set<number>()
    for (const edge of outgoing.edgesOf(list)) targetsOfList.add(edges.getCell(edge, TARGET_COLUMN))
    targetsByList.set(list, targetsOfList)
  }
  return targetsByList
}

/**
 * Reads checks. Policies have many checks of one list, such as the friends of a viewer. That list is read
 * once if this is less work than searching for each target.
 */
export const readChecks = (tables: GraphTables, checks: readonly EdgeKey[]): boolean[] => {
  const lists = findCheckLists(tables, checks)
  const targetsByList = readTargetsByList(tables, lists)
  return checks.map(({ target }, index) => {
    const list = lists[index] ?? 0
    const targetNumber = tables.nodes.findNumber(target)
    return (
      targetsByList.get(list)?.has(targetNumber) ?? (list !== 0 && findEdge(tables, list, targetNumber) !== 0)
    )
  })
}
