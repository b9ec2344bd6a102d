const NEWLINE = 10

/** Replaces bytes that are not UTF-8. Decoded text contains no lone surrogates otherwise. */
const INVALID_MARKER = '\ud800'

/** Counts the bytes at the end that begin an incomplete character. */
const countUnfinishedBytes = (bytes: Uint8Array): number => {
  for (let offsetFromEnd = 1; offsetFromEnd <= 3; offsetFromEnd++) {
    const byte = bytes.at(-offsetFromEnd) ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return offsetFromEnd < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? offsetFromEnd : 0
  }
  return 0
}

const concatBytes = (head: Uint8Array, tail: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

/**
 * Decodes UTF-8 that arrives in chunks, split anywhere. A line with invalid bytes becomes a line that is not
 * well-formed, and the others stay unchanged.
 */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #unfinishedBytes: Uint8Array = new Uint8Array()

  decode(chunk: Uint8Array): string {
    const bytes = this.#unfinishedBytes.length === 0 ? chunk : concatBytes(this.#unfinishedBytes, chunk)
    const completeLength = bytes.length - countUnfinishedBytes(bytes)
    // Copied, since a reader that reuses one buffer would change it.
    this.#unfinishedBytes = bytes.slice(completeLength)
    return this.#decodeComplete(bytes.subarray(0, completeLength))
  }

  /** Returns the marker for an incomplete character, else empty text. */
  finish(): string {
    return this.#unfinishedBytes.length === 0 ? '' : INVALID_MARKER
  }

  #decodeComplete(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes)
    } catch {
      return this.#decodeLines(bytes)
    }
  }

  #decodeLines(bytes: Uint8Array): string {
    let text = ''
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start)
      const endIndex = newline === -1 ? bytes.length : newline
      text += this.#decodeLine(bytes.subarray(start, endIndex)) + (newline === -1 ? '' : '\n')
      start = endIndex + 1
    }
    return text
  }

  #decodeLine(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes)
    } catch {
      return INVALID_MARKER
    }
  }
}
