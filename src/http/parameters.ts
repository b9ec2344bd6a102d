import { isCallParameter } from '../base/call-parameters.ts'
import { describeValue, shortenText } from '../base/describe.ts'
import { type GraphError, invalidParameterError } from '../base/errors.ts'
import { MAX_PARAMETERS, tooManyParametersError, type ValueBudget } from './value-budget.ts'

/**
 * A parameter as it was sent: its name, its text and, from a JSON body, its value. The text of a JSON value is
 * the text that a query would have.
 */
export type RawParameter = readonly [name: string, text: string, value?: unknown]

const COMMA = 0x2c

/**
 * The parameters that the routes read. `height`, `input_token`, `type` and `width` belong to paths without an
 * edge, so an edge may have parameters of these names. Clients send many others.
 */
const PARAMETER_NAMES = [
  'access_token',
  'after',
  'appsecret_proof',
  'batch',
  'before',
  'debug',
  'fields',
  'height',
  'id',
  'ids',
  'include_headers',
  'input_token',
  'limit',
  'metadata',
  'method',
  'node_type',
  'offset',
  'order',
  'partial',
  'pretty',
  'redirect',
  'since',
  'summary',
  'type',
  'until',
  'width',
] as const

/** The name of a supported parameter. */
export type ParameterName = (typeof PARAMETER_NAMES)[number]

const KNOWN_PARAMETER_NAMES: ReadonlySet<string> = new Set(PARAMETER_NAMES)

/** An item of a list in PHP syntax: `fields[]`, `fields[0]`. */
const FIELDS_ITEM_PATTERN = /^fields\[\d{0,9}\]$/

