import { type IdsOfApp, isPublicId } from '../access/app-ids/app-ids.ts'
import { cannotJudge, UNKNOWN, type Verdict } from '../access/auth.ts'
import { assertProof } from '../access/proof.ts'
import type { Sealer } from '../access/sealer.ts'
import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { describe } from '../base/describe.ts'
import { GraphError, internalFault, isGraphError } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import { onceKnown } from '../base/once-known.ts'
import type { Session } from '../base/session.ts'
import type { ReadOptions, StoreReader, StoreSnapshot, Wave, WaveAnswer } from '../store/contract.ts'
import { NOTHING } from '../store/nothing.ts'
import { assertTimely, settle as settleInTime } from '../store/settle.ts'
import type { Call, Caller } from './call.ts'
import type { Engine } from './engine.ts'
import type { Host } from './host.ts'
import { Judge } from './judge.ts'
import { Messages } from './message.ts'
import type { Opened, Opening } from './opening.ts'
import type { ReadMethod } from './read-event.ts'
import { refusalOf } from './refusal.ts'
import { Reporter } from './reporter.ts'
import type { Walk } from './walk.ts'

/** One call from its token to its answer: reads waves, and keeps the order of faults. */
export class Query {
  readonly engine: Engine
  readonly call: Call
  /** Whoever serves the graph to others; undefined for a call of this process. */
  readonly host: Host | undefined
  readonly messages = new Messages()
  readonly now: number
  #session: Session | undefined
  readonly #token: string | undefined
  readonly #options: ReadOptions
  readonly #reporter: Reporter | undefined
  #judge: Judge | undefined
  #ids: IdsOfApp | undefined
  #reader: StoreReader

  /** @throws TypeError on a closed graph, and for a token that is neither text nor a session of this graph. */
  constructor(engine: Engine, method: ReadMethod, caller: Caller, call: Call, host?: Host) {
    engine.assertOpen()
    this.engine = engine
    this.call = call
    this.host = host
    this.now = engine.now()
    this.#reporter = engine.onRead && new Reporter(engine.onRead, method)
    this.#reader = engine.store
    const { signal, atLeast } = call
    const deadline = Math.min(Date.now() + engine.limits.deadline, host?.deadline ?? Number.POSITIVE_INFINITY)
    this.#options = { signal, deadline, atLeast }
    if (typeof caller === 'object' && caller !== null && engine.isSession(caller)) this.#session = caller
    else if (typeof caller === 'string' || caller === undefined || caller === null)
      this.#token = caller ?? undefined
    else
      throw new TypeError(
        `${method}: expected a token, or a session made by graph.session, came ${describe(caller)}`,
      )
  }

  /** Runs a body to its answer; whatever it throws leaves as a {@link GraphError}. */
  async run<TAnswer>(body: () => Promise<TAnswer>): Promise<TAnswer> {
    let fault: GraphError | undefined
    let snapshot: StoreSnapshot | undefined
    try {
      if (this.engine.consistency === 'snapshot') snapshot = await this.#takeSnapshot()
      if (snapshot !== undefined) this.#reader = snapshot
      return await body()
    } catch (error) {
      fault = isGraphError(error) ? error : internalFault(error)
      throw fault
    } finally {
      this.#reporter?.query(fault, this.#judge?.denials ?? [])
      if (snapshot !== undefined) await this.#letGo(snapshot)
    }
  }

  /** When the answer stops being of use: milliseconds since the epoch. */
  get deadline(): number | undefined {
    return this.#options.deadline
  }

