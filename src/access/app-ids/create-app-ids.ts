import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { BoundedMap } from '../../base/bounded-map.ts'
import { describe } from '../../base/describe.ts'
import { assertKinds, assertObject } from '../../base/options.ts'
import { describeSecret, isSecret, SECRET_EXPECTED } from '../secret.ts'
import type { AppIds } from './app-ids.ts'
import { createDigitCipher } from './digit-cipher.ts'
import { type AppKey, RememberedIds } from './remembered-ids.ts'

/** The keys of app-scoped ids. */
export type AppIdsOptions = {
  /**
   * Random text of at least 16 characters under each key number, 1 to 9; the same for all processes of a service. Public
   * ids hold as long as the secret of their number is here, unchanged.
   */
  readonly secrets: { readonly [keyNumber: number]: string }
  /** The number of the secret that public ids are made with from now on. */
  readonly current: number
}

type Secret = { readonly digit: string; readonly text: string }

const KEY_BYTES = 32
const REMEMBERED_APPS = 64

const refuse = (expected: string, came: string): never => {
  throw new TypeError(`createAppIds: ${expected}, came ${came}`)
}

const secretOf = (digit: string, text: unknown): Secret => {
  if (!/^[1-9]$/.test(digit)) refuse('the numbers of secrets must be 1 to 9', describe(digit))
  if (isSecret(text)) return { digit, text }
  throw new TypeError(
    `createAppIds: "secrets.${digit}" must be ${SECRET_EXPECTED}; received ${describeSecret(text)}`,
  )
}

const secretsOf = (options: AppIdsOptions): { current: Secret; others: Secret[] } => {
  assertObject('createAppIds', options)
  assertKinds('createAppIds', options, { secrets: 'object', current: 'any' })
  const secrets = Object.entries(options.secrets ?? {}).map(([digit, text]) => secretOf(digit, text))
  const numbers = secrets.map(({ digit }) => digit).join(', ')
  if (numbers === '') refuse('secrets must hold at least one', describe(options.secrets))
  const current =
    secrets.find(({ digit }) => Number(digit) === options.current) ??
    refuse(`current must be the number of a secret: ${numbers}`, describe(options.current))
  return { current, others: secrets.filter(secret => secret !== current) }
}

const assertApp = (app: unknown): void => {
  if (typeof app === 'string' && app !== '' && app.isWellFormed()) return
  throw new TypeError(`forApp: expected the name of an app, came ${describe(app)}`)
}

/**
 * Makes ids that are opaque, different for each app, and turned back without a table: a public id has 20 digits, first
 * the number of its key, then the raw id, padded to 19 digits and encrypted by FF1 under a key of the app.
 *
 * A secret is replaced by adding another under a new number and making that one current: ids given out before go on
 * being read. Whoever knows a secret can read and forge the ids of every app.
 *
 * Remembers the ids lately asked for, 16,384 each way for each of the last 64 apps.
 *
 * @throws TypeError for no secret, one of fewer than 16 characters, a key number that is not 1 to 9, or a current one
 * that has no secret.
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
  const { current, others } = secretsOf(options)
  const keyOf = ({ digit, text }: Secret, app: string): AppKey => {
    const key = hkdf(sha256, utf8ToBytes(text), undefined, utf8ToBytes(`ids of app ${app}`), KEY_BYTES)
    return { digit, cipher: createDigitCipher(key) }
  }
  const apps = new BoundedMap<RememberedIds>(REMEMBERED_APPS)
  return Object.freeze({
    forApp(app: string) {
      const known = apps.get(app)
      if (known !== undefined) return known
      assertApp(app)
      const othersOfApp = others.map(secret => keyOf(secret, app))
      const ids = new RememberedIds(keyOf(current, app), othersOfApp)
      apps.set(app, ids)
      return ids
    },
  })
}
