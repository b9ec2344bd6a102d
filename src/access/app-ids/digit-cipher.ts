import { FF1 } from '@noble/ciphers/ff1.js'

/** A secret one-to-one mapping of the decimal numbers of one length; each length has its own. */
export interface DigitCipher {
  encrypt(digits: string): string
  decrypt(digits: string): string
}

const RADIX = 10

/** FF1 (NIST SP 800-38G) over digits, without a tweak; `key` has 16, 24 or 32 bytes. */
export const createDigitCipher = (key: Uint8Array): DigitCipher => {
  const ff1 = FF1(RADIX, key)
  return {
    encrypt: digits => ff1.encrypt(Array.from(digits, Number)).join(''),
    decrypt: digits => ff1.decrypt(Array.from(digits, Number)).join(''),
  }
}