  /** Decides what the viewer may see. */
  get judge(): Judge {
    this.#judge ??= new Judge(this.session, (rule, error) => this.#reporter?.rule(rule, error))
    return this.#judge
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

  /**
   * The id that the store knows for one that was asked, or for `me`. Undefined for an app-scoped one that stands for
   * nothing.
   *
   * @throws GraphError `viewer_missing`.
   */
  resolve(id: string): NodeId | undefined {
    if (id !== 'me') return isPublicId(id) ? this.ids?.toRaw(id) : id
    const { viewer } = this.session
    if (viewer !== undefined) return viewer
    throw new GraphError('viewer_missing', 'This token stands for no person or page, so that there is no me')
  }

  /**
   * Reads the token, and with it the roots where they do not depend on it. Faults come in their order: token, proof,
   * what the text decides.
   */
  open<TPrepared>(opening: Opening<TPrepared>): Awaitable<Opened<TPrepared>> {
    const keys = this.#tokenKeys()
    const text = settle(() => opening.prepare())
    const together = 'value' in text && (!opening.waits || this.#session !== undefined)
    const roots = together ? settle(() => opening.wave(text.value)) : { value: NOTHING }
    const { nodes, ranges, tests } = 'value' in roots ? roots.value : NOTHING
    const wave = { nodes, ranges, tests, tokens: keys }
    return onceKnown(isEmpty(wave) ? EMPTY : this.#read(wave), first =>
      onceKnown(this.#authenticate(first.tokens), () => {
        if ('fault' in text) throw text.fault
        if ('fault' in roots) throw roots.fault
        const prepared = text.value
        if (together) return { prepared, answer: first }
        return onceKnown(this.#read(opening.wave(prepared)), answer => ({ prepared, answer }))
      }),
    )
  }

  /** Leads a walk to its end: each thing it asks is one read of the store. Nothing is promised that no store promised. */
  lead<TResult>(walk: Walk<TResult>): Awaitable<TResult> {
    let step = walk.next()
    while (!step.done) {
      const answer = this.#read(step.value)
      if (isPromiseLike(answer)) return this.#leadOn(walk, answer)
      step = walk.next(answer)
    }
    return step.value
  }

  /** The same, always as a promise. */
  async drive<TResult>(walk: Walk<TResult>): Promise<TResult> {
    return this.lead(walk)
  }

  async #leadOn<TResult>(walk: Walk<TResult>, first: PromiseLike<WaveAnswer>): Promise<TResult> {
    let step = walk.next(await first)
    while (!step.done) step = walk.next(await this.#read(step.value))
    return step.value
  }

  /** A snapshot that comes when nobody waits for it any more is closed at once. */
  async #takeSnapshot(): Promise<StoreSnapshot> {
    this.#tokenKeys()
    assertTimely(this.#options)
    const taken = this.engine.store.snapshot()
    if (!isPromiseLike(taken)) return taken
    try {
      return await settleInTime(taken, this.#options.signal, this.#options.deadline)
    } catch (fault) {
      taken.then(late => late.close()).then(undefined, () => undefined)
      throw fault
    }
  }

  /** What a query was answered does not hang on how its snapshot closes. */
  async #letGo(snapshot: StoreSnapshot): Promise<void> {
    try {
      const closing = snapshot.close()
      if (isPromiseLike(closing)) await settleInTime(closing, undefined, this.#options.deadline)
    } catch {}
  }

  #tokenKeys(): readonly string[] {
    if (this.#session !== undefined) return []
    if (this.#token === undefined || this.#token === '') {
      throw new GraphError('token_missing', '(#104) An access token is required for every call')
    }
    return this.engine.auth.keysOf(this.#token)
  }

  #authenticate(records: WaveAnswer['tokens']): Awaitable<void> {
    const token = this.#token
    if (token !== undefined)
      return onceKnown(this.#verdictOn(token, records), verdict => this.#letIn(token, verdict))
  }

  #letIn(token: string, verdict: Verdict): void {
    const { appSecrets, requireProof } = this.engine
    if ('refused' in verdict) throw refusalOf(verdict.refused)
    assertProof(token, verdict.session.app, this.call.proof, appSecrets, requireProof)
    this.#session = verdict.session
    this.host?.meet(verdict.session)
  }

  #verdictOn(token: string, records: WaveAnswer['tokens']): Awaitable<Verdict> {
    const { signal, deadline } = this.#options
    try {
      const verdict = this.engine.auth.authenticate(token, records, signal)
      if (!isPromiseLike(verdict)) return verdict ?? UNKNOWN
      const judged = settleInTime(verdict.then(undefined, cannotJudge), signal, deadline)
      return judged.then(known => known ?? UNKNOWN, cannotJudge)
    } catch (error) {
      return cannotJudge(error)
    }
  }

  #read(wave: Wave): ReturnType<StoreReader['read']> {
    if (this.#reporter === undefined) return this.#reader.read(wave, this.#options)
    return this.#reporter.read(this.#reader, wave, this.#options)
  }
}

type Settled<TValue> = { readonly value: TValue } | { readonly fault: unknown }

const settle = <TValue>(make: () => TValue): Settled<TValue> => {
  try {
    return { value: make() }
  } catch (fault) {
    return { fault }
  }
}

const EMPTY: WaveAnswer = Object.freeze({ nodes: [], ranges: [], tests: [], tokens: [] })

const isEmpty = ({ nodes, ranges, tests, tokens }: Wave): boolean =>
  nodes.length + ranges.length + tests.length + tokens.length === 0
