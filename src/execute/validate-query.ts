import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { GraphError } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import { assertAffordable, type Roots } from '../plan/cost.ts'
import { assertOpenings } from '../plan/opening-limit.ts'
import type { Plan, ScopeNeed, TypePlan } from '../plan/plan.ts'
import { type Course, waitFor } from './course.ts'
import { ExecutionContext } from './execution-context.ts'
import { type Outcome, toOutcome } from './opening.ts'
import type { Query } from './query.ts'

/** A plan and its roots: single nodes of one type, or the entries of an edge. */
export type PlannedRoots = Roots & {
  readonly plan: Plan
  readonly slotValues: readonly string[]
  /** The scopes that the roots themselves require. */
  readonly requiredScopes: readonly ScopeNeed[]
}

/**
 * The plans of the roots of one type; without a `type`, the plans of all types, which the entries of an edge
 * may have.
 */
export const typePlansOf = ({ selection }: Plan, type?: string): readonly TypePlan[] => {
  const planOfType = type === undefined ? undefined : selection.types.get(type)
  return planOfType === undefined ? [...selection.types.values()] : [planOfType]
}

const assertNoPlanErrors = (query: Query, plan: Plan): void => {
  const { partial, unknownFields, debug } = query.call
  for (const { isTolerable, createError } of plan.errors) {
    const ignoresUnknownFields = unknownFields === 'ignore' && partial !== true
    if (!isTolerable || (partial !== true && !ignoresUnknownFields)) throw createError()
    // `unknownFields: 'ignore'` is for clients that do not read messages.
    if (!ignoresUnknownFields || debug === 'all') query.debugMessages.addWarning(createError().message)
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
 * The number of values above which a result is formatted with pauses. A smaller one takes a few milliseconds.
 */
const LARGE_RESULT_VALUES = 10_000

const isLargeResult = ({ plan, count, edgeLimit = 1 }: PlannedRoots): boolean =>
  count * edgeLimit * plan.selection.maxValues > LARGE_RESULT_VALUES

/**
 * Validates a query when its roots are known: names, then scopes, then the cost, then the cursors and dates
 * inside the expression; last, the hooks charge the cost. Returns the context of the call. `nonRootCount` is
 * the number of ids that are not roots.
 *
 * @throws GraphError the first error in this order.
 */
export const validateQuery = (
  query: Query,
  roots: readonly PlannedRoots[],
  nonRootCount = 0,
): Awaitable<ExecutionContext> => {
  const { engine, call } = query
  for (const { plan } of roots) assertNoPlanErrors(query, plan)
  if (roots.length > 1) assertOpenings(roots.flatMap(({ plans }) => plans.map(({ openings }) => openings)))
  for (const { requiredScopes, plans } of roots) {
    assertScopes(requiredScopes, query.session)
    for (const plan of plans) assertScopes(plan.requiredScopes, query.session)
  }
  const cost = assertAffordable({ roots, nonRootCount }, engine.limits)
  const { defaultPicture } = query.hooks ?? engine.registry.schema
  const context = new ExecutionContext({
    query,
    defaultPicture,
    isLargeResult: roots.some(isLargeResult),
  })
  for (const { plan, slotValues: values } of roots) context.bindWindows(plan, values)
  if (call.debug === 'all') {
    for (const { plans } of roots) {
      for (const plan of plans) query.debugMessages.addPlanMessages(plan, scope => context.hasScope(scope))
    }
  }
  const pendingCharge = query.hooks?.charge(cost, query.session)
  return isPromiseLike(pendingCharge) ? pendingCharge.then(() => context) : context
}

/**
 * Validates roots of a requested type before their policy is evaluated, so that the charge does not depend on
 * the roots. Returns the errors of the validation: they are thrown only when it is known that the viewer may
 * see the roots.
 *
 * @throws GraphError if the charge is rejected.
 */
export function* validateEarly(
  validate: () => Awaitable<ExecutionContext>,
): Course<Outcome<ExecutionContext>> {
  const outcome = toOutcome(validate)
  if ('error' in outcome) return outcome
  const context = outcome.value
  return { value: isPromiseLike(context) ? yield* waitFor(context) : context }
}

/** The result of the validation: the groups of roots, and the context of the call. */
export type ValidatedGroups<TGroup> = {
  readonly groups: readonly TGroup[]
  readonly context: ExecutionContext
}

/** Combines the groups with the context, when it is available. */
export const combineWithContext = <TGroup>(
  groups: readonly TGroup[],
  context: Awaitable<ExecutionContext>,
): Awaitable<ValidatedGroups<TGroup>> =>
  isPromiseLike(context) ? context.then(resolved => ({ groups, context: resolved })) : { groups, context }
