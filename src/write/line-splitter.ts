import { Mismatch } from '../schema/field-type.ts'

/** The most UTF-16 code units of a line: what keeps a load in bounded memory whatever is sent. */
const LONGEST = 2 ** 20

/** What a fault shows of a line that is too long. */
const HEAD = 100

/** Cuts text that comes in pieces into lines; a line that is too long is let go of while it is still coming. */
export class LineSplitter {
  #begun = ''
  #tooLong = false;

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
    this.#begun += piece
    this.#tooLong = this.#begun.length > LONGEST
    if (this.#tooLong) this.#begun = this.#begun.slice(0, HEAD)
  }

  #take(): string | Mismatch {
    const line = this.#tooLong
      ? new Mismatch(`a line of at most ${LONGEST} characters`, this.#begun)
      : this.#begun
    this.#begun = ''
    this.#tooLong = false
    return line
  }
}
