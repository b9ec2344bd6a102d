import { LazyAppIdMapper } from '../access/app-ids/app-ids.ts'
import { describeValue } from '../base/describe.ts'
import { bypassesPolicies, type Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
import type { ReadTask } from '../core/batching.ts'
import { DebugMessages } from '../core/debug-messages.ts'
import { EventReporter, type GraphEvent, type ReadMethod } from '../core/events.ts'
import { ReadGuard } from '../core/read-guard.ts'
import type { Formatter, ResultForms } from '../format/formatter.ts'
import { BypassingEvaluator } from '../policy/bypassing-evaluator.ts'
import { PolicyEvaluator } from '../policy/policy-evaluator.ts'
import type { ExecutionContext } from '../read/context.ts'
import { ScanLimit } from '../read/scan-limit.ts'
import { isReadOnly } from '../store/capabilities.ts'
import type { StoreReadOptions, StoreReadRequest, StoreReadResult } from '../store/contract.ts'
import { toStoreSession } from '../store/store-session.ts'
import type { Call, Caller, CallHooks } from './call-hooks.ts'
import type { Engine } from './engine.ts'

/**
 * The data of one call that is known from the start. `input` contains the ids, names and page options of the
 * read.
 */
export type Query<TInput = unknown> = {
  readonly engine: Engine
  readonly call: Call
  readonly input: TInput
  /** The hooks of a handler, or `undefined` for an in-process call. */
  readonly hooks: CallHooks | undefined
  /** The text of the token, or `undefined` if the caller passed a session or no token. */
  readonly token: string | undefined
  /** The session that the caller passed instead of a token. */
  readonly session: Session | undefined
  /** The options of the call's store reads. They get the session when it is known, if the store reads by session. */
  readOptions: StoreReadOptions
  readonly debugMessages: DebugMessages
  readonly reporter: EventReporter | undefined
  readonly scanLimit: ScanLimit
  /** Undefined until the session is known. */
  context: QueryContext<TInput> | undefined
}

/** The data of one call with a valid token. */
export type QueryContext<TInput = unknown> = ExecutionContext & {
  readonly query: Query<TInput>
  /** The type of the viewer's node when the token was issued, or `undefined` if no record contains it. */
  readonly viewerType: string | undefined
}

/** One kind of read. `runQuery` runs its steps in this order. */
export type ReadOperation<TInput, TPrepared, TRead> = {
  /** Validates everything that depends neither on the session nor on the data. */
  prepare(query: Query<TInput>): TPrepared
  /**
   * Validates the call before its roots are read, if the session and the types of the roots are known. Called only
   * for stores that read ahead.
   */
  validateRoots?(context: QueryContext<TInput>, prepared: TPrepared): ReadTask<void>
  /**
   * Returns the request for the roots. Returns `undefined` if the request needs the session and the query has
   * no context yet. In this case, the function is called again when the query has a context.
   */
  rootRequest(query: Query<TInput>, prepared: TPrepared): StoreReadRequest | undefined
  /** Validates the call with its roots, and reads the rest. */
  read(context: QueryContext<TInput>, prepared: TPrepared, roots: StoreReadResult): ReadTask<TRead>
}

/** A read whose result is formatted, in one of the forms of a formatter. */
export type FormattedRead<TInput, TPrepared, TRead, TForm extends keyof ResultForms> = ReadOperation<
  TInput,
  TPrepared,
  TRead
> & {
  /** The form of the result, for the type checker. No code reads it. */
  readonly form: TForm
  /** Returns the formatted result, or the task that formats it with pauses. */
  format<TForms extends ResultForms>(
    context: QueryContext<TInput>,
    readResult: TRead,
    formatter: Formatter<TForms>,
  ): ReadTask<TForms[TForm]> | { readonly result: TForms[TForm] }
}

/** @throws TypeError for a token that is neither text nor a session of this graph. */
const parseSession = (engine: Engine, method: ReadMethod, caller: Caller): Session | undefined => {
  if (typeof caller === 'string' || caller === undefined || caller === null) return undefined
  if (typeof caller === 'object' && engine.isSession(caller)) return caller
  throw usageError(method, 'token', 'a string or a session of this graph', describeValue(caller))
}

const createReporter = (
  onEvent: (event: GraphEvent) => void,
  method: ReadMethod,
  session: Session | undefined,
): EventReporter => new EventReporter(onEvent, method, session !== undefined && bypassesPolicies(session))

/**
 * Creates the data of a call. Copies the options, because the caller may change them during the call.
 *
 * @throws TypeError if the graph is closed, or if the token is neither text nor a session of this graph.
 */
export const createQuery = <TInput>(
  engine: Engine,
  method: ReadMethod,
  caller: Caller,
  call: Call,
  input: TInput,
  hooks?: CallHooks,
): Query<TInput> => {
  engine.assertOpen(method, caller)
  const session = parseSession(engine, method, caller)
  const deadline = Date.now() + engine.limits.timeoutMs
  return {
    engine,
    call: Array.isArray(call.fields) ? { ...call, fields: [...call.fields] } : { ...call },
    input,
    hooks,
    token: typeof caller === 'string' ? caller : undefined,
    session,
    readOptions: {
      signal: call.signal,
      deadline: hooks?.deadline === undefined ? deadline : Math.min(deadline, hooks.deadline),
      minRevision: call.minRevision,
    },
    debugMessages: new DebugMessages(call.debug === 'all', engine.masking),
    reporter: engine.onEvent && createReporter(engine.onEvent, method, session),
    scanLimit: new ScanLimit(engine.limits.scan, engine.drawUniform),
    context: undefined,
  }
}

/** Creates the context of a call when its session is known. */
export const startSession = <TInput>(query: Query<TInput>, session: Session, viewerType?: string): void => {
  const { engine, call, hooks, reporter } = query
  const storeSession = toStoreSession(engine.store, session)
  if (storeSession !== undefined) query.readOptions = { ...query.readOptions, session: storeSession }
  const Evaluator = bypassesPolicies(session) ? BypassingEvaluator : PolicyEvaluator
  const readGuard = engine.checkReads ? new ReadGuard() : undefined
  const policyEvaluator = new Evaluator(session, engine.registry, reporter, readGuard)
  query.context = {
    query,
    session,
    viewerType,
    now: engine.now(),
    readOptions: query.readOptions,
    policyEvaluator,
    scanLimit: query.scanLimit,
    passSizes: engine.passSizes,
    readsAhead: engine.store.capabilities.readsAhead === true,
    conditionsOf:
      engine.store.capabilities.conditions === true ? type => policyEvaluator.conditionsOf(type) : undefined,
    idMapper: engine.appIds && new LazyAppIdMapper(engine.appIds, session.app),
    ids: engine.registry.ids,
    isAppScopedType: engine.registry.isAppScopedType,
    cursorCipher: engine.cursorCipher,
    debugMessages: query.debugMessages,
    reporter,
    checkValues: engine.checkValues,
    isReadOnly: isReadOnly(engine.store.capabilities),
    readGuard,
    linkBase: hooks?.linkBase ?? (call.version === undefined ? '' : `/${call.version}`),
    linkQuery: hooks?.linkQuery ?? '',
    defaultPicture: (hooks ?? engine.registry.schema).defaultPicture,
    onLength: hooks?.onLength,
    boundWindows: undefined,
    isLargeResult: false,
    computedFields: undefined,
  }
}

/** Returns the context of a call with a valid token. */
export const contextOf = <TInput>({ context }: Query<TInput>): QueryContext<TInput> => {
  if (context === undefined) throw new Error('A call was used before it had a session')
  return context
}
