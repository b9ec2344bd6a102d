import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { GraphError } from '../base/faults.ts'
import type { Session } from '../base/session.ts'
import { assertAffordable, type Roots } from '../plan/cost.ts'
import { assertOpenings } from '../plan/opened-too-often.ts'
import type { Plan, ScopeNeed, TypePlan } from '../plan/plan.ts'
import { Context } from './context.ts'
import { type Course, settled } from './course.ts'
import { type Outcome, outcomeOf } from './opening.ts'
import type { Query } from './query.ts'

/** A plan with the roots that it is for: single nodes of one type, or the entries of an edge. */
export type Rooted = Roots & {
  readonly plan: Plan
  readonly values: readonly string[]
  /** What the roots themselves need a scope for. */
  readonly needs: readonly ScopeNeed[]
}

/** The plans of the roots; without a `type` those of the entries of an edge, which may be of any of its targets. */
export const plansOf = ({ selection }: Plan, type?: string): readonly TypePlan[] => {
  const own = type === undefined ? undefined : selection.types.get(type)
  return own === undefined ? [...selection.types.values()] : [own]
}

const assertNames = (query: Query, plan: Plan): void => {
  const { partial, unknownFields, debug } = query.call
  for (const { soft, fault } of plan.problems) {
    const isIgnored = unknownFields === 'ignore' && partial !== true
    if (!soft || (partial !== true && !isIgnored)) throw fault()
    // Clients that do not know what they ask for do not look for messages either.
    if (!isIgnored || debug === 'all') query.messages.warn(fault().message)
  }
}

const scopeMissing = ({ scope, name, type }: ScopeNeed): GraphError =>
  new GraphError('scope_missing', `(#200) ${name} of ${type} requires the scope ${scope}`, {
    scope,
    name,
    type,
  })

/** @throws GraphError `scope_missing` for the first that the session lacks. */
export const assertScopes = (needs: readonly ScopeNeed[], { scopes }: Session): void => {
  const missing = needs.find(({ scope }) => !scopes.includes(scope))
  if (missing !== undefined) throw scopeMissing(missing)
}

/** An answer of more values is made with pauses; a smaller one takes some milliseconds. */
const LARGE = 10_000

const isLarge = ({ plan, count, edgeLimit = 1 }: Rooted): boolean =>
  count * edgeLimit * plan.selection.values > LARGE

/**
 * Lets a query in once its roots are known: names, then scopes, then cost, then the cursors and dates inside the
 * expression; last, whoever hosts the graph is told what it may cost. Answers the context that it goes on with. `absent` is
 * the number of ids that are no roots.
 *
 * @throws GraphError the first fault in this order.
 */
export const admit = (query: Query, all: readonly Rooted[], absent = 0): Awaitable<Context> => {
  const { engine, call } = query
  for (const { plan } of all) assertNames(query, plan)
  if (all.length > 1) assertOpenings(all.flatMap(({ plans }) => plans.map(({ openings }) => openings)))
  for (const { needs, plans } of all) {
    assertScopes(needs, query.session)
    for (const plan of plans) assertScopes(plan.refused, query.session)
  }
  const cost = assertAffordable({ roots: all, absent }, engine.limits)
  const { silhouette } = query.host ?? engine.registry.schema
  const context = new Context({ query, silhouette, isLarge: all.some(isLarge) })
  for (const { plan, values } of all) context.bind(plan, values)
  if (call.debug === 'all') {
    for (const { plans } of all) {
      for (const plan of plans) query.messages.notePlan(plan, scope => context.grants(scope))
    }
  }
  const charged = query.host?.charge(cost, query.session)
  return isPromiseLike(charged) ? charged.then(() => context) : context
}

/**
 * Admits roots of a type that the caller named before their policy is evaluated, so that the charge does not depend on them.
 * What else is wrong with the call is held back until it is known that the viewer may see the roots.
 *
 * @throws GraphError for a charge that is rejected.
 */
export function* admitEarly(admission: () => Awaitable<Context>): Course<Outcome<Context>> {
  const outcome = outcomeOf(admission)
  if ('fault' in outcome) return outcome
  const admitted = outcome.value
  return { value: isPromiseLike(admitted) ? yield* settled(admitted) : admitted }
}

/** What a call goes on with: its roots, put together by whoever read them. */
export type Entered<TBatch> = { readonly batches: readonly TBatch[]; readonly context: Context }

/** The two together, as soon as the context is there. */
export const entered = <TBatch>(
  batches: readonly TBatch[],
  context: Awaitable<Context>,
): Awaitable<Entered<TBatch>> =>
  isPromiseLike(context) ? context.then(late => ({ batches, context: late })) : { batches, context }
