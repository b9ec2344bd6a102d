import type { AppIdMapper } from '../access/app-ids/app-ids.ts'
import type { Awaitable } from '../base/awaitable.ts'
import { GraphError, internalError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import type { FieldItem } from '../fields/expression.ts'
import type { ComputedStep, Plan, PlanStep, TypePlan, Window, WindowTemplate } from '../plan/plan.ts'
import type { FieldResolver } from '../schema/field.ts'
import type { NodeRecord } from '../store/contract.ts'
import { assertInTime, settleInTime } from '../store/settle-in-time.ts'
import { type BadValue, badValueError } from './bad-values.ts'
import { parseComputedValues } from './computed-values.ts'
import type { CursorContext } from './cursor.ts'
import { type Outcome, toOutcome } from './opening.ts'
import type { PassSizes } from './pass-size.ts'
import type { PolicyEvaluator } from './policy-evaluator.ts'
import type { Query } from './query.ts'
import type { ScanLimit } from './scan-limit.ts'
import type { TypeGroup } from './selection-rows.ts'
import { isVisible, visibilityMask } from './visibility.ts'
import { bindWindow } from './window.ts'

/** The inputs of one result other than the plan and the data. */
export type ExecutionContextInput = {
  readonly query: Pick<
    Query,
    | 'session'
    | 'now'
    | 'policyEvaluator'
    | 'idMapper'
    | 'cursorCipher'
    | 'app'
    | 'audience'
    | 'call'
    | 'hooks'
    | 'deadline'
    | 'debugMessages'
    | 'scanLimit'
    | 'engine'
    | 'reporter'
  >
  readonly defaultPicture: string | undefined
  /** Whether the result may become so large that it is formatted with pauses. */
  readonly isLargeResult: boolean
}

/**
 * The state of a validated call: its limits, policies and windows, and the computed fields that it waits for.
 */
export class ExecutionContext {
  readonly defaultPicture: string | undefined
  readonly isLargeResult: boolean
  /** Whether stored values are checked against the types of their fields. */
  readonly checksValues: boolean
  readonly #query: ExecutionContextInput['query']
  #boundWindows: Map<WindowTemplate, Outcome<Window>> | undefined
  #grantedSteps: Map<TypePlan, readonly PlanStep[]> | undefined
  #pendingFields: Promise<void>[] | undefined

  constructor({ query, defaultPicture, isLargeResult }: ExecutionContextInput) {
    this.defaultPicture = defaultPicture
    this.isLargeResult = isLargeResult
    this.checksValues = query.engine.checkValues !== 'off'
    this.#query = query
  }

  get now(): number {
    return this.#query.now
  }

  /** The limit on the edges that the call may examine in lists under a policy. */
  get scanLimit(): ScanLimit {
    return this.#query.scanLimit
  }

  get passSizes(): PassSizes {
    return this.#query.engine.passSizes
  }

  /** Maps the ids of the viewer's app; undefined if ids are the same for all apps. */
  get idMapper(): AppIdMapper | undefined {
    return this.#query.idMapper
  }

  get viewer(): NodeId | undefined {
    return this.#query.session.viewer
  }

  get policyEvaluator(): PolicyEvaluator {
    return this.#query.policyEvaluator
  }

  /** The parts of the call that cursors are encoded with. */
  get cursorContext(): CursorContext {
    return this.#query
  }

  /** Adds a message to `__debug__` if the call has `debug`. */
  addDebugMessage(message: string): void {
    if (this.#query.call.debug === 'all') this.#query.debugMessages.addWarning(message)
  }

  /** Reports a bad value of a field. @throws GraphError `internal_error` if `checkValues` is `error`. */
  reportBadValue(type: string, field: string, badValue: BadValue): void {
    const { reporter, engine } = this.#query
    reporter?.countBadValue(type, field)
    if (engine.checkValues === 'error') throw badValueError(type, field, badValue)
    this.addDebugMessage(`Field ${field} of ${type} is left out: its value is not valid`)
  }

  hasScope(scope: string | undefined): boolean {
    return scope === undefined || this.#query.session.scopes.includes(scope)
  }

  /**
   * Reports the length of the JSON text so far.
   *
   * @throws GraphError `aborted`, `timeout`; the error that `onLength` throws.
   */
  reportLength(length: number): void {
    const { call, deadline, hooks } = this.#query
    assertInTime({ signal: call.signal, deadline })
    hooks?.onLength(length)
  }

  /** Returns the steps of a plan that the session has the scopes for. */
  grantedStepsOf(plan: TypePlan): readonly PlanStep[] {
    if (!plan.hasScopedFields) return plan.steps
    this.#grantedSteps ??= new Map()
    const cachedSteps = this.#grantedSteps.get(plan)
    const steps = cachedSteps ?? plan.steps.filter(step => !('scope' in step) || this.hasScope(step.scope))
    this.#grantedSteps.set(plan, steps)
    return steps
  }

  /**
   * Parses the cursors and dates of an expression. An item of the expression may select edges of several
   * types, and its cursor may be valid for only one of them: the error for another edge is thrown only if
   * that edge is read.
   *
   * @throws GraphError `invalid_parameter` for a cursor or a date that is valid for no edge of its item.
   */
  bindWindows({ windowTemplates }: Plan, values: readonly string[]): void {
    if (windowTemplates.length === 0) return
    const errors = new Map<FieldItem, unknown>()
    for (const template of windowTemplates) {
      const boundWindow = toOutcome(() => bindWindow(template, values, this.#query))
      this.#boundWindows ??= new Map()
      this.#boundWindows.set(template, boundWindow)
      if ('error' in boundWindow && !errors.has(template.item)) errors.set(template.item, boundWindow.error)
    }
    for (const template of windowTemplates)
      if ('value' in this.#boundWindowOf(template)) errors.delete(template.item)
    for (const error of errors.values()) throw error
  }

  /**
   * Returns the window of an edge.
   *
   * @throws GraphError `invalid_parameter` for a cursor of another edge of its item.
   */
  windowOf(edge: { readonly window: Window | WindowTemplate }): Window {
    if (!('slots' in edge.window)) return edge.window
    const boundWindow = this.#boundWindowOf(edge.window)
    if ('error' in boundWindow) throw boundWindow.error
    return boundWindow.value
  }

  #boundWindowOf(template: WindowTemplate): Outcome<Window> {
    const boundWindow = this.#boundWindows?.get(template)
    if (boundWindow === undefined) throw new Error('A window was used before it was bound')
    return boundWindow
  }

  /** Returns the id of a node as the viewer's app knows it. */
  publicIdOf(id: NodeId, { appScoped }: { readonly appScoped: boolean }): string {
    return appScoped && this.idMapper !== undefined ? this.idMapper.toPublic(id) : id
  }

  /**
   * Returns the public ids of many nodes. All raw ids are read first, so that the loop of lookups waits only
   * for the maps.
   */
  publicIdsOf(records: readonly NodeRecord[]): readonly string[] {
    const rawIds = records.map(({ id }) => id)
    const { idMapper } = this
    return idMapper === undefined ? rawIds : rawIds.map(id => idMapper.toPublic(id))
  }

  /**
   * Returns the URL of a node. Without hooks it begins with '' or the version of the call, such as `/v1.0`.
   */
  nodeUrlOf(id: NodeId, type: { readonly appScoped: boolean }): string {
    const { call, hooks } = this.#query
    const base = hooks?.linkBase ?? (call.version === undefined ? '' : `/${call.version}`)
    return `${base}/${this.publicIdOf(id, type)}`
  }

  /**
   * Returns the path of an edge after the URL of its node. Without a `query` it is the path of the first
   * page.
   */
  edgePathOf(edge: string, query = ''): string {
    const linkQuery = this.#query.hooks?.linkQuery ?? ''
    if (query !== '') return `/${edge}?${linkQuery}${query}`
    return linkQuery === '' ? `/${edge}` : `/${edge}?${linkQuery.slice(0, -1)}`
  }

  /** Starts the computation of a field for a whole group. `waitForComputedFields` waits for its values. */
  startComputedField(group: TypeGroup, step: ComputedStep): void {
    const pendingField = this.#computeField(group, step)
    // `waitForComputedFields` throws the error later; without this, the rejection would be unhandled until
    // then.
    pendingField.catch(() => undefined)
    this.#pendingFields ??= []
    this.#pendingFields.push(pendingField)
  }

  /**
   * Waits for the computed fields, at most until the deadline or an abort. Returns undefined if nothing is
   * being computed.
   *
   * @throws GraphError `internal_error` with the error of a `resolve` as its cause; `aborted`, `timeout`.
   */
  waitForComputedFields(): Promise<unknown> | undefined {
    if (this.#pendingFields === undefined) return undefined
    const { call, deadline } = this.#query
    return settleInTime(Promise.all(this.#pendingFields), call.signal, deadline)
  }

  async #computeField(group: TypeGroup, step: ComputedStep): Promise<void> {
    const { session, call } = this.#query
    const context = { session, signal: call.signal, now: this.now, parameters: step.parameters }
    try {
      const resolve: (...args: Parameters<FieldResolver<unknown>>) => Awaitable<readonly unknown[]> =
        step.resolve
      const mask = visibilityMask(group, step)
      const records =
        mask === undefined ? group.records : group.records.filter((_, row) => isVisible(mask, row))
      const values =
        records.length === 0 ? [] : parseComputedValues(await resolve(records, context), step, records.length)
      let nextValueIndex = 0
      const valuesByRow = group.records.map((_, row) =>
        isVisible(mask, row) ? values[nextValueIndex++] : undefined,
      )
      group.cells[step.cellIndex] = { kind: 'values', values: valuesByRow }
    } catch (error) {
      throw error instanceof GraphError ? error : internalError(error)
    }
  }
}
