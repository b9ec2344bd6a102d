import type { IdsOfApp } from '../access/app-ids/app-ids.ts'
import type { Awaitable } from '../base/awaitable.ts'
import { GraphError, internalFault } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import type { FieldItem } from '../fields/expression.ts'
import type { BoundWindow, ComputedStep, Plan, Step, TypePlan, Window } from '../plan/plan.ts'
import type { Resolve } from '../schema/field.ts'
import { Mismatch } from '../schema/field-type.ts'
import type { NodeRecord } from '../store/contract.ts'
import { assertTimely, settle } from '../store/settle.ts'
import { BadValue, badValueError } from './bad-values.ts'
import type { CursorKeys } from './cursor.ts'
import type { Group } from './gathered.ts'
import type { Judge } from './judge.ts'
import { type Outcome, outcomeOf } from './opening.ts'
import type { PassSizes } from './pass-size.ts'
import type { Query } from './query.ts'
import type { ScanLimit } from './scan-limit.ts'
import { isOpen, opennessOf } from './sift.ts'
import { bindWindow } from './window.ts'

/** What one answer depends on beside the plan and the data. */
export type ContextInput = {
  readonly query: Pick<
    Query,
    | 'session'
    | 'now'
    | 'judge'
    | 'ids'
    | 'sealer'
    | 'app'
    | 'holder'
    | 'call'
    | 'host'
    | 'deadline'
    | 'messages'
    | 'scan'
    | 'engine'
    | 'reporter'
  >
  readonly silhouette: string | undefined
  /** Whether the answer may become so large that it is made with pauses. */
  readonly isLarge: boolean
}

/** What is known throughout one answer, and what is computed on the way. */
export class Context {
  readonly silhouette: string | undefined
  readonly isLarge: boolean
  /** Whether stored values are checked against the types of their fields. */
  readonly checksValues: boolean
  readonly #query: ContextInput['query']
  #windows: Map<BoundWindow, Outcome<Window>> | undefined
  #steps: Map<TypePlan, readonly Step[]> | undefined
  #pending: Promise<void>[] | undefined

  constructor({ query, silhouette, isLarge }: ContextInput) {
    this.silhouette = silhouette
    this.isLarge = isLarge
    this.checksValues = query.engine.checkValues !== 'off'
    this.#query = query
  }

  get now(): number {
    return this.#query.now
  }

  /** What the call may examine of lists under a policy. */
  get scan(): ScanLimit {
    return this.#query.scan
  }

  get passSizes(): PassSizes {
    return this.#query.engine.passSizes
  }

  /** The ids of the viewer's app; undefined where they are the same for all. */
  get ids(): IdsOfApp | undefined {
    return this.#query.ids
  }

  get viewer(): NodeId | undefined {
    return this.#query.session.viewer
  }

  get judge(): Judge {
    return this.#query.judge
  }

  /** What cursors are written with. */
  get keys(): CursorKeys {
    return this.#query
  }

