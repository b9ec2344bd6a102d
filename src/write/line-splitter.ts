import { ValidationIssue } from '../schema/field-type.ts'

/**
 * The maximum number of UTF-16 code units of a line that arrives in chunks: half of the longest string of
 * every engine.
 */
const DEFAULT_MAX_LENGTH = 2 ** 28

/** The number of characters of a too long line that an error shows. */
const MAX_SHOWN_LENGTH = 100

/** Copies the beginning of a text, since a slice would keep all of it in memory. */
const copyBeginning = (text: string): string => Array.from(text.slice(0, MAX_SHOWN_LENGTH)).join('')

/**
 * Splits chunks of text into lines. A line that is too long is discarded while it arrives. A line in a single
 * chunk is in memory already, and may have any length.
 */
export class LineSplitter {
  readonly #maxLength: number
  #partialLine = ''
  #isTooLong = false

  constructor(maxLength = DEFAULT_MAX_LENGTH) {
    this.#maxLength = maxLength
  }

  /** Generates the lines that end in the text, without their line breaks. */
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
