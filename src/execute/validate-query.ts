import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { GraphError } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import { type ReadTask, waitFor } from '../core/batching.ts'
import { assertAffordable } from '../plan/cost.ts'
import { assertOpenings } from '../plan/opening-limit.ts'
import type { Plan, ScopeNeed } from '../plan/plan.ts'
import { bindWindows } from '../read/windows.ts'
import type { PlannedRoots } from './plan-roots.ts'
import type { Query, QueryContext } from './query.ts'

const assertNoPlanErrors = ({ call, debugMessages }: Query, plan: Plan): void => {
  const { partial, unknownFields } = call
  for (const { isTolerable, createError } of plan.errors) {
    const ignoresUnknownFields = unknownFields === 'ignore' && partial !== true
    if (!isTolerable || (partial !== true && !ignoresUnknownFields)) throw createError()
    // Clients that set `unknownFields: 'ignore'` do not read messages, so the warning is only created for
    // `debug`.
    if (!ignoresUnknownFields || debugMessages.isDebug) debugMessages.addWarning(createError().message)
  }
}

const missingScopeError = ({ scope, name, type }: ScopeNeed): GraphError =>
  new GraphError('scope_missing', `(#200) ${name} of ${type} requires the scope ${scope}`, {
    scope,
    name,
    type,
  })

/** @throws GraphError `scope_missing` for the first scope that the session does not have. */
export const assertScopes = (requiredScopes: readonly ScopeNeed[], { scopes }: Session): void => {
  const missing = requiredScopes.find(({ scope }) => !scopes.includes(scope))
  if (missing !== undefined) throw missingScopeError(missing)
}

/**
 * The number of values above which a result is formatted with pauses. Formatting a smaller result takes a few
 * milliseconds.
 */
const LARGE_RESULT_VALUES = 10_000

const isLargeResult = ({ plan, count, edgeLimit = 1 }: PlannedRoots): boolean =>
  count * edgeLimit * plan.selection.maxValues > LARGE_RESULT_VALUES

/**
 * Validates a query with its roots, in this order: names, scopes, cost, and the cursors and dates inside the
 * expression. Then the hooks charge the cost. `nonRootCount` is the number of ids that are not roots. Returns
 * `validated` after the charge is accepted.
 *
 * @throws GraphError the first error in this order.
 */
export const validateQuery = <TValidated>(
  context: QueryContext,
  roots: readonly PlannedRoots[],
  nonRootCount: number,
  validated: TValidated,
): Awaitable<TValidated> => {
  const { query, session, debugMessages } = context
  for (const { plan } of roots) assertNoPlanErrors(query, plan)
  if (roots.length > 1) assertOpenings(roots.flatMap(({ plans }) => plans.map(({ openings }) => openings)))
  for (const { requiredScopes, plans } of roots) {
    assertScopes(requiredScopes, session)
    for (const plan of plans) assertScopes(plan.requiredScopes, session)
  }
  const cost = assertAffordable({ roots, nonRootCount }, query.engine.limits)
  context.isLargeResult = roots.some(isLargeResult)
  for (const { plan, slotValues } of roots)
    if (plan.windowTemplates.length > 0) bindWindows(context, plan, slotValues)
  if (debugMessages.isDebug) {
    for (const { plans } of roots)
      for (const plan of plans) debugMessages.addPlanMessages(plan, session.scopes)
  }
  const pendingCharge = query.hooks?.charge(cost, session)
  return isPromiseLike(pendingCharge) ? pendingCharge.then(() => validated) : validated
}

/** The result of a validation before the roots are known. */
export type EarlyValidation =
  | { readonly isValid: true }
  | { readonly isValid: false; readonly error: unknown }

export const VALID: EarlyValidation = { isValid: true }

/**
 * Validates roots of a requested type before their policy is evaluated, so that the charge does not depend on
 * the roots. The caller throws the error of the validation only after it knows that the viewer may see the
 * roots.
 *
 * @throws GraphError if a promise of the charge is rejected.
 */
export function* validateEarly(
  context: QueryContext,
  createRoots: () => PlannedRoots,
): ReadTask<EarlyValidation> {
  return yield* keepValidationError(() => validateQuery(context, [createRoots()], 0, VALID))
}

/** Runs a validation that ends with the charge, and keeps its error. @throws GraphError for a rejected charge. */
export function* keepValidationError(validate: () => Awaitable<EarlyValidation>): ReadTask<EarlyValidation> {
  let validation: Awaitable<EarlyValidation>
  try {
    validation = validate()
  } catch (error) {
    return { isValid: false, error }
  }
  return isPromiseLike(validation) ? yield* waitFor(validation) : validation
}