/** The beginning of JSON that was sent as a form, and of no name of a parameter. */
const JSON_START_PATTERN = /^\s*[[{]/

const severalValuesError = (name: string): GraphError =>
  invalidParameterError(shortenText(name), 'one value', 'two different values')

/** The parameters of a request, from its query and its body. Each parameter has one value. */
export class RequestParameters {
  readonly #texts = new Map<string, string>()
  /** The values of `fields[]` and `fields[0]`, in order. */
  readonly #fields: string[] = []
  /** The parameters that do not belong to a call. They are checked only if the path has an edge. */
  readonly #otherParameters: RawParameter[] = []

  readonly #valueBudget: ValueBudget

  /**
   * @throws GraphError `invalid_parameter` for a parameter with two different values, because it is unclear
   * which one applies; `request_too_large` for too many parameters.
   */
  constructor(valueBudget: ValueBudget, ...sources: readonly Iterable<RawParameter>[]) {
    this.#valueBudget = valueBudget
    let parameterCount = 0
    for (const source of sources) {
      for (const parameter of source) {
        if (++parameterCount > MAX_PARAMETERS) throw tooManyParametersError()
        this.#add(parameter)
      }
    }
    if (this.#fields.length > 0 && this.getText('fields') !== undefined)
      throw invalidParameterError('fields', 'left out if "fields[]" is given', 'both')
  }

  #add(parameter: RawParameter): void {
    const [name, text, value] = parameter
    if (FIELDS_ITEM_PATTERN.test(name)) {
      if (value !== null) this.#addField(name, text)
      return
    }
    // Only the parameters of an action may be null. Any other null is the same as no value.
    if (value !== null && KNOWN_PARAMETER_NAMES.has(name)) this.#addText(name, text)
    if (!isCallParameter(name)) this.#otherParameters.push(parameter)
  }

  /** Adds the text of a parameter. Returns whether the parameter is new. */
  #addText(name: string, text: string): boolean {
    const existingText = this.#texts.get(name)
    if (existingText !== undefined && existingText !== text) throw severalValuesError(name)
    this.#texts.set(name, text)
    return existingText === undefined
  }

  /**
   * Adds an item of `fields`. Each `fields[]` adds an item, but `fields[0]` adds only one item for each
   * index. Empty text is ignored.
   */
  #addField(name: string, text: string): void {
    const isNew = name === 'fields[]' || this.#addText(name, text)
    if (isNew && text !== '') this.#fields.push(text)
  }

  /**
   * Returns the text of a parameter, or undefined if it is empty, because clients send empty text for unset
   * parameters.
   */
  getText(name: ParameterName): string | undefined {
    return this.#texts.get(name) || undefined
  }

  has(name: ParameterName): boolean {
    return this.#texts.has(name)
  }

  /**
   * Returns the value of a flag, or undefined if the request does not have the parameter.
   *
   * @throws GraphError `invalid_parameter` for any other text.
   */
  getFlag(name: ParameterName): boolean | undefined {
    const text = this.getText(name)
    if (text === undefined) return undefined
    if (text === '1' || text.toLowerCase() === 'true') return true
    if (text === '0' || text.toLowerCase() === 'false') return false
    throw invalidParameterError(name, 'true or false', describeValue(text))
  }

  /**
   * Returns the expressions of `fields`, as a list or as text, or undefined if the request does not have the
   * parameter.
   *
   * @throws GraphError `invalid_parameter`, `request_too_large`.
   */
  getFields(): string | readonly string[] | undefined {
    return this.#fields.length > 0 ? this.#fields : this.#parseList('fields')
  }

  /**
   * Returns the ids of the parameter `ids`, which is text with commas or a JSON array of strings. Returns
   * undefined if the request does not have the parameter.
   *
   * @throws GraphError `invalid_parameter` for an invalid list or an empty id; `request_too_large` for too
   * many values.
   */
  getIds(): readonly string[] | undefined {
    if (!this.has('ids')) return undefined
    const list = this.#parseList('ids') ?? ''
    const ids = typeof list === 'string' ? this.#splitByCommas(list) : list
    if (ids.length === 0 || ids.includes(''))
      throw invalidParameterError('ids', 'ids that are not empty', 'an empty id')
    return ids
  }

  /**
   * Returns the texts of the parameters that belong to the edge of the path, or undefined if the request has
   * none. Empty text counts only if `acceptsEmptyText` returns true, because clients send it for unset
   * parameters.
   *
   * @throws GraphError `invalid_parameter` for a parameter with two different values.
   */
  getEdgeParameters(
    acceptsEmptyText: (name: string) => boolean,
  ): { readonly [name: string]: string } | undefined {
    if (this.#otherParameters.length === 0) return undefined
    const texts = new Map<string, string>()
    for (const [name, text, value] of this.#otherParameters) {
      if (value === null) continue
      const existingText = texts.get(name)
      if (existingText !== undefined && existingText !== text) throw severalValuesError(name)
      texts.set(name, text)
    }
    return Object.fromEntries([...texts].filter(([name, text]) => text !== '' || acceptsEmptyText(name)))
  }

  /**
   * Returns the values or texts of the parameters that belong to an action. `pathParameters` are those in the path.
   *
   * @throws GraphError `invalid_parameter` for a parameter with two different values, and for JSON that was sent as a
   * form.
   */
  getActionParameters(pathParameters: readonly RawParameter[]): ReadonlyMap<string, unknown> {
    const parameters = new Map<string, RawParameter>()
    for (const parameter of [...pathParameters, ...this.#otherParameters]) {
      const [name, text] = parameter
      if (JSON_START_PATTERN.test(name))
        throw invalidParameterError(
          'body',
          'a form, or JSON with "Content-Type: application/json"',
          'JSON that was sent as a form',
        )
      const existing = parameters.get(name)
      if (existing !== undefined && existing[1] !== text) throw severalValuesError(name)
      parameters.set(name, parameter)
    }
    return new Map(Array.from(parameters, ([name, [, text, value = text]]) => [name, value]))
  }

  /**
   * Parses a JSON array of strings; other text stays text.
   *
   * @throws GraphError `invalid_parameter`, `request_too_large`.
   */
  #parseList(name: ParameterName): string | readonly string[] | undefined {
    const text = this.getText(name)
    if (text === undefined || !text.trimStart().startsWith('[')) return text
    const list = this.#valueBudget.parse(text)
    if (Array.isArray(list) && list.every(item => typeof item === 'string')) {
      return list.map(item => item.toWellFormed())
    }
    throw invalidParameterError(
      name,
      'a JSON array of strings, or strings separated by commas',
      describeValue(text),
    )
  }

  /** Splits a text at commas. Counts the commas first, so that a text with too many ids is not split. */
  #splitByCommas(text: string): readonly string[] {
    let commaCount = 0
    for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) === COMMA) commaCount++
    this.#valueBudget.take(commaCount)
    return text.split(',')
  }
}
