import type { Masking } from '../access/masking.ts'
import type { TypePlan } from '../plan/plan.ts'

/** A message in the `__debug__` member of a result, which `debug` and `partial` add. */
export type DebugMessage = { message: string; type: 'warning' | 'info'; link?: string }

/** The messages of one result, without duplicates. */
export class DebugMessages {
  /** Whether the call has the option `debug`, which adds messages such as those about omitted fields. */
  readonly isDebug: boolean
  readonly #masking: Pick<Masking, 'maskText'>
  #messages: Map<string, DebugMessage> | undefined

  constructor(isDebug: boolean, masking: Pick<Masking, 'maskText'>) {
    this.isDebug = isDebug
    this.#masking = masking
  }

  addWarning(message: string): void {
    this.#messages ??= new Map()
    this.#messages.set(message, { message, type: 'warning' })
  }

  /** Adds a message that only a call with `debug` receives. */
  addIfDebug(message: string): void {
    if (this.isDebug) this.addWarning(message)
  }

  /**
   * Adds messages about omitted and deprecated fields. They depend only on the plan and the scopes, so they
   * reveal no data.
   */
  addPlanMessages({ omittedFields, deprecations }: TypePlan, scopes: readonly string[]): void {
    for (const { name, type, scope } of omittedFields)
      if (!scopes.includes(scope))
        this.addIfDebug(`Field ${name} of ${type} is left out: the token lacks the scope ${scope}`)
    for (const deprecation of deprecations) this.addIfDebug(deprecation)
  }

  /** Returns the messages with masked secrets, or `undefined` if the result has no `__debug__`. */
  listMasked(): DebugMessage[] | undefined {
    if (this.#messages === undefined) return this.isDebug ? [] : undefined
    return [...this.#messages.values()].map(item => ({
      ...item,
      message: this.#masking.maskText(item.message),
    }))
  }
}
