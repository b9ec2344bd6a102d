import { splitWords } from './graph-names.ts'

/** Words that suggest a secret, also inside of a longer word, such as `accesstoken`. */
const SECRET_PARTS = /passw|passphrase|secret|token|credential|apikey|privatekey/
/** Words that suggest a secret only alone, because `key` is a part of `monkey`. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'key',
  'keys',
  'hash',
  'hashes',
  'pass',
  'pwd',
  'salt',
  'digest',
  'otp',
  'totp',
  'pin',
])

/** Whether the name of a column suggests that its values are secrets. */
export const isSecretName = (name: string): boolean => {
  const words = splitWords(name)
  return SECRET_PARTS.test(words.join('')) || words.some(word => SECRET_WORDS.has(word))
}
