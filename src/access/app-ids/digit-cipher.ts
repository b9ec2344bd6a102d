import { FF1 } from '@noble/ciphers/ff1.js'

/** A cipher of decimal digits. The encrypted text has the same number of digits. */
export interface DigitCipher {
  encrypt(digits: string): string
  decrypt(digits: string): string
}

const RADIX = 10

/** Creates an FF1 cipher (NIST SP 800-38G) of digits, without a tweak. `key` has 16, 24 or 32 bytes. */
export const createDigitCipher = (key: Uint8Array): DigitCipher => {
  const ff1 = FF1(RADIX, key)
  return {
    encrypt: digits => ff1.encrypt(Array.from(digits, Number)).join(''),
    decrypt: digits => ff1.decrypt(Array.from(digits, Number)).join(''),
  }
}
