import type { Awaitable } from '../base/awaitable.ts'
import { GraphError, internalFault } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { BoundWindow, ComputedStep, Plan, Step, TypePlan, Window } from '../plan/plan.ts'
import type { Resolve } from '../schema/field.ts'
import { Mismatch } from '../schema/field-type.ts'
import { settle } from '../store/settle.ts'
import type { Group } from './gathered.ts'
import { bindWindow } from './window.ts'

/** What one answer depends on beside the plan and the data. */
export type ContextInput = {
  readonly session: Session
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly silhouette: string | undefined
  readonly signal: AbortSignal | undefined
  /** When the answer stops being of use: milliseconds since the epoch. */
  readonly deadline: number | undefined
  /** What the links begin with: '' or a version, as in `/v1.0`. */
  readonly linkBase: string
}

/** What is known throughout one answer, and what is computed on the way. */
export class Context {
  readonly now: number
  readonly silhouette: string | undefined
  readonly #input: ContextInput
  readonly #windows = new Map<BoundWindow, Window>()
  readonly #steps = new Map<TypePlan, readonly Step[]>()
  readonly #pending: Promise<void>[] = []

  constructor(input: ContextInput) {
    this.#input = input
    this.now = input.now
    this.silhouette = input.silhouette
  }

  get viewer(): NodeId | undefined {
    return this.#input.session.viewer
  }

  grants(scope: string | undefined): boolean {
    return scope === undefined || this.#input.session.scopes.includes(scope)
  }

  /** The steps of a plan without those that the session has no scope for. */
  stepsOf(plan: TypePlan): readonly Step[] {
    if (!plan.scoped) return plan.steps
    const known = this.#steps.get(plan)
    const steps = known ?? plan.steps.filter(step => !('scope' in step) || this.grants(step.scope))
    this.#steps.set(plan, steps)
    return steps
  }

  /** @throws GraphError `bad_parameter` for a cursor or a date among the values. */
  bind({ windows }: Plan, values: readonly string[]): void {
    for (const window of windows) this.#windows.set(window, bindWindow(window, values))
  }

  windowOf(edge: { readonly window: Window | BoundWindow }): Window {
    if (!('slots' in edge.window)) return edge.window
    const bound = this.#windows.get(edge.window)
    if (bound === undefined) throw new Error('A window was used before it was bound')
    return bound
  }

  urlOf(source: NodeId, edge: string): string {
    return `${this.#input.linkBase}/${source}/${edge}`
  }

  /** Starts a computed field for a whole group; its values are there once `computed` has ended. */
  compute(group: Group, step: ComputedStep): void {
    const pending = this.#values(group, step)
    // A fault that comes while the store is still being read is met by `computed`, not by nobody.
    pending.catch(() => undefined)
    this.#pending.push(pending)
  }

  /**
   * Waits for what is being computed, though not past the signal or the deadline.
   *
   * @throws GraphError `internal` with what a `resolve` threw as its cause; `aborted`, `deadline`.
   */
  async computed(): Promise<void> {
    const { signal, deadline } = this.#input
    if (this.#pending.length > 0) await settle(Promise.all(this.#pending), signal, deadline)
  }

  async #values(group: Group, step: ComputedStep): Promise<void> {
    const { session, signal } = this.#input
    const context = { session, signal, now: this.now, parameters: step.parameters }
    try {
      const resolve: (...args: Parameters<Resolve<unknown>>) => Awaitable<readonly unknown[]> = step.resolve
      const values = await resolve(group.records, context)
      group.cells[step.cell] = { kind: 'values', values: parsed(values, step, group.records.length) }
    } catch (error) {
      throw error instanceof GraphError ? error : internalFault(error)
    }
  }
}

/** Holds what a `resolve` answered to the form of a write, so that a mistake shows where it was made. */
const parsed = (values: readonly unknown[], { name, type }: ComputedStep, count: number): unknown[] => {
  if (!Array.isArray(values) || values.length !== count) {
    throw new TypeError(`resolve of ${name} must answer ${count} values, one for each record`)
  }
  return values.map((value: unknown) => {
    try {
      return value === undefined ? undefined : type.parse(value)
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      throw new TypeError(`resolve of ${name} must answer ${error.expected}, came ${error.came}`)
    }
  })
}
