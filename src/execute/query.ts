import { type IdsOfApp, isPublicId } from '../access/app-ids/app-ids.ts'
import { cannotJudge, UNKNOWN, type Verdict } from '../access/auth.ts'
import { assertProof } from '../access/proof.ts'
import type { Sealer } from '../access/sealer.ts'
import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { describe } from '../base/describe.ts'
import { GraphError } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { WaveAnswer } from '../store/contract.ts'
import { isNothing, NOTHING } from '../store/nothing.ts'
import { settle } from '../store/settle.ts'
import type { Call, Caller } from './call.ts'
import { CallReader } from './call-reader.ts'
import { type Course, type CourseStep, EMPTY, settled } from './course.ts'
import type { Engine } from './engine.ts'
import type { Host } from './host.ts'
import { Judge } from './judge.ts'
import { Messages } from './message.ts'
import { type Opened, type Opening, outcomeOf } from './opening.ts'
import type { ReadMethod } from './read-event.ts'
import { failureOf, refusalOf } from './refusal.ts'
import { Reporter } from './reporter.ts'
import { ScanLimit } from './scan-limit.ts'
import { FREE_EDGES, PROCESS_SLOTS, type Slot } from './scan-slots.ts'
import { PAUSE } from './walk.ts'

/** One call from its token to its answer: reads waves, and keeps the order of faults. */
export class Query {
  readonly engine: Engine
  readonly call: Call
  /** Whoever serves the graph to others; undefined for a call of this process. */
  readonly host: Host | undefined
  readonly messages = new Messages()
  #now: number | undefined
  #session: Session | undefined
  readonly #token: string | undefined
  readonly reporter: Reporter | undefined
  readonly #reader: CallReader
  #judge: Judge | undefined
  #scan: ScanLimit | undefined
  #slot: Slot | undefined
  #ids: IdsOfApp | undefined

  /** @throws TypeError on a closed graph, and for a token that is neither text nor a session of this graph. */
  constructor(engine: Engine, method: ReadMethod, caller: Caller, call: Call, host?: Host) {
    engine.assertOpen()
    this.engine = engine
    // What its caller does with it while this call runs must not change the answer.
    this.call = { ...call }
    this.host = host
    this.reporter = engine.onRead && new Reporter(engine.onRead, method)
    const deadline = Math.min(Date.now() + engine.limits.deadline, host?.deadline ?? Number.POSITIVE_INFINITY)
    const options = { signal: call.signal, deadline, atLeast: call.atLeast }
    this.#reader = new CallReader(engine, options, this.reporter)
    if (typeof caller === 'object' && caller !== null && engine.isSession(caller)) this.#session = caller
    else if (typeof caller === 'string' || caller === undefined || caller === null)
      this.#token = caller ?? undefined
    else
      throw new TypeError(
        `${method}: expected a token, or a session made by graph.session, came ${describe(caller)}`,
      )
  }

