import type { AppIds } from './access/app-ids/app-ids.ts'
import type { Auth } from './access/auth.ts'
import type { AppSecrets } from './access/proof.ts'
import { describeValue } from './base/describe.ts'
import { isNonArrayObject } from './base/json.ts'
import { assertOptionKinds, type OptionKinds } from './base/options.ts'
import { formatChoices, usageError } from './base/usage-error.ts'
import type { ValueCheckMode } from './core/bad-values.ts'
import type { GraphEvent } from './core/events.ts'
import type { InstallableAction } from './execute/install-actions.ts'
import { assertSecret, assertSharedSecret } from './graph-secrets.ts'
import type { DeclaredAction } from './interface/action-calls.ts'
import { type LimitOptions, type Limits, resolveGraphLimits } from './plan/limits.ts'
import { isSchema } from './schema/define-schema.ts'
import { findListFlags } from './schema/list-flags.ts'
import type { Schema } from './schema/schema.ts'
import { socialSchema } from './schema/social/social-schema.ts'
import type { Store } from './store/contract.ts'

/** The options of `createGraph`. */
export type GraphOptions<
  TSchema extends Schema = Schema,
  TActions extends readonly DeclaredAction[] | undefined = undefined,
> = {
  /** Default: {@link socialSchema}. */
  readonly schema?: TSchema | undefined
  /** The actions that callers may run, which `actionsOf(schema)` of `kithgraph/actions` declares. Default: none. */
  readonly actions?: TActions | undefined
  /**
   * The authentication of other kinds of tokens, such as the result of `createStaticAuth` or `createJwtAuth`.
   * The graph calls each `Auth` in order and checks its own tokens last.
   */
  readonly auth?: Auth | readonly Auth[] | undefined
  /** Creates different ids for each app, for nodes of `appScoped` types. This option requires a `secret`. */
  readonly appIds?: AppIds | undefined
  /**
   * The secret of each app, with at least 16 characters. Proofs of possession and tokens of the form
   * `APP|SECRET` use these secrets.
   */
  readonly appSecrets?: AppSecrets | undefined
  /** Whether every call with a token must have a proof of possession. Default false. */
  readonly requireProof?: boolean | undefined
  readonly limits?: LimitOptions | undefined
  /** The version for calls that do not request one. Default: the newest version of the schema. */
  readonly version?: string | undefined
  /**
   * With `snapshot`, all store reads of a call see the same state of the store. With `read` (the default),
   * each store read sees the newest state.
   */
  readonly consistency?: 'read' | 'snapshot' | undefined
  /**
   * Selects how the graph handles stored values that are not valid for the types of their fields. With
   * `report` (the default), the field is left out, and `onEvent` and `debug` report it. With `error`, which
   * is useful in tests, the call fails. With `off`, the graph does not check stored values.
   */
  readonly checkValues?: 'report' | 'error' | 'off' | undefined
  /**
   * Whether to check the fields that rules, `resolve` and `where` read, which is useful in tests and takes time.
   * If one of these functions reads a field that its `reads` does not contain, the call fails with a `TypeError`.
   * The graph also uses only the fields that it requested from the store. Default false.
   */
  readonly checkReads?: boolean | undefined
  /**
   * The secret for tokens, encrypted cursors, ETags and the keys of actions. Use random text of at least 16 characters,
   * the same in all processes of a service. Changing the secret invalidates all of these. A secret is required if
   * `appIds` is set, or if the store is shared and there are actions, or the schema has a policy, a filter, a computed
   * edge, or an order by a number or by a value that no field shows. Without a secret, encrypted cursors, ETags and keys of actions are valid only in one
   * process, and the owner of a token can find the viewer's id by trying ids.
   */
  readonly secret?: string | undefined
  /** Returns the current time in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined
  /** Receives an event for each store read and each call. Errors that it throws are ignored. */
  readonly onEvent?: ((event: GraphEvent) => void) | undefined
}

export type AnyGraphOptions = GraphOptions<Schema, readonly DeclaredAction[] | undefined>

/** The options with their defaults. */
export type ResolvedOptions = {
  readonly schema: Schema
  readonly actions: readonly InstallableAction[]
  readonly auths: readonly Auth[]
  readonly appIds: AppIds | undefined
  readonly appSecrets: AppSecrets
  readonly requireProof: boolean
  readonly limits: Limits
  readonly version: string | undefined
  readonly consistency: 'read' | 'snapshot'
  readonly checkValues: ValueCheckMode
  readonly checkReads: boolean
  readonly secret: string
  readonly now: () => number
  readonly onEvent: ((event: GraphEvent) => void) | undefined
}

const OPTION_KINDS = {
  schema: 'any',
  actions: 'any',
  auth: 'any',
  appIds: 'object',
  appSecrets: 'object',
  requireProof: 'boolean',
  limits: 'object',
  version: 'text',
  consistency: 'text',
  checkValues: 'any',
  checkReads: 'boolean',
  secret: 'any',
  now: 'function',
  onEvent: 'function',
} as const satisfies OptionKinds

const throwInvalidOption = (name: string, expected: string, received: unknown): never => {
  throw usageError('createGraph', name, expected, describeValue(received))
}

