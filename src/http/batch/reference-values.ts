import { GraphError } from '../../base/faults.ts'
import type { Turns } from '../../base/turns.ts'
import { requestTooLarge } from '../read-body.ts'
import type { Reference, ReferringText } from './references.ts'
import { select } from './select.ts'
import type { StepBudget } from './step-budget.ts'

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Levels of a value that is printed: a printer that recurses has no stack for many more. */
const DEEPEST = 1000

/** How long a value is at least as text. Each value inside of it is a step of the budget, and one that is too deep all of them. */
const leastLength = (value: unknown, budget: StepBudget): number => {
  let length = 0
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) budget.take(Number.POSITIVE_INFINITY)
    const inner: unknown[] = []
    for (const one of level) {
      if (typeof one === 'string') length += one.length
      if (!isContainer(one)) continue
      const members: unknown[] = Object.values(one)
      budget.take(members.length)
      for (const member of members) inner.push(member)
    }
    level = inner
  }
  return length
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What the references of a batch stand for, each path of a response evaluated once. */
export class ReferenceValues {
  readonly #budget: StepBudget
  readonly #limit: number
  #charactersLeft: number
  readonly #bodies = new Map<string, string>()
  readonly #parsing = new Map<string, Promise<void>>()
  readonly #documents = new Map<string, unknown>()
  readonly #texts = new Map<string, Map<string, string>>()

  /** @param limit characters that references put into all items together. */
  constructor(budget: StepBudget, limit: number) {
    this.#budget = budget
    this.#limit = limit
    this.#charactersLeft = limit
  }

  /** Keeps the body of the response to the item of a name; a response without one holds nothing. */
  keep(name: string, body: string | undefined): void {
    if (body !== undefined) this.#bodies.set(name, body)
  }

  /**
   * Parses the responses that a text refers to, each once, and each in a turn of its own: 4 MiB take as long as all steps of
   * the budget.
   */
  async parse({ references }: ReferringText, turns: Turns): Promise<void> {
    for (const { name } of references) {
      const parsing = this.#parsing.get(name) ?? this.#parse(name, turns)
      this.#parsing.set(name, parsing)
      await parsing
    }
  }

  async #parse(name: string, turns: Turns): Promise<void> {
    await turns.next()
    this.#documents.set(name, JSON.parse(this.#bodies.get(name) ?? 'null'))
    this.#bodies.delete(name)
  }

  /**
   * A text with its references replaced, each encoded as a query has it; what replaces them is not read again.
   *
   * @throws GraphError `too_costly`, `deadline`; `request_too_large` for a text of more than `most` characters, and for
   * more characters than all items get together.
   */
  resolve({ text, references }: ReferringText, part: 'URL' | 'body', most: number): string {
    if (references.length === 0) return text
    // Once it is exceeded, no text is resolved, even one whose paths are all known.
    this.#budget.take(0)
    let resolved = ''
    let at = 0
    for (const reference of references) {
      resolved += text.slice(at, reference.from) + this.#textOf(reference)
      at = reference.to
      if (resolved.length > most) throw requestTooLarge(part, most)
    }
    return resolved + text.slice(at)
  }

  #textOf(reference: Reference): string {
    const { name, pathText } = reference
    const texts = this.#texts.get(name) ?? new Map<string, string>()
    this.#texts.set(name, texts)
    const text = texts.get(pathText) ?? this.#evaluate(reference)
    texts.set(pathText, text)
    this.#take(text.length)
    return text
  }

  #take(characters: number): void {
    this.#charactersLeft -= characters
    if (this.#charactersLeft < 0)
      throw new GraphError(
        'request_too_large',
        `(#1) The references of a batch stand for at most ${this.#limit} characters`,
        { limit: this.#limit },
      )
  }

  /** All that a path leads to, with commas between. */
  #evaluate({ name, path }: Reference): string {
    const found = select(this.#documents.get(name), path, this.#budget).filter(value => value !== null)
    let length = found.length
    for (const value of found) length += leastLength(value, this.#budget)
    if (length > this.#charactersLeft) this.#take(length)
    return encodeURIComponent(found.map(textOf).join(',').toWellFormed())
  }
}