  /**
   * Leads a call to its end, and makes its answer of what was read: promised only where something was. Whatever is thrown
   * leaves as a {@link GraphError}.
   */
  run<TRead, TAnswer>(course: Course<TRead>, answerOf: (read: TRead) => TAnswer): Awaitable<TAnswer> {
    try {
      const read = this.engine.consistency === 'snapshot' ? this.#onSnapshot(course) : this.#lead(course)
      return isPromiseLike(read) ? this.#runOn(read, answerOf) : this.#answered(answerOf(read))
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** Milliseconds since the epoch: the same throughout the call. */
  get now(): number {
    this.#now ??= this.engine.now()
    return this.#now
  }

  /** When the answer stops being of use: milliseconds since the epoch. */
  get deadline(): number | undefined {
    return this.#reader.options.deadline
  }

  /** Decides what the viewer may see. */
  get judge(): Judge {
    this.#judge ??= new Judge(this.session, this.engine.registry, this.reporter)
    return this.#judge
  }

  /** What the call may examine of lists under a policy: drawn when it is first needed. */
  get scan(): ScanLimit {
    this.#scan ??= new ScanLimit(this.engine.limits.scan, this.engine.drawUniform)
    return this.#scan
  }

  /** The ids as the viewer's app knows them; undefined where they are the same for all. */
  get ids(): IdsOfApp | undefined {
    this.#ids ??= this.engine.appIds?.forApp(this.session.app)
    return this.#ids
  }

  get app(): string {
    return this.session.app
  }

  get holder(): string {
    return `${this.session.viewer ?? ''} ${this.app}`
  }

  get sealer(): Sealer {
    return this.engine.sealer
  }

  get session(): Session {
    if (this.#session === undefined) throw new Error('The session was asked for before it was known')
    return this.#session
  }

  /** The id that the store knows for one that was asked; undefined for `me` without a viewer, and a scoped id of nothing. */
  resolve(id: string): NodeId | undefined {
    if (id === 'me') return this.session.viewer
    return isPublicId(id) ? this.ids?.toRaw(id) : id
  }

  /**
   * Reads the token, and with it the roots where they do not depend on it. Faults come in their order: token, proof,
   * what the text decides.
   */
  *open<TPrepared>(opening: Opening<TPrepared>): Course<Opened<TPrepared>> {
    const keys = this.#tokenKeys()
    const together = !opening.waits || this.#session !== undefined
    const asking = together ? outcomeOf(() => opening.ask()) : undefined
    const { nodes, ranges, tests } = asking !== undefined && 'value' in asking ? asking.value.wave : NOTHING
    const wave = { nodes, ranges, tests, tokens: keys }
    const first = isNothing(wave) ? EMPTY : yield wave
    if (this.#token !== undefined) {
      const verdict = this.#verdictOn(this.#token, first.tokens)
      this.#letIn(this.#token, isPromiseLike(verdict) ? yield* settled(verdict) : verdict)
    }
    if (asking === undefined) {
      const { prepared, wave } = opening.ask()
      return { prepared, answer: isNothing(wave) ? EMPTY : yield wave }
    }
    if ('fault' in asking) throw asking.fault
    return { prepared: asking.value.prepared, answer: first }
  }

  /** Each thing that a call asks for is one read of the store. */
  #lead<TResult>(course: Course<TResult>): Awaitable<TResult> {
    let step = course.next()
    while (!step.done) {
      const answer = this.#come(step.value)
      if (isPromiseLike(answer)) return this.#leadOn(course, answer)
      step = course.next(answer)
    }
    return step.value
  }

  async #leadOn<TResult>(course: Course<TResult>, first: PromiseLike<WaveAnswer>): Promise<TResult> {
    let step = course.next(await first)
    while (!step.done) step = course.next(await this.#come(step.value))
    return step.value
  }

  #onSnapshot<TResult>(course: Course<TResult>): Promise<TResult> {
    // Without a token no snapshot is taken.
    this.#tokenKeys()
    return this.#reader.onSnapshot(() => this.#lead(course))
  }

  async #runOn<TRead, TAnswer>(
    pending: PromiseLike<TRead>,
    answerOf: (read: TRead) => TAnswer,
  ): Promise<TAnswer> {
    try {
      return this.#answered(answerOf(await pending))
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #answered<TAnswer>(answer: TAnswer): TAnswer {
    this.#end(undefined)
    return answer
  }

  #failed(error: unknown): GraphError {
    const fault = this.engine.masking.fault(failureOf(error, this, this.#session), this.#token)
    this.#end(fault)
    return fault
  }

  #tokenKeys(): readonly string[] {
    if (this.#session !== undefined) return []
    if (this.#token === undefined || this.#token === '') {
      throw new GraphError('token_missing', '(#104) An access token is required to request this resource')
    }
    return this.engine.auth.keysOf(this.#token)
  }

  #letIn(token: string, verdict: Verdict): void {
    if ('refused' in verdict) throw refusalOf(verdict.refused)
    const { appSecrets, requireProof } = this.engine
    assertProof(token, verdict.session.app, this.call.proof, appSecrets, requireProof)
    this.#session = verdict.session
    this.host?.meet(verdict.session)
  }

  #verdictOn(token: string, records: WaveAnswer['tokens']): Awaitable<Verdict> {
    const { signal, deadline } = this.#reader.options
    try {
      const verdict = this.engine.auth.authenticate(token, records, signal)
      if (!isPromiseLike(verdict)) return verdict ?? UNKNOWN
      const judged = settle(verdict.then(undefined, cannotJudge), signal, deadline)
      return judged.then(known => known ?? UNKNOWN, cannotJudge)
    } catch (error) {
      return cannotJudge(error)
    }
  }

  #come(asked: CourseStep): Awaitable<WaveAnswer> {
    if ('until' in asked) {
      // What is waited for may be another call of the viewer, which needs the slot.
      this.#slot?.release()
      this.#slot = undefined
      return asked.until
    }
    if (asked === PAUSE) return this.#reader.pause()
    const isFree = this.#slot !== undefined || (this.#scan?.examined ?? 0) <= FREE_EDGES
    return isFree ? this.#reader.read(asked) : this.#takeSlot().then(() => this.#reader.read(asked))
  }

  /** The wait counts towards the deadline. */
  async #takeSlot(): Promise<void> {
    const { signal, deadline } = this.#reader.options
    this.#slot = await PROCESS_SLOTS.take(this.holder, slot => settle(slot, signal, deadline))
  }

  #end(fault: GraphError | undefined): void {
    this.#slot?.release()
    this.reporter?.query(fault, this.#judge?.denials ?? [], this.#scan?.byEdge ?? [])
  }
}
