import type { AppIds } from './access/app-ids/app-ids.ts'
import type { Auth } from './access/auth.ts'
import type { AppSecrets } from './access/proof.ts'
import { describeSecret, isSecret, SECRET_EXPECTED } from './access/secret.ts'
import { describe } from './base/describe.ts'
import { isPlainObject } from './base/json.ts'
import { assertKinds, type OptionKinds } from './base/options.ts'
import type { CheckValues } from './execute/bad-values.ts'
import type { ReadEvent } from './execute/read-event.ts'
import { type Limits, limitsOf } from './plan/limits.ts'
import { isSchema } from './schema/define-schema.ts'
import { isPoliced } from './schema/registry.ts'
import type { Schema } from './schema/schema.ts'
import { socialSchema } from './schema/social/social-schema.ts'
import type { Store } from './store/contract.ts'

/** What `createGraph` takes beside the store; every member may be undefined. */
export type GraphOptions<TSchema extends Schema = Schema> = {
  /** Default: {@link socialSchema}. */
  readonly schema?: TSchema | undefined
  /**
   * Lets in tokens of other kinds, such as `createStaticAuth` and `createJwtAuth` make. Asked in order; the graph's own
   * tokens come last.
   */
  readonly auth?: Auth | readonly Auth[] | undefined
  /** Gives every app ids of its own for nodes of `appScoped` types. Needs a `secret`. */
  readonly appIds?: AppIds | undefined
  /** The secrets of apps, for proofs of possession and for the apps' own tokens `APP|SECRET`: at least 16 characters each. */
  readonly appSecrets?: AppSecrets | undefined
  /** Whether every call with a token must bring a proof of possession. Default false. */
  readonly requireProof?: boolean | undefined
  readonly limits?: { readonly [name in keyof Limits]?: number | undefined } | undefined
  /** The version where a call asks for none. Default: the newest of the schema. */
  readonly version?: string | undefined
  /** `snapshot`: all waves of a call see one state of the store. Default `wave`: each sees what is newest. */
  readonly consistency?: 'wave' | 'snapshot' | undefined
  /**
   * What happens to a stored value that is not valid for the type of its field. `report`, the default: its field is left
   * out, and the event of the call and `debug` report it. `error`: the call fails, for tests. `off`: the store is trusted.
   */
  readonly checkValues?: 'report' | 'error' | 'off' | undefined
  /**
   * The key of encrypted cursors, of ETags, and of what tokens carry about their viewer: random text of at least 16
   * characters, the same for all processes of a service. A changed secret ends all tokens. It is required with `appIds`, and
   * for a shared store if the schema has a policy. Without it the key of cursors and ETags is random, so that encrypted
   * cursors end with the process, and the holder of a token can find out the id of its viewer by trying ids.
   */
  readonly secret?: string | undefined
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined
  /** Told of every wave and every query; what it throws is ignored. */
  readonly onRead?: ((event: ReadEvent) => void) | undefined
}

/** The options with their defaults. */
export type SettledOptions = {
  readonly schema: Schema
  readonly auths: readonly Auth[]
  readonly appIds: AppIds | undefined
  readonly appSecrets: AppSecrets
  readonly requireProof: boolean
  readonly limits: Limits
  readonly version: string | undefined
  readonly consistency: 'wave' | 'snapshot'
  readonly checkValues: CheckValues
  readonly secret: string
  readonly now: () => number
  readonly onRead: ((event: ReadEvent) => void) | undefined
}

const OPTIONS = {
  schema: 'any',
  auth: 'any',
  appIds: 'object',
  appSecrets: 'object',
  requireProof: 'boolean',
  limits: 'object',
  version: 'text',
  consistency: 'text',
  checkValues: 'any',
  secret: 'any',
  now: 'function',
  onRead: 'function',
} as const satisfies OptionKinds

const refuse = (name: string, expected: string, came: unknown): never => {
  throw new TypeError(`createGraph: ${name} must be ${expected}, came ${describe(came)}`)
}

