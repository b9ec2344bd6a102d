import type { JsonPath, PathStep, Selector } from './json-path.ts'
import type { StepBudget } from './step-budget.ts'

type Members = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A position of a list with the meaning that it has in a slice. */
const clamped = (position: number, length: number): number =>
  position < 0 ? Math.max(length + position, 0) : Math.min(position, length)

const sliceOf = (list: readonly unknown[], from: number, to: number | undefined): readonly unknown[] =>
  list.slice(clamped(from, list.length), to === undefined ? list.length : clamped(to, list.length))

/** The own members of a value that a selector selects. */
const selected = (value: unknown, selector: Selector): readonly unknown[] => {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    if (selector.kind === 'every') return list
    if (selector.kind === 'slice') return sliceOf(list, selector.from, selector.to)
    const { position } = selector
    return position === undefined || position >= list.length ? [] : [list[position]]
  }
  if (!isObject(value) || selector.kind === 'slice') return []
  if (selector.kind === 'every') return Object.values(value)
  return Object.hasOwn(value, selector.name) ? [value[selector.name]] : []
}

/** Whether a selector selects the member of a list at a position. */
const selectsPosition = (selector: Selector, position: number, length: number): boolean => {
  if (selector.kind !== 'slice') return selector.kind === 'every' || selector.position === position
  const { from, to } = selector
  return position >= clamped(from, length) && (to === undefined || position < clamped(to, length))
}

const selectsName = (selector: Selector, name: string): boolean =>
  selector.kind === 'every' || (selector.kind === 'member' && selector.name === name)

/** A value that a deep step visits, and whether it is selected. */
type Visit = { readonly value: unknown; readonly isSelected: boolean }

/** The visits of the members of a value, the first last: visits are taken from the end of a list. */
const visitsOf = (value: unknown, selectors: readonly Selector[], budget: StepBudget): Visit[] => {
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
  if (!isObject(value)) return []
  const names = Object.keys(value)
  budget.take(names.length * selectors.length)
  return names
    .map(name => ({
      value: value[name],
      isSelected: selectors.some(selector => selectsName(selector, name)),
    }))
    .reverse()
}

/** What a deep step selects below some values: each member once, in the order of the document. */
const selectedBelow = (
  values: readonly unknown[],
  { selectors }: PathStep,
  budget: StepBudget,
): readonly unknown[] => {
  const found: unknown[] = []
  // A deep step before this one may have selected a value and others inside of it.
  const visited = new Set<unknown>()
  for (const root of values) {
    const visits: Visit[] = [{ value: root, isSelected: false }]
    // A list of visits in the place of recursion: a document may be as deep as it is long.
    for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
      const { value, isSelected } = visit
      if (isSelected) found.push(value)
      if (typeof value !== 'object' || visited.has(value)) continue
      visited.add(value)
      for (const inner of visitsOf(value, selectors, budget)) visits.push(inner)
    }
  }
  return found
}

/** What a step selects of the members of some values. */
const selectedOf = (
  values: readonly unknown[],
  { selectors }: PathStep,
  budget: StepBudget,
): readonly unknown[] => {
  const found: unknown[] = []
  for (const value of values)
    for (const selector of selectors) {
      const members = selected(value, selector)
      budget.take(Math.max(1, members.length))
      for (const member of members) found.push(member)
    }
  return found
}

/**
 * The values that a path leads to in a JSON document, in their order. Each value that a step visits is a step of the budget.
 *
 * @throws GraphError `too_costly`, `deadline`.
 */
export const select = (document: unknown, path: JsonPath, budget: StepBudget): readonly unknown[] => {
  let values: readonly unknown[] = [document]
  for (const step of path)
    values = step.isDeep ? selectedBelow(values, step, budget) : selectedOf(values, step, budget)
  return values
}
