const NEWLINE = 10

/** Stands in for bytes that are no UTF-8: no text that was decoded holds a lone surrogate otherwise. */
const INVALID = '\ud800'

/** How many bytes at the end begin a character that they do not finish. */
const unfinished = (bytes: Uint8Array): number => {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes.at(-back) ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

const joined = (head: Uint8Array, tail: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

/**
 * Decodes UTF-8 that comes in chunks cut anywhere. Where bytes are invalid, the line that they are on becomes one
 * that is not well-formed, and the others stay as they are.
 */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #rest: Uint8Array = new Uint8Array()

  decode(chunk: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk)
    const end = bytes.length - unfinished(bytes)
    // Copied, since who reads a file into one buffer again and again would change it.
    this.#rest = bytes.slice(end)
    return this.#decodeWhole(bytes.subarray(0, end))
  }

  /** What stands for a character that was never finished, else nothing. */
  end(): string {
    return this.#rest.length === 0 ? '' : INVALID
  }

  #decodeWhole(bytes: Uint8Array): string {
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
      const end = newline === -1 ? bytes.length : newline
      text += this.#decodeLine(bytes.subarray(start, end)) + (newline === -1 ? '' : '\n')
      start = end + 1
    }
    return text
  }

  #decodeLine(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes)
    } catch {
      return INVALID
    }
  }
}
