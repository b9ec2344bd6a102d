import { Mismatch } from '../schema/field-type.ts'

/** The most UTF-16 code units of a line that comes in pieces: half of the longest text that every engine can hold. */
const LONGEST = 2 ** 28

/** What a fault shows of a line that is too long. */
const HEAD = 100

/** The begin of a text, copied: a slice would keep all of the text in memory. */
const headOf = (text: string): string => Array.from(text.slice(0, HEAD)).join('')

/**
 * Cuts text that comes in pieces into lines; a line that is too long is let go of while it is still coming. One that
 * comes in a single piece is in memory already, and as long as it likes.
 */
export class LineSplitter {
  readonly #longest: number
  #begun = ''
  #tooLong = false

  constructor(longest = LONGEST) {
    this.#longest = longest
  }

  /** The lines that the text ends, without their line breaks. */
  *split(text: string): Generator<string | Mismatch> {
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#add(text.slice(start, end))
      yield this.#take()
      start = end + 1
    }
    this.#add(text.slice(start))
  }

  /** The last line, which may end without a line break. */
  end(): string | Mismatch {
    return this.#take()
  }

  #add(piece: string): void {
    if (this.#tooLong) return
    this.#tooLong = this.#begun !== '' && this.#begun.length + piece.length > this.#longest
    this.#begun = this.#tooLong ? headOf(this.#begun) : this.#begun + piece
  }

  #take(): string | Mismatch {
    const line = this.#tooLong
      ? new Mismatch(`a line of at most ${this.#longest} characters`, this.#begun)
      : this.#begun
    this.#begun = ''
    this.#tooLong = false
    return line
  }
}
