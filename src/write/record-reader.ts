import type { IdKind } from '../base/ids.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { deepCopy, estimateLength } from './input-values.ts'
import { type ParsedItem, parseLoadRecord, tryParse } from './mutation.ts'

const NEWLINE = 10

/**
 * A lone surrogate, which replaces bytes that are not UTF-8. Text from valid UTF-8 contains no lone
 * surrogates.
 */
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
 * Decodes UTF-8 that arrives in chunks, split anywhere. A line with invalid bytes becomes a line with
 * `INVALID_MARKER`. The other lines stay unchanged.
 */
class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #unfinishedBytes: Uint8Array = new Uint8Array()

  decode(chunk: Uint8Array): string {
    const bytes = this.#unfinishedBytes.length === 0 ? chunk : concatBytes(this.#unfinishedBytes, chunk)
    const completeLength = bytes.length - countUnfinishedBytes(bytes)
    // Copies the bytes, because the source may reuse its buffer for the next chunk.
    this.#unfinishedBytes = bytes.slice(completeLength)
    return this.#decodeComplete(bytes.subarray(0, completeLength))
  }

  /** Returns the marker if the text ends with an incomplete character, otherwise empty text. */
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

/**
 * The maximum length of a line that arrives in several chunks, in UTF-16 code units: half of the maximum
 * string length of V8, which is the smallest of all engines.
 */
const DEFAULT_MAX_LENGTH = 2 ** 28

/** The number of characters that an error shows of a line that is too long. */
const MAX_SHOWN_LENGTH = 100

/** Copies the beginning of a text, because a slice would keep the whole text in memory. */
const copyBeginning = (text: string): string => Array.from(text.slice(0, MAX_SHOWN_LENGTH)).join('')

/**
 * Splits chunks of text into lines. If a line in several chunks is too long, the rest of it is dropped. A
 * line within one chunk may have any length, because it is in memory already.
 */
export class LineSplitter {
  readonly #maxLength: number
  #partialLine = ''
  #isTooLong = false

  constructor(maxLength = DEFAULT_MAX_LENGTH) {
    this.#maxLength = maxLength
  }

  /**
   * Yields each line that this piece of text completes, without its line break. Keeps the rest for the next
   * piece.
   */
  *split(text: string): Generator<string | ValidationIssue> {
    let start = 0
    for (let lineEnd = text.indexOf('\n'); lineEnd !== -1; lineEnd = text.indexOf('\n', start)) {
      this.#addText(text.slice(start, lineEnd))
      yield this.#takeLine()
      start = lineEnd + 1
    }
    this.#addText(text.slice(start))
  }

  /** Returns the last line, which may have no line break. */
  finish(): string | ValidationIssue {
    return this.#takeLine()
  }

  #addText(piece: string): void {
    if (this.#isTooLong) return
    this.#isTooLong = this.#partialLine !== '' && this.#partialLine.length + piece.length > this.#maxLength
    this.#partialLine = this.#isTooLong ? copyBeginning(this.#partialLine) : this.#partialLine + piece
  }

  #takeLine(): string | ValidationIssue {
    const line = this.#isTooLong
      ? new ValidationIssue(`a line of at most ${this.#maxLength} characters`, this.#partialLine)
      : this.#partialLine
    this.#partialLine = ''
    this.#isTooLong = false
    return line
  }
}

/** A record of a load, or its issue. */
export type ParsedRecord = ParsedItem & {
  /** The number of the line or the item, from 1. Blank lines are counted too. */
  readonly line: number
  readonly unit: 'Line' | 'Item'
  /** The approximate length of the record as text. */
  readonly length: number
}

/** The approximate number of bytes that are decoded at once. Decoding a large chunk takes long. */
const BYTES_PER_PIECE = 2 ** 16

const BOM = '\ufeff'
const BLANK_LINE = /^\s*$/

const parseLine = (line: string | ValidationIssue): unknown => {
  if (line instanceof ValidationIssue) throw line
  if (!line.isWellFormed()) throw new ValidationIssue('well-formed Unicode', line)
  try {
    return JSON.parse(line)
  } catch {
    throw new ValidationIssue('valid JSON', line)
  }
}

/**
 * Reads records from the chunks of a load. An object is one record. Text and bytes are NDJSON, split
 * anywhere.
 */
export class RecordReader {
  readonly #decoder = new Utf8Decoder()
  readonly #splitter = new LineSplitter()
  readonly #kind: IdKind
  #lineNumber = 0

  /** `kind` is the kind of the ids of the graph. */
  constructor(kind: IdKind) {
    this.#kind = kind
  }

  /**
   * Returns the records that this chunk completes, and undefined for each blank line. The result can be
   * iterated only once.
   */
  read(chunk: unknown): Iterable<ParsedRecord | undefined> {
    if (typeof chunk === 'string') return this.#readText(chunk)
    if (chunk instanceof Uint8Array) return this.#readBytes(chunk)
    const item = deepCopy(chunk)
    return [
      {
        line: ++this.#lineNumber,
        unit: 'Item',
        length: estimateLength(item),
        parsed: tryParse(() => parseLoadRecord(this.#kind, item)),
      },
    ]
  }

  *finish(): Generator<ParsedRecord | undefined> {
    yield* this.#readText(this.#decoder.finish())
    yield this.#readLine(this.#splitter.finish())
  }

  /** Decodes bytes piece by piece. A piece ends with a line break, so no line is split. */
  *#readBytes(bytes: Uint8Array): Generator<ParsedRecord | undefined> {
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start + BYTES_PER_PIECE)
      const end = newline === -1 ? bytes.length : newline + 1
      yield* this.#readText(this.#decoder.decode(bytes.subarray(start, end)))
      start = end
    }
  }

  *#readText(text: string): Generator<ParsedRecord | undefined> {
    for (const line of this.#splitter.split(text)) yield this.#readLine(line)
  }

  #readLine(line: string | ValidationIssue): ParsedRecord | undefined {
    const lineNumber = ++this.#lineNumber
    if (typeof line === 'string' && BLANK_LINE.test(line)) return undefined
    const hasBom = lineNumber === 1 && typeof line === 'string' && line.startsWith(BOM)
    const lineWithoutBom = hasBom ? line.slice(BOM.length) : line
    return {
      line: lineNumber,
      unit: 'Line',
      length: typeof line === 'string' ? line.length : 0,
      parsed: tryParse(() => parseLoadRecord(this.#kind, parseLine(lineWithoutBom))),
    }
  }
}
