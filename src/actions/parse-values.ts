import { describeValue, shortenText } from '../base/describe.ts'
import { type ErrorData, GraphError, invalidParameterError } from '../base/errors.ts'
import { formatSuggestions, suggestWords } from '../base/suggest.ts'
import type { ActionValue } from '../execute/action-runtime.ts'
import { parseGivenValue } from '../plan/parameter-values.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { Parameter, Parameters } from '../schema/parameter.ts'
import type { NodeRecord } from '../store/contract.ts'
import { givenValueOf, presentOf, readItems, readMembers } from './given-values.ts'

/** A node in a parsed value: the id that the caller gave, and its record. */
export class GivenNode {
  readonly requestedId: string
  readonly record: NodeRecord

  constructor(requestedId: string, record: NodeRecord) {
    this.requestedId = requestedId
    this.record = record
  }
}

/** Returns the node of a requested id, or `undefined` if the viewer cannot see such a node of the types. */
export type FindNode = (id: unknown, types: readonly string[]) => GivenNode | undefined

/** What is wrong with a parameter. */
export type ParameterIssue =
  | { readonly parameter: string; readonly expected: string; readonly received: string }
  | { readonly parameter: string; readonly message: string }

/** Creates the error for the parameters of a call, with all issues. The message is about the first. */
export const invalidParametersError = (issues: readonly ParameterIssue[]): GraphError => {
  const [first = { parameter: '', message: 'must be valid' }] = issues
  const { message } =
    'message' in first
      ? { message: `(#100) Invalid parameter "${first.parameter}": ${first.message}` }
      : invalidParameterError(first.parameter, first.expected, first.received)
  const data: ErrorData = { ...first, parameters: issues.map(issue => ({ ...issue })) }
  return new GraphError('invalid_parameter', message, data)
}

/** Parses a scalar value. In JSON, a number or a time may also be given as its text. */
const parseScalar = (given: ActionValue, { type }: Parameter): unknown => {
  if (given.kind === 'text') return parseGivenValue(given, type)
  const { kind, value } = given
  if (kind === 'json' && typeof value === 'string')
    return parseGivenValue({ kind: 'text', text: value }, type)
  return parseGivenValue({ kind: 'value', value }, type)
}

/** The maximum number of issues in an error: a short request can have many more invalid values. */
export const MAX_ISSUES = 100
const DEFAULT_MAX_ITEMS = 50
const DEFAULT_MAX_LENGTH = 65_536

/** @throws a {@link ValidationIssue} for a number or a text outside of its limits. */
const assertWithin = (value: unknown, { kind, forActions = {} }: Parameter): void => {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = forActions
  const { maxLength = DEFAULT_MAX_LENGTH } = forActions
  if (kind === 'string' && typeof value === 'string' && value.length > maxLength)
    throw new ValidationIssue(`a string of at most ${maxLength} characters`, value)
  if (typeof value === 'number' && value < min) throw new ValidationIssue(`at least ${min}`, value)
  if (typeof value === 'number' && value > max) throw new ValidationIssue(`at most ${max}`, value)
}

/** Parses the parameters of a call, and collects their issues. */
export class ValueParser {
  readonly issues: ParameterIssue[] = []
  readonly #findNode: FindNode

  constructor(findNode: FindNode) {
    this.#findNode = findNode
  }

  /** Returns the parsed values of declared parameters or members by name. Values without a default may be absent. */
  parseAll(
    declared: Parameters,
    given: ReadonlyMap<string, ActionValue>,
    prefix = '',
  ): { readonly [name: string]: unknown } {
    for (const name of given.keys())
      if (!Object.hasOwn(declared, name)) this.#addUnknown(`${prefix}${name}`, name, Object.keys(declared))
    const values: { [name: string]: unknown } = {}
    for (const [name, parameter] of Object.entries(declared)) {
      const value = this.#parse(parameter, given.get(name), `${prefix}${name}`)
      if (value !== undefined) values[name] = value
    }
    return values
  }

  #parse(parameter: Parameter, value: ActionValue | undefined, path: string): unknown {
    const given = presentOf(value, parameter)
    if (given === undefined) {
      if (parameter.required) this.#add(path, 'given, since it is required', describeGiven(value))
      return parameter.default
    }
    if (givenValueOf(given) === null) {
      if (parameter.forActions?.nullable !== true) this.#add(path, 'a value', 'null')
      return null
    }
    if (parameter.kind === 'node') return this.#parseNode(parameter, given, path)
    const { items, members, maxItems } = parameter.forActions ?? {}
    if (items !== undefined) return this.#parseList(items, maxItems, given, path)
    if (members !== undefined) return this.#parseObject(members, given, path)
    return this.#parseScalar(parameter, given, path)
  }

  #parseScalar(parameter: Parameter, given: ActionValue, path: string): unknown {
    try {
      const value = parseScalar(given, parameter)
      assertWithin(value, parameter)
      return value
    } catch (error) {
      if (!(error instanceof ValidationIssue)) throw error
      return this.#add(`${path}${error.path}`, error.expected, describeGiven(given))
    }
  }

  #parseNode({ types = [] }: Parameter, given: ActionValue, path: string): GivenNode | undefined {
    const id = givenValueOf(given)
    const found = this.#findNode(id, types)
    if (found !== undefined) return found
    const form = typeof id === 'string' ? 'which exists and is visible' : 'as a text in quotes'
    return this.#add(path, `the id of a node of type ${types.join(' or ')}, ${form}`, describeGiven(given))
  }

  #parseObject(members: Parameters, given: ActionValue, path: string): unknown {
    const values = readMembers(given)
    if (values !== undefined) return this.parseAll(members, values, `${path}.`)
    return this.#add(path, 'an object', describeGiven(given))
  }

  #parseList(of: Parameter, maxItems = DEFAULT_MAX_ITEMS, given: ActionValue, path: string): unknown {
    const items = readItems(given)
    if (items !== undefined && items.length <= maxItems)
      return items.map((item, index) => this.#parseItem(of, item, `${path}[${index}]`))
    const received = items === undefined ? describeGiven(given) : describeValue(items)
    return this.#add(path, `an array of at most ${maxItems} values`, received)
  }

  /** An item is never absent. */
  #parseItem(parameter: Parameter, item: ActionValue, path: string): unknown {
    if (presentOf(item, parameter) === undefined) this.#add(path, 'a value', describeGiven(item))
    return this.#parse(parameter, item, path)
  }

  #addUnknown(path: string, name: string, known: readonly string[]): void {
    // Suggestions take time.
    if (this.issues.length >= MAX_ISSUES) return
    if (name === 'idempotency_key')
      this.#add(path, 'left out: the key is the header Idempotency-Key', 'a parameter')
    else {
      const expected =
        known.length === 0 ? 'left out, since there are no parameters' : `one of ${known.join(', ')}`
      this.#add(path, expected, `${describeValue(name)}${formatSuggestions(suggestWords(name, known))}`)
    }
  }

  #add(path: string, expected: string, received: string): undefined {
    if (this.issues.length < MAX_ISSUES)
      this.issues.push({ parameter: shortenText(path), expected, received })
  }
}

const describeGiven = (given: ActionValue | undefined): string =>
  describeValue(given === undefined ? undefined : givenValueOf(given))

/** Returns a parsed value with another form of each node. */
export const mapNodes = (value: unknown, toForm: (node: GivenNode) => unknown): unknown => {
  if (value instanceof GivenNode) return toForm(value)
  if (Array.isArray(value)) return value.map((item: unknown) => mapNodes(item, toForm))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapNodes(member, toForm)]))
}
