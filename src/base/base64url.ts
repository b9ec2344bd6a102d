/** Characters up to 255 as base64url without padding (RFC 4648 §5). */
export const encodeAscii = (text: string): string => {
  const padded = btoa(text)
  const end = padded.indexOf('=')
  const encoded = end === -1 ? padded : padded.slice(0, end)
  return encoded.includes('+') || encoded.includes('/')
    ? encoded.replaceAll('+', '-').replaceAll('/', '_')
    : encoded
}

/** Bytes as base64url without padding. */
export const encodeBytes = (bytes: Uint8Array): string => encodeAscii(String.fromCharCode(...bytes))

/** The bytes of base64url text as characters up to 255; undefined where it is none, or not the shortest. */
export const decodeToAscii = (encoded: string): string | undefined => {
  if (!/^[A-Za-z0-9_-]*$/.test(encoded) || encoded.length % 4 === 1) return undefined
  const text = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  return encodeAscii(text) === encoded ? text : undefined
}
