/** Encodes characters with codes up to 255 as base64url without padding (RFC 4648 §5). */
export const latin1ToBase64url = (text: string): string => {
  const padded = btoa(text)
  const end = padded.indexOf('=')
  const encoded = end === -1 ? padded : padded.slice(0, end)
  return encoded.includes('+') || encoded.includes('/')
    ? encoded.replaceAll('+', '-').replaceAll('/', '_')
    : encoded
}

/** Encodes bytes as base64url without padding. */
export const bytesToBase64url = (bytes: Uint8Array): string =>
  latin1ToBase64url(String.fromCharCode(...bytes))

/**
 * Decodes base64url to characters with codes up to 255. Returns `undefined` for text that is not canonical
 * base64url.
 */
export const base64urlToLatin1 = (encoded: string): string | undefined => {
  if (!/^[A-Za-z0-9_-]*$/.test(encoded) || encoded.length % 4 === 1) return undefined
  const text = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  return latin1ToBase64url(text) === encoded ? text : undefined
}
