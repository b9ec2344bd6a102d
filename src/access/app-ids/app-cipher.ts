import { type NodeId, type PublicId, startsWithDigit } from '../../base/ids.ts'
import { prefixOf } from '../../base/named-ids.ts'
import type { DeriveKey } from '../secret.ts'
import { PUBLIC_KEY_MARK } from './app-ids.ts'
import { createDigitCipher, type DigitCipher } from './digit-cipher.ts'
import { NAMED_ID_KEY_BYTES, NamedIdCipher } from './named-id-cipher.ts'

const DIGITS_KEY_BYTES = 32
const RAW_DIGITS_LENGTH = 19

/** Returns the place after the type, `-` and `~` of a named public id. */
const keyStartOf = (publicId: PublicId): number => prefixOf(publicId).length + 1 + PUBLIC_KEY_MARK.length

/** Returns the digit that is the number of the secret of a public id. */
export const keyDigitOf = (publicId: PublicId): string =>
  publicId.charAt(startsWithDigit(publicId) ? 0 : keyStartOf(publicId))

/**
 * The ciphers of one app for one of the secrets. Public ids contain the digit that is the number of the secret: it is
 * the first digit of digits, and the first character after `~` of named ids.
 */
export class AppCipher {
  readonly keyDigit: string
  readonly #app: string
  readonly #deriveKey: DeriveKey
  #digits: DigitCipher | undefined
  #named: NamedIdCipher | undefined

  constructor(keyDigit: string, app: string, deriveKey: DeriveKey) {
    this.keyDigit = keyDigit
    this.#app = app
    this.#deriveKey = deriveKey
  }

  /** Encrypts a valid id of either kind. */
  encrypt(id: NodeId): PublicId {
    if (startsWithDigit(id))
      return this.keyDigit + this.#digitCipher().encrypt(id.padStart(RAW_DIGITS_LENGTH, '0'))
    const prefix = prefixOf(id)
    const encryptedKey = this.#namedCipher().encrypt(prefix, id.slice(prefix.length + 1))
    return `${prefix}-${PUBLIC_KEY_MARK}${this.keyDigit}${encryptedKey}`
  }

  /** Decrypts a text of the form of a public id. The result may not be an id. */
  decrypt(publicId: PublicId): string | undefined {
    if (startsWithDigit(publicId)) return this.#digitCipher().decrypt(publicId.slice(1)).replace(/^0+/, '')
    const prefix = prefixOf(publicId)
    const key = this.#namedCipher().decrypt(prefix, publicId.slice(keyStartOf(publicId) + 1))
    return key === undefined ? undefined : `${prefix}-${key}`
  }

  // A graph has ids of one kind, so the keys of the other kind are never derived.
  #digitCipher(): DigitCipher {
    this.#digits ??= createDigitCipher(this.#deriveKey(`ids of app ${this.#app}`, DIGITS_KEY_BYTES))
    return this.#digits
  }

  #namedCipher(): NamedIdCipher {
    this.#named ??= new NamedIdCipher(this.#deriveKey(`named ids of app ${this.#app}`, NAMED_ID_KEY_BYTES))
    return this.#named
  }
}
