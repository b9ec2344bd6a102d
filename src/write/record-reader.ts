import { ValidationIssue } from '../schema/field-type.ts'
import { deepCopy } from './deep-copy.ts'
import { LineSplitter } from './line-splitter.ts'
import { type ParsedItem, parseLoadRecord, tryParse } from './parsed-mutation.ts'
import { Utf8Decoder } from './utf8-decoder.ts'

/** A record of a load, or its issue. */
export type ParsedRecord = ParsedItem & {
  /** 1-based: the number of the line in text, including blank ones, or of the item. */
  readonly line: number
  readonly unit: 'Line' | 'Item'
}

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
 * Reads records from the chunks of a load: objects unchanged, text and bytes as NDJSON that is split
 * anywhere.
 */
export class RecordReader {
  readonly #decoder = new Utf8Decoder()
  readonly #splitter = new LineSplitter()
  #lineNumber = 0

  /** Returns the records that end in the chunk; each can be read once. */
  read(chunk: unknown): Iterable<ParsedRecord> {
    if (typeof chunk === 'string') return this.#readText(chunk)
    if (chunk instanceof Uint8Array) return this.#readText(this.#decoder.decode(chunk))
    return [
      { line: ++this.#lineNumber, unit: 'Item', parsed: tryParse(() => parseLoadRecord(deepCopy(chunk))) },
    ]
  }

  *finish(): Generator<ParsedRecord> {
    yield* this.#readText(this.#decoder.finish())
    const last = this.#readLine(this.#splitter.finish())
    if (last !== undefined) yield last
  }

  *#readText(text: string): Generator<ParsedRecord> {
    for (const line of this.#splitter.split(text)) {
      const record = this.#readLine(line)
      if (record !== undefined) yield record
    }
  }

  #readLine(line: string | ValidationIssue): ParsedRecord | undefined {
    const lineNumber = ++this.#lineNumber
    if (typeof line === 'string' && BLANK_LINE.test(line)) return undefined
    const hasBom = lineNumber === 1 && typeof line === 'string' && line.startsWith(BOM)
    const lineWithoutBom = hasBom ? line.slice(BOM.length) : line
    return {
      line: lineNumber,
      unit: 'Line',
      parsed: tryParse(() => parseLoadRecord(parseLine(lineWithoutBom))),
    }
  }
}
