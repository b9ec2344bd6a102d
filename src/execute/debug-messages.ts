import type { Masking } from '../access/masking.ts'
import type { ScopeNeed, TypePlan } from '../plan/plan.ts'

/** A message in the `__debug__` member of a result, which `debug` and `partial` add. */
export type DebugMessage = { message: string; type: 'warning' | 'info'; link?: string }

/** The messages of one result, without duplicates. */
export class DebugMessages {
  #messages: Map<string, DebugMessage> | undefined

  addWarning(message: string): void {
    this.#messages ??= new Map()
    this.#messages.set(message, { message, type: 'warning' })
  }

  /**
   * Adds messages about omitted and deprecated fields. They depend only on the plan, so that they reveal no
   * data.
   */
  addPlanMessages(plan: TypePlan, hasScope: (scope: string) => boolean): void {
    for (const { name, type, scope } of plan.omittedFields.filter(
      (need: ScopeNeed) => !hasScope(need.scope),
    )) {
      this.addWarning(`Field ${name} of ${type} is left out: the token lacks the scope ${scope}`)
    }
    for (const deprecation of plan.deprecations) this.addWarning(deprecation)
  }

  /** The messages without secrets. */
  listMasked(masking: Pick<Masking, 'maskText'>): DebugMessage[] {
    if (this.#messages === undefined) return []
    return [...this.#messages.values()].map(item => ({ ...item, message: masking.maskText(item.message) }))
  }
}
