import { describeValue, maskPossibleSecrets } from '../base/describe.ts'
import { GraphError, invalidParameterError } from '../base/errors.ts'
import { isName } from '../base/names.ts'
import type { FieldExpression, FieldItem, Modifier } from './expression.ts'

/** The limits of the text of an expression. */
export type ExpressionLimits = {
  /** Characters. */
  readonly length: number
  /** The maximum number of levels, including the outermost level. */
  readonly depth: number
  /** The maximum number of names, on all levels together. */
  readonly fields: number
}

const WHITE_SPACE = /\s/

/**
 * Removes the white space between the tokens of a field expression. White space inside the quotes of an
 * argument remains, because it is part of a value. Positions in errors refer to the stripped text.
 */
export const stripWhiteSpace = (text: string): string => {
  if (!WHITE_SPACE.test(text)) return text
  let strippedText = ''
  let openParentheses = 0
  let isQuoted = false
  for (let position = 0; position < text.length; position++) {
    const character = text.charAt(position)
    if (isQuoted && character === '\\') {
      strippedText += character + text.charAt(++position)
      continue
    }
    if (character === '"' && openParentheses > 0) isQuoted = !isQuoted
    if (!isQuoted && character === '(') openParentheses++
    if (!isQuoted && character === ')') openParentheses--
    if (isQuoted || !WHITE_SPACE.test(character)) strippedText += character
  }
  return strippedText
}

const CLOSING_BRACKETS: { readonly [opener: string]: string | undefined } = { '(': ')', '[': ']', '{': '}' }

const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95

const isNamePart = (code: number): boolean => isNameStart(code) || (code >= 48 && code <= 57)

/**
 * Whether a character of an argument is plain, as in `10` and `MQ==`: not a bracket, a quote or the end of
 * the text.
 */
const isPlainArgumentCode = (code: number): boolean => isNamePart(code) || (code >= 42 && code <= 61)

/** Reads the text of one expression from left to right. */
class ExpressionReader {
  readonly text: string
  readonly #limits: ExpressionLimits
  #position = 0
  #fieldCount = 0

  constructor(text: string, limits: ExpressionLimits) {
    this.text = text
    this.#limits = limits
  }

