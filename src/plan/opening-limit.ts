import { GraphError } from '../base/errors.ts'
import type { FieldExpression } from '../fields/expression.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { ListOpenings, PlanError, Selection } from './plan.ts'
import { addOpenings, NO_OPENINGS } from './type-plan.ts'

/**
 * The maximum number of times that an expression may open an edge under a policy. Each opening examines
 * hidden edges.
 */
const MAX_OPENINGS = 16

/**
 * Returns errors for the edges under a policy that an expression opens too often. The errors depend only on
 * the expression, because counting during the read would distinguish a hidden list from an empty list.
 */
export const findOpeningErrors = (
  selection: Selection,
  edge: EdgeType | undefined,
  expression: FieldExpression,
): readonly PlanError[] => {
  // The entries of an edge may have several types in one call, but a root has only one type.
  const selections = edge === undefined ? [...selection.types.values()] : [selection]
  return expression.slice(-1).flatMap(item =>
    selections
      .flatMap(({ openings }) => [...openings])
      .filter(([, openingCount]) => openingCount > MAX_OPENINGS)
      .map(([edgeName, openingCount]) => ({
        isTolerable: false,
        createError: () => tooManyOpeningsError(edgeName, openingCount),
        item,
      })),
  )
}

/**
 * Checks the total number of openings of all roots. Roots of different types have different plans.
 *
 * @throws GraphError `expression_too_wide`.
 */
export const assertOpenings = (openingsOfRoots: readonly ListOpenings[]): void => {
  for (const [edge, openingCount] of openingsOfRoots.reduce(addOpenings, NO_OPENINGS))
    if (openingCount > MAX_OPENINGS) throw tooManyOpeningsError(edge, openingCount)
}

const tooManyOpeningsError = (edge: string, openingCount: number): GraphError =>
  new GraphError(
    'expression_too_wide',
    `(#1) The field expression opens the lists of ${edge} ${openingCount} times (a summary counts as one more time); the maximum for an edge under a policy is ${MAX_OPENINGS}`,
    { limit: MAX_OPENINGS, received: openingCount },
  )
