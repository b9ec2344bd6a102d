import { GraphError } from '../base/faults.ts'
import type { FieldExpression } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Openings, Problem, Selection } from './plan.ts'

/** How often an expression may open one edge under a policy: each time, its hidden edges count once more as examined. */
const MOST_OPENINGS = 16

const NO_PROBLEMS: readonly Problem[] = []

/**
 * The edges under a policy that an expression opens too often. The text alone decides it: a count while reading would
 * distinguish a denied list from an empty one.
 */
export const openedTooOften = (
  selection: Selection,
  edge: EdgeType | undefined,
  expression: FieldExpression,
): readonly Problem[] => {
  if (selection.openings.size === 0) return NO_PROBLEMS
  // The entries of an edge may be of several types in one call, a root is of one.
  const parts = edge === undefined ? [...selection.types.values()] : [selection]
  return expression.slice(-1).flatMap(item =>
    parts
      .flatMap(({ openings }) => [...openings])
      .filter(([, times]) => times > MOST_OPENINGS)
      .map(([opened, times]) => ({ soft: false, fault: () => tooOften(opened, times), item })),
  )
}

/**
 * The same for roots of several types, each of which has a plan of its own.
 *
 * @throws GraphError `expression_too_wide`.
 */
export const assertOpenings = (all: readonly Openings[]): void => {
  const sum = new Map<string, number>()
  for (const openings of all) {
    for (const [edge, times] of openings) sum.set(edge, times + (sum.get(edge) ?? 0))
  }
  for (const [edge, times] of sum) if (times > MOST_OPENINGS) throw tooOften(edge, times)
}

const tooOften = (edge: string, times: number): GraphError =>
  new GraphError(
    'expression_too_wide',
    `(#1) The expression opens the lists of ${edge} ${times} times, a summary counted as one more; at most ${MOST_OPENINGS} are allowed, since its nodes are under a policy`,
    { limit: MOST_OPENINGS, came: times },
  )