/** What was given is not described: whoever forgot `createStaticAuth` gives tokens. */
const assertAuth = (place: string, auth: unknown): void => {
  if (!isPlainObject(auth) || typeof auth.authenticate !== 'function') {
    const came = isPlainObject(auth) ? 'an object without authenticate' : describe(auth)
    throw new TypeError(
      `createGraph: ${place} must be an object with authenticate, such as createStaticAuth gives, came ${came}`,
    )
  }
  const { digest } = auth
  if (digest !== undefined && typeof digest !== 'function') refuse(`${place}.digest`, 'a function', digest)
}

/** A copy, since a list that changes later must not let anybody in. */
const authsOf = (auth: GraphOptions['auth']): readonly Auth[] => {
  const auths = auth === undefined ? [] : [auth].flat()
  for (const [index, one] of auths.entries()) {
    assertAuth(Array.isArray(auth) ? `auth[${index}]` : 'auth', one)
  }
  return auths
}

const assertAppIds = ({ appIds, secret }: GraphOptions): void => {
  if (appIds === undefined) return
  if (typeof appIds.forApp !== 'function') refuse('appIds', 'what createAppIds gives', appIds)
  if (secret !== undefined) return
  throw new TypeError(
    'createGraph: appIds needs a secret, since without one tokens and cursors tell of the ids that appIds hides',
  )
}

const assertSecret = (name: string, value: unknown): void => {
  if (isSecret(value)) return
  throw new TypeError(`createGraph: "${name}" must be ${SECRET_EXPECTED}; received ${describeSecret(value)}`)
}

const assertValues = ({ schema, appSecrets, secret, checkValues }: GraphOptions): void => {
  if (schema !== undefined && !isSchema(schema)) refuse('schema', 'made by defineSchema', schema)
  if (![undefined, 'report', 'error', 'off'].includes(checkValues))
    throw new TypeError(
      `createGraph: "checkValues" must be 'report', 'error' or 'off'; received ${describe(checkValues)}`,
    )
  for (const [app, value] of Object.entries(appSecrets ?? {})) assertSecret(`appSecrets.${app}`, value)
  if (secret !== undefined) assertSecret('secret', secret)
}

/** Without a secret, one process could not decrypt the cursors of another. */
const assertCursorKey = ({ capabilities }: Store, { secret }: GraphOptions, schema: Schema): void => {
  if (secret !== undefined || !capabilities.shared || !isPoliced(schema)) return
  throw new TypeError(
    'createGraph: "secret" must be given for a shared store and a schema with a policy, since all processes must be able to decrypt their cursors; received undefined',
  )
}

const assertFits = (store: Store, { version, consistency }: GraphOptions, schema: Schema): void => {
  if (version !== undefined && !schema.versions.some(declared => declared === version)) {
    refuse('version', `one of the schema's: ${schema.versions.join(', ')}`, version)
  }
  if (consistency !== undefined && consistency !== 'wave' && consistency !== 'snapshot') {
    refuse('consistency', "'wave' or 'snapshot'", consistency)
  }
  if (consistency === 'snapshot' && !store.capabilities.snapshots) {
    throw new TypeError(
      "createGraph: consistency 'snapshot' needs a store with snapshots, and this one has none",
    )
  }
}

/** @throws TypeError for an unknown option, one of another kind, or one that the store or the schema does not fit. */
export const settleOptions = (store: Store, options: GraphOptions): SettledOptions => {
  assertKinds('createGraph', options, OPTIONS)
  assertValues(options)
  assertAppIds(options)
  const schema = options.schema ?? socialSchema
  assertFits(store, options, schema)
  assertCursorKey(store, options, schema)
  return {
    schema,
    auths: authsOf(options.auth),
    appIds: options.appIds,
    appSecrets: options.appSecrets ?? {},
    requireProof: options.requireProof ?? false,
    limits: limitsOf(options.limits),
    version: options.version,
    consistency: options.consistency ?? 'wave',
    checkValues: options.checkValues ?? 'report',
    secret: options.secret ?? '',
    now: options.now ?? Date.now,
    onRead: options.onRead,
  }
}