  /** Tells something of the answer to those who debug. */
  remark(message: string): void {
    if (this.#query.call.debug === 'all') this.#query.messages.warn(message)
  }

  /** Reports a bad value in the place of a field. @throws GraphError `internal` if the graph does not tolerate it. */
  leaveOut(type: string, field: string, bad: BadValue): void {
    const { reporter, engine } = this.#query
    reporter?.badValue(type, field)
    if (engine.checkValues === 'error') throw badValueError(type, field, bad)
    this.remark(`Field ${field} of ${type} is left out: its value is not valid`)
  }

  grants(scope: string | undefined): boolean {
    return scope === undefined || this.#query.session.scopes.includes(scope)
  }

  /** Told how long the text of the answer has become. @throws GraphError `aborted`, `deadline`; what the host throws. */
  wrote(length: number): void {
    const { call, deadline, host } = this.#query
    assertTimely({ signal: call.signal, deadline })
    host?.wrote(length)
  }

  /** The steps of a plan without those that the session has no scope for. */
  stepsOf(plan: TypePlan): readonly Step[] {
    if (!plan.scoped) return plan.steps
    this.#steps ??= new Map()
    const known = this.#steps.get(plan)
    const steps = known ?? plan.steps.filter(step => !('scope' in step) || this.grants(step.scope))
    this.#steps.set(plan, steps)
    return steps
  }

  /**
   * Reads the cursors and dates of an expression. An item that is asked at several places may have a cursor of one of them:
   * at the others it is a fault only where they are read.
   *
   * @throws GraphError `bad_parameter` for a cursor or a date that fits no place of its item.
   */
  bind({ windows }: Plan, values: readonly string[]): void {
    if (windows.length === 0) return
    const faults = new Map<FieldItem, unknown>()
    for (const window of windows) {
      const bound = outcomeOf(() => bindWindow(window, values, this.#query))
      this.#windows ??= new Map()
      this.#windows.set(window, bound)
      if ('fault' in bound && !faults.has(window.item)) faults.set(window.item, bound.fault)
    }
    for (const window of windows) if ('value' in this.#bound(window)) faults.delete(window.item)
    for (const fault of faults.values()) throw fault
  }

  /** @throws GraphError `bad_parameter` for a cursor of another place of its item. */
  windowOf(edge: { readonly window: Window | BoundWindow }): Window {
    if (!('slots' in edge.window)) return edge.window
    const bound = this.#bound(edge.window)
    if ('fault' in bound) throw bound.fault
    return bound.value
  }

  #bound(window: BoundWindow): Outcome<Window> {
    const bound = this.#windows?.get(window)
    if (bound === undefined) throw new Error('A window was used before it was bound')
    return bound
  }

  /** The id of a node as the viewer's app knows it. */
  idOf(id: NodeId, { appScoped }: { readonly appScoped: boolean }): string {
    return appScoped && this.ids !== undefined ? this.ids.toPublic(id) : id
  }

  /** The same for many nodes of types with app-scoped ids. Their raw ids are read first, so that looking up waits for maps alone. */
  scopedIdsOf(records: readonly NodeRecord[]): readonly string[] {
    const raw = records.map(({ id }) => id)
    const { ids } = this
    return ids === undefined ? raw : raw.map(id => ids.toPublic(id))
  }

  /** Where a node is read: below '' or a version, as in `/v1.0`, unless a host says otherwise. */
  urlOf(id: NodeId, type: { readonly appScoped: boolean }): string {
    const { call, host } = this.#query
    const base = host?.linkBase ?? (call.version === undefined ? '' : `/${call.version}`)
    return `${base}/${this.idOf(id, type)}`
  }

  /** Where an edge is read, behind the URL of its node; without a `query`, its first page by default. */
  pathOf(edge: string, query = ''): string {
    const lent = this.#query.host?.linkQuery ?? ''
    if (query !== '') return `/${edge}?${lent}${query}`
    return lent === '' ? `/${edge}` : `/${edge}?${lent.slice(0, -1)}`
  }

  /** Starts a computed field for a whole group; its values are there once `computed` has ended. */
  compute(group: Group, step: ComputedStep): void {
    const pending = this.#values(group, step)
    // A fault that comes while the store is still being read is met by `computed`, not by nobody.
    pending.catch(() => undefined)
    this.#pending ??= []
    this.#pending.push(pending)
  }

  /**
   * Waits for what is being computed, though not past the signal or the deadline; undefined where nothing is.
   *
   * @throws GraphError `internal` with what a `resolve` threw as its cause; `aborted`, `deadline`.
   */
  computed(): Promise<unknown> | undefined {
    if (this.#pending === undefined) return undefined
    const { call, deadline } = this.#query
    return settle(Promise.all(this.#pending), call.signal, deadline)
  }

  async #values(group: Group, step: ComputedStep): Promise<void> {
    const { session, call } = this.#query
    const context = { session, signal: call.signal, now: this.now, parameters: step.parameters }
    try {
      const resolve: (...args: Parameters<Resolve<unknown>>) => Awaitable<readonly unknown[]> = step.resolve
      const open = opennessOf(group, step)
      const records = open === undefined ? group.records : group.records.filter((_, row) => isOpen(open, row))
      const values = records.length === 0 ? [] : parsed(await resolve(records, context), step, records.length)
      let next = 0
      const byRow = group.records.map((_, row) => (isOpen(open, row) ? values[next++] : undefined))
      group.cells[step.cell] = { kind: 'values', values: byRow }
    } catch (error) {
      throw error instanceof GraphError ? error : internalFault(error)
    }
  }
}

const parsedValue = ({ type }: ComputedStep, value: unknown): unknown => {
  if (value === undefined) return undefined
  if (value instanceof Error) return new BadValue('a value', value)
  try {
    return type.parse(value)
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    return new BadValue(error.expected, value)
  }
}

/** Holds each value that a `resolve` returned to the form of a write. */
const parsed = (values: readonly unknown[], step: ComputedStep, count: number): unknown[] => {
  if (!Array.isArray(values) || values.length !== count) {
    throw new TypeError(`resolve of ${step.name} must answer ${count} values, one for each record`)
  }
  return Array.from(values, value => parsedValue(step, value))
}
