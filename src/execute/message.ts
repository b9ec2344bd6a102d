import type { Masking } from '../access/masking.ts'
import type { ScopeNeed, TypePlan } from '../plan/plan.ts'

/** What an answer says of itself where `debug` or `partial` asks for it. */
export type Message = { message: string; type: 'warning' | 'info'; link?: string }

/** The messages of one answer, each once. */
export class Messages {
  #messages: Map<string, Message> | undefined

  warn(message: string): void {
    this.#messages ??= new Map()
    this.#messages.set(message, { message, type: 'warning' })
  }

  /** Tells what a plan leaves out and what of it is deprecated: read off the plan, so that no data shows in it. */
  notePlan(plan: TypePlan, grants: (scope: string) => boolean): void {
    for (const { name, type, scope } of plan.omitted.filter((need: ScopeNeed) => !grants(need.scope))) {
      this.warn(`Field ${name} of ${type} is left out: the token lacks the scope ${scope}`)
    }
    for (const deprecation of plan.deprecations) this.warn(deprecation)
  }

  /** The messages without secrets. */
  list(masking: Pick<Masking, 'text'>): Message[] {
    if (this.#messages === undefined) return []
    return [...this.#messages.values()].map(one => ({ ...one, message: masking.text(one.message) }))
  }
}
