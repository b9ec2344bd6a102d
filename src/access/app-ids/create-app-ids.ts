import { BoundedMap } from '../../base/bounded-map.ts'
import { describeValue } from '../../base/describe.ts'
import { assertObject, assertOptionKinds } from '../../base/options.ts'
import { usageError } from '../../base/usage-error.ts'
import { assertAppName } from '../grant.ts'
import { createDeriveKey, describeSecret, isSecret, SECRET_EXPECTED } from '../secret.ts'
import { AppCipher } from './app-cipher.ts'
import type { AppIds } from './app-ids.ts'
import { CachedAppIdMapper } from './cached-app-id-mapper.ts'

/** The options of `createAppIds`. */
export type AppIdsOptions = {
  /**
   * The secret of each key number from 1 to 9: random text of at least 16 characters, the same in all
   * processes of a service. A public id is valid as long as this object contains the secret of its key
   * number.
   */
  readonly secrets: { readonly [keyNumber: number]: string }
  /** The key number of new public ids. */
  readonly current: number
}

type NumberedSecret = { readonly keyDigit: string; readonly secretText: string }

const MAX_CACHED_APPS = 64

const throwInvalidOption = (name: string, expected: string, received: string): never => {
  throw usageError('createAppIds', name, expected, received)
}

const parseSecret = (keyDigit: string, secretText: unknown): NumberedSecret => {
  if (!/^[1-9]$/.test(keyDigit))
    throwInvalidOption('secrets', 'an object with keys from 1 to 9', `the key ${describeValue(keyDigit)}`)
  if (isSecret(secretText)) return { keyDigit, secretText }
  return throwInvalidOption(`secrets.${keyDigit}`, SECRET_EXPECTED, describeSecret(secretText))
}

const parseSecrets = (options: AppIdsOptions): { current: NumberedSecret; others: NumberedSecret[] } => {
  assertObject('createAppIds', options)
  assertOptionKinds('createAppIds', options, { secrets: 'object', current: 'any' })
  const secrets = Object.entries(options.secrets ?? {}).map(([digit, text]) => parseSecret(digit, text))
  const keyDigitsText = secrets.map(({ keyDigit }) => keyDigit).join(', ')
  if (keyDigitsText === '')
    throwInvalidOption('secrets', 'an object with at least one secret', describeValue(options.secrets))
  const current =
    secrets.find(({ keyDigit }) => Number(keyDigit) === options.current) ??
    throwInvalidOption('current', `the number of a secret: ${keyDigitsText}`, describeValue(options.current))
  return { current, others: secrets.filter(secret => secret !== current) }
}

/**
 * Creates public ids that are opaque, different for each app, and reversible without a table. The public id of
 * digits has 20 digits: the number of its key, and the raw id, padded to 19 digits and encrypted by FF1 with a
 * key of the app.
 *
 * The public id of a named id, such as `account-~1…`, shows the type and the number of its key. The rest is the
 * key of the raw id, padded to 16, 48 or 192 bytes and encrypted. It is authenticated: a text that was not created
 * with one of the secrets is the public id of no node.
 *
 * To replace a secret, add another secret under a new number, and set `current` to this number. Older ids
 * stay valid. Anyone who knows a secret can decrypt and forge the ids of every app.
 *
 * Recently used ids are cached: at most 16,384 in each direction, for each of the 64 apps that were used
 * last.
 *
 * @throws TypeError without a secret, for a secret of fewer than 16 characters, a key number that is not from
 * 1 to 9, or a `current` that is not the number of a secret.
 *
 * @example
 * ```ts
 * import { createAppIds } from 'kithgraph/app-ids'
 *
 * const appIds = createAppIds({ secrets: { 1: '4pE-uT9dX0qvYc3k' }, current: 1 })
 * const calendar = appIds.forApp('calendar')
 * const publicId = calendar.toPublic('4')
 * console.log(publicId.length, calendar.toRaw(publicId)) // 20 4
 * console.log(appIds.forApp('chess').toRaw(publicId) === '4') // false
 * ```
 */
export const createAppIds = (options: AppIdsOptions): AppIds => {
  const { current, others } = parseSecrets(options)
  const createAppCipher = ({ keyDigit, secretText }: NumberedSecret, app: string): AppCipher =>
    new AppCipher(keyDigit, app, createDeriveKey(secretText))
  const mappers = new BoundedMap<CachedAppIdMapper>(MAX_CACHED_APPS)
  return Object.freeze({
    forApp(app: string) {
      const cached = mappers.get(app)
      if (cached !== undefined) return cached
      assertAppName('forApp', app)
      const otherCiphers = others.map(secret => createAppCipher(secret, app))
      const mapper = new CachedAppIdMapper(createAppCipher(current, app), otherCiphers)
      mappers.set(app, mapper)
      return mapper
    },
  })
}
