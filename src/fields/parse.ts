import { describe, withoutSecrets } from '../base/describe.ts'
import { badParameter, GraphError } from '../base/faults.ts'
import { isName } from '../base/names.ts'
import { textOf } from './argument.ts'
import type { FieldExpression, FieldItem, Modifier } from './expression.ts'
import { stripWhiteSpace } from './strip.ts'

/** What the text of an expression may be at the most. */
export type TextLimits = {
  /** Characters. */
  readonly length: number
  /** Levels of `{…}`, the outermost included. */
  readonly depth: number
  /** Names, on all levels together. */
  readonly items: number
}

const CLOSERS: { readonly [opener: string]: string | undefined } = { '(': ')', '[': ']', '{': '}' }

const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95

const isNamePart = (code: number): boolean => isNameStart(code) || (code >= 48 && code <= 57)

/** Whether a character of an argument neither opens nor closes anything, nor is the end, as in `10` and `MQ==`. */
const isPlain = (code: number): boolean => isNamePart(code) || (code >= 42 && code <= 61)

/** The text of one expression and how far it has been read. */
class Reader {
  readonly text: string
  readonly #limits: TextLimits
  #at = 0
  #items = 0

  constructor(text: string, limits: TextLimits) {
    this.text = text
    this.#limits = limits
  }

  /** Whether a character is next; '' is the end. */
  isAt(character: string): boolean {
    return this.text.charAt(this.#at) === character
  }

  fault(expected: string): GraphError {
    const code = this.text.codePointAt(this.#at)
    const came = code === undefined ? 'the end' : `"${String.fromCodePoint(code)}"`
    const text = withoutSecrets(this.text)
    return new GraphError(
      'syntax',
      `Syntax error at character ${this.#at}: expected ${expected}, came ${came}: ${text}`,
      { position: this.#at, expected, came, text },
    )
  }

  duplicate(what: string): GraphError {
    const text = withoutSecrets(this.text)
    return new GraphError(
      'duplicate',
      `Syntax error at character ${this.#at}: ${what} is specified more than once: ${text}`,
      { position: this.#at, text },
    )
  }

  takes(character: string): boolean {
    if (!this.isAt(character)) return false
    this.#at++
    return true
  }

  name(): string {
    const start = this.#at
    if (!isNameStart(this.text.charCodeAt(start))) throw this.fault('a name')
    let end = start + 1
    while (isNamePart(this.text.charCodeAt(end))) end++
    this.#at = end
    return this.text.slice(start, end)
  }

  /** The text up to the parenthesis that closes the argument, which is taken too. */
  argument(): string {
    const start = this.#at
    while (isPlain(this.text.charCodeAt(this.#at))) this.#at++
    const open: string[] = [')']
    for (;;) {
      const character = this.text.charAt(this.#at)
      if (character === '') throw this.fault(open.at(-1) === '"' ? 'a closing quote' : `"${open.at(-1)}"`)
      this.#at++
      if (open.at(-1) === '"') {
        if (character === '\\') this.#at++
        else if (character === '"') open.pop()
      } else if (character === '"') open.push('"')
      else if (CLOSERS[character] !== undefined) open.push(CLOSERS[character])
      else if (character === ')' || character === ']' || character === '}') this.#close(open, character)
      if (open.length === 0) return this.text.slice(start, this.#at - 1)
    }
  }

  #close(open: string[], character: string): void {
    if (open.pop() === character) return
    this.#at--
    throw this.fault('brackets that match')
  }

  countItem(): void {
    if (++this.#items > this.#limits.items) {
      throw tooMuch('expression_too_wide', 'items', this.#limits.items, this.#items)
    }
  }

  assertDepth(depth: number): void {
    if (depth > this.#limits.depth) throw tooMuch('expression_too_deep', 'levels', this.#limits.depth, depth)
  }
}

/** `came` is where reading stopped: the first that was too much. */
const tooMuch = (
  reason: 'expression_too_long' | 'expression_too_deep' | 'expression_too_wide',
  what: string,
  limit: number,
  came: number,
): GraphError =>
  new GraphError(reason, `(#1) The field expression is too large: at most ${limit} ${what}, came ${came}`, {
    limit,
    came,
  })

/** What stands behind a name, as far as it is in call form: the old `.fields(…)` is no modifier. */
type Calls = Pick<FieldItem, 'modifiers' | 'fields'>

const NO_CALLS: Calls = Object.freeze({ modifiers: Object.freeze([]), fields: undefined })

const readCalls = (reader: Reader, depth: number): Calls => {
  let modifiers: readonly Modifier[] = []
  let fields: FieldExpression | undefined
  while (reader.takes('.')) {
    const name = reader.name()
    if (modifiers.some(modifier => modifier.name === name) || (name === 'fields' && fields)) {
      throw reader.duplicate(`modifier ${name}`)
    }
    if (!reader.takes('(')) throw reader.fault('"("')
    if (name === 'fields') fields = readItems(reader, depth + 1, ')')
    else modifiers = [...modifiers, { name, argument: reader.argument() }]
  }
  return { modifiers, fields }
}

const keyOf = (name: string, modifiers: readonly Modifier[]): string => {
  const modifier = modifiers.find(({ name: word }) => word === 'as')
  if (modifier === undefined) return name
  const alias = textOf(modifier.argument)
  if (!isName(alias)) throw badParameter('as', 'a name such as latest_photos', describe(alias))
  return alias
}

const readItem = (reader: Reader, depth: number): FieldItem => {
  const name = reader.name()
  const { modifiers, fields: called } = reader.isAt('.') ? readCalls(reader, depth) : NO_CALLS
  if (called !== undefined && reader.isAt('{')) throw reader.duplicate('the list of fields')
  const fields = reader.takes('{') ? readItems(reader, depth + 1, '}') : called
  return { name, key: keyOf(name, modifiers), modifiers, fields }
}

const isTaken = (key: string, items: readonly FieldItem[]): boolean => {
  for (const item of items) if (item.key === key) return true
  return false
}

/** The items up to `closer`, which is taken too; '' stands for the end of the text. */
const readItems = (reader: Reader, depth: number, closer: string): FieldExpression => {
  reader.assertDepth(depth)
  const items: FieldItem[] = []
  for (;;) {
    const item = readItem(reader, depth)
    if (isTaken(item.key, items)) throw reader.duplicate(`field ${item.key}`)
    reader.countItem()
    items.push(item)
    if (closer === '' ? reader.isAt('') : reader.takes(closer)) return items
    if (!reader.takes(',')) throw reader.fault(closer === '' ? '"," or the end' : `"," or "${closer}"`)
  }
}

/**
 * Parses a field expression. An empty one, or one of white space alone, has no items and stands for the defaults.
 *
 * @throws GraphError `syntax` with the position, what was expected and the text without white space and secrets; `duplicate`;
 * `expression_too_long`, `_too_deep`, `_too_wide` with the limit and what came; `bad_parameter` for an alias that is
 * no name, or text that is no well-formed Unicode.
 */
export const parseFields = (text: string, limits: TextLimits): FieldExpression => {
  if (text.length > limits.length)
    throw tooMuch('expression_too_long', 'characters', limits.length, text.length)
  if (!text.isWellFormed()) {
    throw badParameter('fields', 'well-formed text', 'text with half of a surrogate pair')
  }
  const reader = new Reader(stripWhiteSpace(text), limits)
  return reader.text === '' ? [] : readItems(reader, 1, '')
}