  /** Whether a character is the next one. '' stands for the end of the text. */
  isNext(character: string): boolean {
    return this.text.charAt(this.#position) === character
  }

  syntaxError(expected: string): GraphError {
    const code = this.text.codePointAt(this.#position)
    const received = code === undefined ? 'the end' : `"${String.fromCodePoint(code)}"`
    const text = maskPossibleSecrets(this.text)
    return new GraphError(
      'invalid_syntax',
      `Syntax error "Expected ${expected} instead of ${received}." at character ${this.#position}: ${text}`,
      { position: this.#position, expected, received, text },
    )
  }

  duplicateError(subject: string): GraphError {
    const text = maskPossibleSecrets(this.text)
    return new GraphError(
      'duplicate_name',
      `Syntax error "${subject} specified more than once." at character ${this.#position}: ${text}`,
      { position: this.#position, text },
    )
  }

  consumeIf(character: string): boolean {
    if (!this.isNext(character)) return false
    this.#position++
    return true
  }

  readName(): string {
    const start = this.#position
    if (!isNameStart(this.text.charCodeAt(start))) throw this.syntaxError('a name')
    let end = start + 1
    while (isNamePart(this.text.charCodeAt(end))) end++
    this.#position = end
    return this.text.slice(start, end)
  }

  /** Reads an argument and its closing parenthesis. Returns the text of the argument. */
  readArgument(): string {
    const start = this.#position
    while (isPlainArgumentCode(this.text.charCodeAt(this.#position))) this.#position++
    const expectedClosers: string[] = [')']
    for (;;) {
      const character = this.text.charAt(this.#position)
      if (character === '')
        throw this.syntaxError(
          expectedClosers.at(-1) === '"' ? 'a closing quote' : `"${expectedClosers.at(-1)}"`,
        )
      this.#position++
      if (expectedClosers.at(-1) === '"') {
        if (character === '\\') this.#position++
        else if (character === '"') expectedClosers.pop()
      } else if (character === '"') expectedClosers.push('"')
      else if (CLOSING_BRACKETS[character] !== undefined) expectedClosers.push(CLOSING_BRACKETS[character])
      else if (character === ')' || character === ']' || character === '}')
        this.#closeBracket(expectedClosers, character)
      if (expectedClosers.length === 0) return this.text.slice(start, this.#position - 1)
    }
  }

  #closeBracket(expectedClosers: string[], character: string): void {
    if (expectedClosers.pop() === character) return
    this.#position--
    throw this.syntaxError('brackets that match')
  }

  countField(): void {
    if (++this.#fieldCount > this.#limits.fields) {
      throw expressionTooLargeError('expression_too_wide', 'fields', this.#limits.fields, this.#fieldCount)
    }
  }

  assertDepth(depth: number): void {
    if (depth > this.#limits.depth)
      throw expressionTooLargeError('expression_too_deep', 'levels', this.#limits.depth, depth)
  }
}

/**
 * Creates the error of an expression that exceeds a limit. `received` is the number at which parsing stopped.
 */
const expressionTooLargeError = (
  reason: 'expression_too_long' | 'expression_too_deep' | 'expression_too_wide',
  unit: string,
  limit: number,
  received: number,
): GraphError =>
  new GraphError(reason, `(#1) The field expression must be at most ${limit} ${unit}; received ${received}`, {
    limit,
    received,
  })

/** The parts of an item in call form. The old `.fields(…)` is not a modifier. */
type ModifierCalls = Pick<FieldItem, 'modifiers' | 'fields'>

const NO_MODIFIER_CALLS: ModifierCalls = Object.freeze({ modifiers: Object.freeze([]), fields: undefined })

const readModifierCalls = (reader: ExpressionReader, depth: number): ModifierCalls => {
  let modifiers: readonly Modifier[] = []
  let fields: FieldExpression | undefined
  while (reader.consumeIf('.')) {
    const name = reader.readName()
    if (modifiers.some(modifier => modifier.name === name) || (name === 'fields' && fields)) {
      throw reader.duplicateError(`Modifier ${name}`)
    }
    if (!reader.consumeIf('(')) throw reader.syntaxError('"("')
    if (name === 'fields') fields = readItems(reader, depth + 1, ')')
    else modifiers = [...modifiers, { name, argument: reader.readArgument() }]
  }
  return { modifiers, fields }
}

/**
 * Returns the text of an argument. An argument in quotes, such as `"a b"`, is parsed as a JSON string. Other
 * text is returned unchanged.
 */
export const unquoteArgument = (argument: string): string => {
  if (!argument.startsWith('"')) return argument
  try {
    const text: unknown = JSON.parse(argument)
    return typeof text === 'string' ? text : argument
  } catch {
    return argument
  }
}

const readKey = (name: string, modifiers: readonly Modifier[]): string => {
  const modifier = modifiers.find(({ name: modifierName }) => modifierName === 'as')
  if (modifier === undefined) return name
  const alias = unquoteArgument(modifier.argument)
  if (!isName(alias)) throw invalidParameterError('as', 'a name such as latest_photos', describeValue(alias))
  return alias
}

const readItem = (reader: ExpressionReader, depth: number): FieldItem => {
  const name = reader.readName()
  const { modifiers, fields: fieldsFromModifier } = reader.isNext('.')
    ? readModifierCalls(reader, depth)
    : NO_MODIFIER_CALLS
  if (fieldsFromModifier !== undefined && reader.isNext('{')) throw reader.duplicateError('List of fields')
  const fields = reader.consumeIf('{') ? readItems(reader, depth + 1, '}') : fieldsFromModifier
  return { name, key: readKey(name, modifiers), modifiers, fields }
}

const hasKey = (key: string, items: readonly FieldItem[]): boolean => {
  for (const item of items) if (item.key === key) return true
  return false
}

/** Reads the items up to and including `closingBracket`; '' means the end of the text. */
const readItems = (reader: ExpressionReader, depth: number, closingBracket: string): FieldExpression => {
  reader.assertDepth(depth)
  const items: FieldItem[] = []
  for (;;) {
    const item = readItem(reader, depth)
    if (hasKey(item.key, items)) throw reader.duplicateError(`Field ${item.key}`)
    reader.countField()
    items.push(item)
    if (closingBracket === '' ? reader.isNext('') : reader.consumeIf(closingBracket)) return items
    if (!reader.consumeIf(','))
      throw reader.syntaxError(closingBracket === '' ? '"," or the end' : `"," or "${closingBracket}"`)
  }
}

/**
 * Parses a field expression. An expression that is empty or contains only white space has no items, and
 * selects the default fields.
 *
 * @throws GraphError `invalid_syntax` with the position, the expected and received tokens, and the text with
 * masked secrets and without white space; `duplicate_name`; `expression_too_long`, `_too_deep`, `_too_wide`
 * with the limit and the received number; `invalid_parameter` for an alias that is not a name, or text that
 * is not well-formed Unicode.
 */
export const parseFields = (text: string, limits: ExpressionLimits): FieldExpression => {
  if (text.length > limits.length)
    throw expressionTooLargeError('expression_too_long', 'characters', limits.length, text.length)
  if (!text.isWellFormed()) {
    throw invalidParameterError('fields', 'a well-formed string', 'a string with half of a surrogate pair')
  }
  const reader = new ExpressionReader(stripWhiteSpace(text), limits)
  return reader.text === '' ? [] : readItems(reader, 1, '')
}
