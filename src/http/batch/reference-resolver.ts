import { GraphError } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { TurnQueue } from '../../base/turn-queue.ts'
import { requestTooLargeError } from '../read-body.ts'
import { evaluateJsonPath } from './evaluate-json-path.ts'
import type { Notation, Reference, TextWithReferences } from './references.ts'
import type { StepBudget } from './step-budget.ts'

/**
 * The maximum depth of a value that is converted to text. `JSON.stringify` is recursive, and much deeper
 * values overflow the stack.
 */
const MAX_VALUE_DEPTH = 1000

/**
 * Returns a lower bound for the length of a value as text. Each inner value takes one step from the budget. A
 * value that is nested too deeply exceeds the budget.
 */
const computeMinTextLength = (value: unknown, budget: StepBudget): number => {
  let length = 0
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VALUE_DEPTH) budget.take(Number.POSITIVE_INFINITY)
    const inner: unknown[] = []
    for (const value of level) {
      if (typeof value === 'string') length += value.length
      if (!isObject(value)) continue
      const members: unknown[] = Object.values(value)
      budget.take(members.length)
      for (const member of members) inner.push(member)
    }
    level = inner
  }
  return length
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The functions that encode a value for the text that it is inserted into. */
const ENCODERS: { readonly [notation in Notation]: (text: string) => string } = {
  url: encodeURIComponent,
  json: text => JSON.stringify(text).slice(1, -1),
}

/** Resolves the references of a batch. Evaluates each path in a response only once. */
export class ReferenceResolver {
  readonly #budget: StepBudget
  readonly #maxCharacters: number
  #remainingCharacters: number
  readonly #bodies = new Map<string, string>()
  readonly #pendingDocuments = new Map<string, Promise<void>>()
  readonly #documents = new Map<string, unknown>()
  /** The encoded values by the name of their item, their notation and their path. */
  readonly #texts = new Map<string, { readonly [notation in Notation]: Map<string, string> }>()

  /** @param maxCharacters The maximum number of characters that references insert into all items together. */
  constructor(budget: StepBudget, maxCharacters: number) {
    this.#budget = budget
    this.#maxCharacters = maxCharacters
    this.#remainingCharacters = maxCharacters
  }

  /**
   * Stores the body of the response to the named item. References to a response without a body find no
   * values.
   */
  addResponseBody(name: string, body: string | undefined): void {
    if (body !== undefined) this.#bodies.set(name, body)
  }

  /**
   * Parses the responses that a text refers to. Each response is parsed once, in a separate turn of the event
   * loop, because parsing 4 MiB takes as long as all steps of the budget.
   */
  async parseResponses({ references }: TextWithReferences, turnQueue: TurnQueue): Promise<void> {
    for (const { name } of references) {
      const parsing = this.#pendingDocuments.get(name) ?? this.#parseResponse(name, turnQueue)
      this.#pendingDocuments.set(name, parsing)
      await parsing
    }
  }

  async #parseResponse(name: string, turnQueue: TurnQueue): Promise<void> {
    await turnQueue.waitForTurn()
    this.#documents.set(name, JSON.parse(this.#bodies.get(name) ?? 'null'))
    this.#bodies.delete(name)
  }

  /**
   * Returns a text with its references replaced by values. Values are encoded as in a query, or with the
   * escapes of a JSON string and without quotes. References in inserted text are not resolved.
   *
   * @throws GraphError `query_too_expensive`, `timeout`; `request_too_large` if the text has more than `max`
   * characters, or if the references of all items insert too many characters.
   */
  resolve({ text, notation, references }: TextWithReferences, part: 'URL' | 'body', max: number): string {
    if (references.length === 0) return text
    // After the budget is exceeded, no text is resolved, even if all its values are cached.
    this.#budget.take(0)
    let resolved = ''
    let copiedEnd = 0
    for (const reference of references) {
      resolved += text.slice(copiedEnd, reference.start) + this.#resolveReference(reference, notation)
      copiedEnd = reference.end
      if (resolved.length > max) throw requestTooLargeError(part, max)
    }
    return resolved + text.slice(copiedEnd)
  }

  #resolveReference(reference: Reference, notation: Notation): string {
    const { name, pathText } = reference
    const texts = this.#texts.get(name) ?? { url: new Map<string, string>(), json: new Map<string, string>() }
    this.#texts.set(name, texts)
    const text = texts[notation].get(pathText) ?? ENCODERS[notation](this.#evaluate(reference))
    texts[notation].set(pathText, text)
    this.#takeCharacters(text.length)
    return text
  }

  #takeCharacters(characters: number): void {
    this.#remainingCharacters -= characters
    if (this.#remainingCharacters < 0)
      throw new GraphError(
        'request_too_large',
        `(#1) The references of a batch must insert at most ${this.#maxCharacters} characters`,
        { limit: this.#maxCharacters },
      )
  }

  /** Returns the values at a path, except `null`, as text that is joined with commas. */
  #evaluate({ name, path }: Reference): string {
    const values = evaluateJsonPath(this.#documents.get(name), path, this.#budget).filter(
      value => value !== null,
    )
    let length = values.length
    for (const value of values) length += computeMinTextLength(value, this.#budget)
    if (length > this.#remainingCharacters) this.#takeCharacters(length)
    return values.map(toText).join(',').toWellFormed()
  }
}