/**
 * Validates an {@link Auth}. The error message does not show the members of an object, because a caller may
 * pass an object of tokens directly, without `createStaticAuth`.
 */
const assertAuth = (optionPath: string, auth: unknown): void => {
  if (!isNonArrayObject(auth) || typeof auth.authenticate !== 'function') {
    const received = isNonArrayObject(auth) ? 'an object without "authenticate"' : describeValue(auth)
    const expected = 'an object with a function "authenticate", such as the result of createStaticAuth()'
    throw usageError('createGraph', optionPath, expected, received)
  }
  const { digest } = auth
  if (digest !== undefined && typeof digest !== 'function')
    throwInvalidOption(`${optionPath}.digest`, 'a function', digest)
}

/** Validates and copies the list, so that a later change of the caller's list has no effect. */
const toAuthList = (auth: AnyGraphOptions['auth']): readonly Auth[] => {
  const auths = auth === undefined ? [] : [auth].flat()
  for (const [index, element] of auths.entries()) {
    assertAuth(Array.isArray(auth) ? `auth[${index}]` : 'auth', element)
  }
  return auths
}

const assertAppIds = ({ appIds, secret }: AnyGraphOptions): void => {
  if (appIds === undefined) return
  if (typeof appIds.forApp !== 'function')
    throwInvalidOption('appIds', 'an object that createAppIds() returns', appIds)
  if (secret !== undefined) return
  const expected = 'given with "appIds", since tokens and cursors would reveal the hidden ids without it'
  throw usageError('createGraph', 'secret', expected, 'undefined')
}

const assertOptionValues = ({ schema, appSecrets, secret, checkValues }: AnyGraphOptions): void => {
  if (schema !== undefined && !isSchema(schema))
    throwInvalidOption('schema', 'a schema that defineSchema() returns', schema)
  if (![undefined, 'report', 'error', 'off'].includes(checkValues))
    throwInvalidOption('checkValues', formatChoices(['report', 'error', 'off']), checkValues)
  for (const [app, value] of Object.entries(appSecrets ?? {})) assertSecret(`appSecrets.${app}`, value)
  if (secret !== undefined) assertSecret('secret', secret)
}

const isInstallable = (action: unknown): action is InstallableAction =>
  isNonArrayObject(action) && '~install' in action

/** Returns the list of actions. Their runtime checks them, and reports all their errors at once. */
const toActions = ({ actions = [] }: AnyGraphOptions): readonly InstallableAction[] =>
  Array.isArray(actions) && actions.every(isInstallable)
    ? actions
    : throwInvalidOption('actions', 'an array of actions that actionsOf() declares', actions)

const assertSupportedOptions = (
  store: Store,
  { version, consistency, schema: givenSchema }: AnyGraphOptions,
  schema: Schema,
): void => {
  if (version !== undefined && !schema.versions.some(declared => declared === version)) {
    throwInvalidOption('version', formatChoices(schema.versions), version)
  }
  if (consistency !== undefined && consistency !== 'read' && consistency !== 'snapshot') {
    throwInvalidOption('consistency', formatChoices(['read', 'snapshot']), consistency)
  }
  if (!store.capabilities.collections && findListFlags(schema).size > 0)
    throw usageError(
      'createGraph',
      'store',
      'a store with the capability "collections", since the schema has collections or orders by fields',
      'a store with collections: false',
    )
  const { ids = ['digits'] } = store.capabilities
  const isSupported = ids.includes(schema.ids)
  if (!isSupported && givenSchema === undefined && ids.includes('named'))
    throw usageError(
      'createGraph',
      'schema',
      'given, since the store has named ids: for a table store, pass the schema that defineTables returned',
      'undefined',
    )
  if (!isSupported)
    throw usageError(
      'createGraph',
      'store',
      `a store whose capability "ids" includes "${schema.ids}", since the schema has such ids`,
      `a store with ids: [${ids.map(describeValue).join(', ')}]`,
    )
  if (consistency === 'snapshot' && !store.capabilities.snapshots) {
    throwInvalidOption('consistency', '"read" for a store without snapshots', consistency)
  }
}

/**
 * Returns the options with their defaults.
 *
 * @throws TypeError for an unknown option, an option of the wrong type, or an option that the store or the
 * schema does not support.
 */
export const resolveOptions = (store: Store, options: AnyGraphOptions): ResolvedOptions => {
  assertOptionKinds('createGraph', options, OPTION_KINDS)
  assertOptionValues(options)
  assertAppIds(options)
  const schema = options.schema ?? socialSchema
  assertSupportedOptions(store, options, schema)
  const actions = toActions(options)
  assertSharedSecret(store, options.secret, schema, actions.length > 0)
  return {
    schema,
    actions,
    auths: toAuthList(options.auth),
    appIds: options.appIds,
    appSecrets: options.appSecrets ?? {},
    requireProof: options.requireProof ?? false,
    limits: resolveGraphLimits(options.limits),
    version: options.version,
    consistency: options.consistency ?? 'read',
    checkValues: options.checkValues ?? 'report',
    checkReads: options.checkReads ?? false,
    secret: options.secret ?? '',
    now: options.now ?? Date.now,
    onEvent: options.onEvent,
  }
}
