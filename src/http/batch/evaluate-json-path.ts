import { isNonArrayObject } from '../../base/json.ts'
import type { JsonPath, PathStep, Selector } from './json-path.ts'
import type { StepBudget } from './step-budget.ts'

/** Converts a position of a slice, which may count from the end, to an index of the list. */
const clampPosition = (position: number, length: number): number =>
  position < 0 ? Math.max(length + position, 0) : Math.min(position, length)

const sliceList = (list: readonly unknown[], start: number, end: number | undefined): readonly unknown[] =>
  list.slice(
    clampPosition(start, list.length),
    end === undefined ? list.length : clampPosition(end, list.length),
  )

/** Returns the direct members that a selector selects from a value. */
const selectMembers = (value: unknown, selector: Selector): readonly unknown[] => {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    if (selector.kind === 'every') return list
    if (selector.kind === 'slice') return sliceList(list, selector.start, selector.end)
    const { position } = selector
    return position === undefined || position >= list.length ? [] : [list[position]]
  }
  if (!isNonArrayObject(value) || selector.kind === 'slice') return []
  if (selector.kind === 'every') return Object.values(value)
  return Object.hasOwn(value, selector.name) ? [value[selector.name]] : []
}

/** Whether a selector selects the list member at a position. */
const selectsPosition = (selector: Selector, position: number, length: number): boolean => {
  if (selector.kind !== 'slice') return selector.kind === 'every' || selector.position === position
  const { start, end } = selector
  return (
    position >= clampPosition(start, length) && (end === undefined || position < clampPosition(end, length))
  )
}

const selectsName = (selector: Selector, name: string): boolean =>
  selector.kind === 'every' || (selector.kind === 'member' && selector.name === name)

/** A value that a deep step visits, and whether it is selected. */
type Visit = { readonly value: unknown; readonly isSelected: boolean }

/**
 * Creates the visits of the members of a value in reverse order, because `selectDeep` continues with the last
 * visit.
 */
const createVisits = (value: unknown, selectors: readonly Selector[], budget: StepBudget): Visit[] => {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    budget.take(list.length * selectors.length)
    return list
      .map((member, position) => ({
        value: member,
        isSelected: selectors.some(selector => selectsPosition(selector, position, list.length)),
      }))
      .reverse()
  }
  if (!isNonArrayObject(value)) return []
  const names = Object.keys(value)
  budget.take(names.length * selectors.length)
  return names
    .map(name => ({
      value: value[name],
      isSelected: selectors.some(selector => selectsName(selector, name)),
    }))
    .reverse()
}

/**
 * Returns the values that a deep step selects inside the given values: each member once, in document order.
 */
const selectDeep = (
  values: readonly unknown[],
  { selectors }: PathStep,
  budget: StepBudget,
): readonly unknown[] => {
  const found: unknown[] = []
  // One value may be inside another if an earlier deep step selected both.
  const visited = new Set<unknown>()
  for (const root of values) {
    const visits: Visit[] = [{ value: root, isSelected: false }]
    // Uses a list of visits instead of recursion, because only the length of a document limits its depth.
    for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
      const { value, isSelected } = visit
      if (isSelected) found.push(value)
      if (typeof value !== 'object' || visited.has(value)) continue
      visited.add(value)
      for (const memberVisit of createVisits(value, selectors, budget)) visits.push(memberVisit)
    }
  }
  return found
}

/** Returns the values that a step selects from the members of the given values. */
const selectShallow = (
  values: readonly unknown[],
  { selectors }: PathStep,
  budget: StepBudget,
): readonly unknown[] => {
  const found: unknown[] = []
  for (const value of values)
    for (const selector of selectors) {
      const members = selectMembers(value, selector)
      budget.take(Math.max(1, members.length))
      for (const member of members) found.push(member)
    }
  return found
}

/**
 * Returns the values at a path of a JSON document, in order. Each visited value takes one step from the
 * budget for each selector.
 *
 * @throws GraphError `query_too_expensive`, `timeout`.
 */
export const evaluateJsonPath = (
  document: unknown,
  path: JsonPath,
  budget: StepBudget,
): readonly unknown[] => {
  let values: readonly unknown[] = [document]
  for (const step of path)
    values = step.isDeep ? selectDeep(values, step, budget) : selectShallow(values, step, budget)
  return values
}
