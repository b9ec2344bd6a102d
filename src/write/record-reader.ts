import { Mismatch } from '../schema/field-type.ts'
import { type Drafted, draftOfRecord, readDraft } from './draft.ts'
import { LineSplitter } from './line-splitter.ts'
import { ownCopy } from './own-copy.ts'
import { Utf8Decoder } from './utf8-decoder.ts'

/** A record of a load, or why it cannot be read. */
export type LoadedRecord = Drafted & {
  /** 1-based: of the line in text, blank ones counted, or of the item. */
  readonly line: number
  readonly unit: 'Line' | 'Item'
}

const BOM = '\ufeff'
const BLANK = /^\s*$/

const parseLine = (line: string | Mismatch): unknown => {
  if (line instanceof Mismatch) throw line
  if (!line.isWellFormed()) throw new Mismatch('well-formed Unicode', line)
  try {
    return JSON.parse(line)
  } catch {
    throw new Mismatch('JSON', line)
  }
}

/** Reads records out of what a load is given: objects as they are, text and bytes as NDJSON cut anywhere. */
export class RecordReader {
  readonly #decoder = new Utf8Decoder()
  readonly #splitter = new LineSplitter()
  #line = 0

  /** The records that the chunk ends; each can be read once. */
  read(chunk: unknown): Iterable<LoadedRecord> {
    if (typeof chunk === 'string') return this.#readText(chunk)
    if (chunk instanceof Uint8Array) return this.#readText(this.#decoder.decode(chunk))
    return [{ line: ++this.#line, unit: 'Item', draft: readDraft(() => draftOfRecord(ownCopy(chunk))) }]
  }

  *end(): Generator<LoadedRecord> {
    yield* this.#readText(this.#decoder.end())
    const last = this.#readLine(this.#splitter.end())
    if (last !== undefined) yield last
  }

  *#readText(text: string): Generator<LoadedRecord> {
    for (const line of this.#splitter.split(text)) {
      const record = this.#readLine(line)
      if (record !== undefined) yield record
    }
  }

  #readLine(line: string | Mismatch): LoadedRecord | undefined {
    const number = ++this.#line
    if (typeof line === 'string' && BLANK.test(line)) return undefined
    const first = number === 1 && typeof line === 'string' && line.startsWith(BOM)
    const text = first ? line.slice(BOM.length) : line
    return { line: number, unit: 'Line', draft: readDraft(() => draftOfRecord(parseLine(text))) }
  }
}
