import { type AppIdMapper, isPublicId } from '../access/app-ids/app-ids.ts'
import type { AuthResult } from '../access/auth.ts'
import type { CursorCipher } from '../access/cursor-cipher.ts'
import { assertProof } from '../access/proof.ts'
import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type { GraphError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { StoreReadResult } from '../store/contract.ts'
import { EMPTY_REQUEST, isEmptyRequest } from '../store/requests.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import type { Call, Caller } from './call.ts'
import { authError, toCallError } from './call-error.ts'
import type { CallHooks } from './call-hooks.ts'
import { CallReader } from './call-reader.ts'
import { authenticateToken, digestsOfToken, parseCaller } from './call-token.ts'
import { type Course, type CourseStep, EMPTY_READ_RESULT, waitFor } from './course.ts'
import { DebugMessages } from './debug-messages.ts'
import type { Engine } from './engine.ts'
import { EventReporter } from './event-reporter.ts'
import type { ReadMethod } from './graph-event.ts'
import { type Opened, type Opening, toOutcome } from './opening.ts'
import { PolicyEvaluator } from './policy-evaluator.ts'
import { PAUSE_REQUEST } from './read-task.ts'
import { ScanLimit } from './scan-limit.ts'
import { MAX_EDGES_WITHOUT_SLOT, PROCESS_SLOTS, type ScanSlot } from './scan-slots.ts'

/** One call from its token to its result. It runs the reads, and decides which error takes precedence. */
export class Query {
  readonly engine: Engine
  readonly call: Call
  /** The hooks of a handler; undefined for a call in-process. */
  readonly hooks: CallHooks | undefined
  readonly debugMessages = new DebugMessages()
  #now: number | undefined
  #session: Session | undefined
  readonly #token: string | undefined
  readonly reporter: EventReporter | undefined
  readonly #reader: CallReader
  #policyEvaluator: PolicyEvaluator | undefined
  #scanLimit: ScanLimit | undefined
  #scanSlot: ScanSlot | undefined
  #idMapper: AppIdMapper | undefined

  /**
   * @throws TypeError on a closed graph, and for a token that is neither text nor a session of this graph.
   */
  constructor(engine: Engine, method: ReadMethod, caller: Caller, call: Call, hooks?: CallHooks) {
    engine.assertOpen(method)
    this.engine = engine
    // A copy, because the caller may change its object during the call.
    this.call = { ...call }
    this.hooks = hooks
    this.reporter = engine.onEvent && new EventReporter(engine.onEvent, method)
    const deadline = Math.min(
      Date.now() + engine.limits.timeoutMs,
      hooks?.deadline ?? Number.POSITIVE_INFINITY,
    )
    const options = { signal: call.signal, deadline, minRevision: call.minRevision }
    this.#reader = new CallReader(engine, options, this.reporter)
    const { session, token } = parseCaller(engine, method, caller)
    this.#session = session
    this.#token = token
  }

  /**
   * Runs a call and returns its result, as a promise only if a step returns one. Every error is thrown as a
   * {@link GraphError}.
   */
  run<TRead, TResult>(course: Course<TRead>, toResult: (readResult: TRead) => TResult): Awaitable<TResult> {
    try {
      const read =
        this.engine.consistency === 'snapshot' ? this.#runOnSnapshot(course) : this.#runSteps(course)
      return isPromiseLike(read) ? this.#runAsync(read, toResult) : this.#finishWithResult(toResult(read))
    } catch (error) {
      throw this.#finishWithError(error)
    }
  }

  /** Milliseconds since the epoch: the same throughout the call. */
  get now(): number {
    this.#now ??= this.engine.now()
    return this.#now
  }

  /** The time at which the call ends: milliseconds since the epoch. */
  get deadline(): number | undefined {
    return this.#reader.options.deadline
  }

  /** Decides what the viewer may see. */
  get policyEvaluator(): PolicyEvaluator {
    this.#policyEvaluator ??= new PolicyEvaluator(this.session, this.engine.registry, this.reporter)
    return this.#policyEvaluator
  }

  /** The limit on the edges that the call may examine. It is drawn when it is first needed. */
  get scanLimit(): ScanLimit {
    this.#scanLimit ??= new ScanLimit(this.engine.limits.scan, this.engine.drawUniform)
    return this.#scanLimit
  }

  /** Maps the ids of the viewer's app; undefined if ids are the same for all apps. */
  get idMapper(): AppIdMapper | undefined {
    this.#idMapper ??= this.engine.appIds?.forApp(this.session.app)
    return this.#idMapper
  }

  get app(): string {
    return this.session.app
  }

  get audience(): string {
    return `${this.session.viewer ?? ''} ${this.session.app}`
  }

  get cursorCipher(): CursorCipher {
    return this.engine.cursorCipher
  }

  get session(): Session {
    if (this.#session === undefined) throw new Error('The session was read before authentication')
    return this.#session
  }

  /**
   * Returns the stored id of a requested one; undefined for `me` without a viewer, and for an app-scoped id
   * of no node.
   */
  resolveId(id: string): NodeId | undefined {
    if (id === 'me') return this.session.viewer
    return isPublicId(id) ? this.idMapper?.toRaw(id) : id
  }

  /**
   * Reads the token, and together with it the roots if they do not depend on it. The errors take precedence
   * in this order: token, proof of possession, validation of the options.
   */
  *open<TPrepared>(opening: Opening<TPrepared>): Course<Opened<TPrepared>> {
    const tokenDigests = this.#requireTokenDigests()
    const readsRoots = !opening.needsSession || this.#session !== undefined
    const preparedRead = readsRoots ? toOutcome(() => opening.prepare()) : undefined
    const { nodes, ranges, checks } =
      preparedRead !== undefined && 'value' in preparedRead ? preparedRead.value.request : EMPTY_REQUEST
    const request = { nodes, ranges, checks, tokens: tokenDigests }
    const firstResult = isEmptyRequest(request) ? EMPTY_READ_RESULT : yield request
    if (this.#token !== undefined) {
      const { auth } = this.engine
      const authResult = authenticateToken(auth, this.#token, firstResult.tokens, this.#reader.options)
      this.#startSession(this.#token, isPromiseLike(authResult) ? yield* waitFor(authResult) : authResult)
    }
    if (preparedRead === undefined) {
      const { prepared, request } = opening.prepare()
      return { prepared, result: isEmptyRequest(request) ? EMPTY_READ_RESULT : yield request }
    }
    if ('error' in preparedRead) throw preparedRead.error
    return { prepared: preparedRead.value.prepared, result: firstResult }
  }

  /** Runs the steps of a call until one returns a promise. Each step is at most one read of the store. */
  #runSteps<TResult>(course: Course<TResult>): Awaitable<TResult> {
    let step = course.next()
    while (!step.done) {
      const result = this.#performStep(step.value)
      if (isPromiseLike(result)) return this.#runStepsAsync(course, result)
      step = course.next(result)
    }
    return step.value
  }

  async #runStepsAsync<TResult>(
    course: Course<TResult>,
    firstResult: PromiseLike<StoreReadResult>,
  ): Promise<TResult> {
    let step = course.next(await firstResult)
    while (!step.done) step = course.next(await this.#performStep(step.value))
    return step.value
  }

  #runOnSnapshot<TResult>(course: Course<TResult>): Promise<TResult> {
    // Throws if there is no token, before a snapshot is taken.
    this.#requireTokenDigests()
    return this.#reader.runOnSnapshot(() => this.#runSteps(course))
  }

  async #runAsync<TRead, TResult>(
    pendingRead: PromiseLike<TRead>,
    toResult: (read: TRead) => TResult,
  ): Promise<TResult> {
    try {
      return this.#finishWithResult(toResult(await pendingRead))
    } catch (error) {
      throw this.#finishWithError(error)
    }
  }

  #finishWithResult<TResult>(result: TResult): TResult {
    this.#finish(undefined)
    return result
  }

  #finishWithError(error: unknown): GraphError {
    const maskedError = this.engine.masking.maskError(toCallError(error, this, this.#session), this.#token)
    this.#finish(maskedError)
    return maskedError
  }

  #requireTokenDigests(): readonly string[] {
    return this.#session === undefined ? digestsOfToken(this.engine, this.#token) : []
  }

  #startSession(token: string, authResult: AuthResult): void {
    if ('failure' in authResult) throw authError(authResult.failure)
    const { appSecrets, requireProof } = this.engine
    assertProof(token, authResult.session.app, this.call.proof, appSecrets, requireProof)
    this.#session = authResult.session
    this.hooks?.onSession(authResult.session)
  }

  #performStep(step: CourseStep): Awaitable<StoreReadResult> {
    if ('until' in step) {
      // The promise may be of another call of the same viewer, which needs the slot.
      this.#scanSlot?.release()
      this.#scanSlot = undefined
      return step.until
    }
    if (step === PAUSE_REQUEST) return this.#reader.pause()
    const needsNoSlot =
      this.#scanSlot !== undefined || (this.#scanLimit?.examinedCount ?? 0) <= MAX_EDGES_WITHOUT_SLOT
    return needsNoSlot ? this.#reader.read(step) : this.#takeScanSlot().then(() => this.#reader.read(step))
  }

  /** Waits for a slot, at most until the deadline of the call. */
  async #takeScanSlot(): Promise<void> {
    const { signal, deadline } = this.#reader.options
    this.#scanSlot = await PROCESS_SLOTS.take(this.audience, pendingSlot =>
      settleInTime(pendingSlot, signal, deadline),
    )
  }

  #finish(error: GraphError | undefined): void {
    this.#scanSlot?.release()
    this.reporter?.reportQuery(
      error,
      this.#policyEvaluator?.denials ?? [],
      this.#scanLimit?.examinedByEdge ?? [],
    )
  }
}
