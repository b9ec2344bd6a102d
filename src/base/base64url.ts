const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Two letters for each 12 bits: one look-up where six bits at a time would take two and join them. */
const PAIRS: readonly string[] = Array.from(
  { length: 4096 },
  (_, bits) => `${LETTERS[bits >> 6]}${LETTERS[bits & 63]}`,
)

/** Characters up to 255 as base64url without padding (RFC 4648 §5). */
export const encodeAscii = (text: string): string => {
  let encoded = ''
  let index = 0
  for (; index + 2 < text.length; index += 3) {
    const bits =
      (text.charCodeAt(index) << 16) | (text.charCodeAt(index + 1) << 8) | text.charCodeAt(index + 2)
    encoded += `${PAIRS[bits >> 12]}${PAIRS[bits & 4095]}`
  }
  if (text.length - index === 1) return encoded + PAIRS[text.charCodeAt(index) << 4]
  if (text.length - index === 2) {
    const bits = (text.charCodeAt(index) << 8) | text.charCodeAt(index + 1)
    return `${encoded}${PAIRS[bits >> 4]}${LETTERS[(bits & 15) << 2]}`
  }
  return encoded
}

/** Bytes as base64url without padding. */
export const encodeBytes = (bytes: Uint8Array): string => encodeAscii(String.fromCharCode(...bytes))

/** The bytes of base64url text as characters up to 255; undefined where it is none, or not the shortest. */
export const decodeToAscii = (encoded: string): string | undefined => {
  if (!/^[A-Za-z0-9_-]*$/.test(encoded) || encoded.length % 4 === 1) return undefined
  const text = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  return encodeAscii(text) === encoded ? text : undefined
}
