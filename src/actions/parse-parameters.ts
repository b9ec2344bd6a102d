import { isRequestableId } from '../access/requested-ids.ts'
import { describeValue, shortenText } from '../base/describe.ts'
import { isPlainObject } from '../base/json.ts'
import { countValues } from '../base/json-scan.ts'
import { describeUnknownName } from '../base/suggest.ts'
import type { ActionCall } from '../execute/action-runtime.ts'
import type { Engine } from '../execute/engine.ts'
import { tooManyIdsError } from '../execute/root-nodes.ts'
import { parseJson } from '../plan/arguments.ts'
import { type GivenValue, parseGivenValue } from '../plan/parameter-values.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { Parameter, Parameters } from '../schema/parameter.ts'
import type { Action } from './action.ts'
import { GivenNode } from './given-node.ts'
import { MAX_ISSUES, type ParameterIssue } from './parameter-issues.ts'
import { describeLimits, findLimitMismatch } from './parameter-limits.ts'

const DEFAULT_MAX_ITEMS = 50
/**
 * The maximum number of values in the texts of lists and objects. A short text can have very many, and the token has
 * not been checked yet. Handlers count the values of JSON bodies.
 */
const MAX_VALUES = 10_000

/** Values by name, with a {@link GivenNode} for each node. Values that are not given are absent. */
export type ParsedValues = { readonly [name: string]: unknown }

/** The parameters of a call of an action: their values, their issues without those of nodes, and all nodes in them. */
export type ParsedParameters = {
  readonly action: Action
  readonly values: ParsedValues
  readonly issues: readonly ParameterIssue[]
  readonly nodes: readonly GivenNode[]
}

/** An empty text counts as absent, unless it is the value of a text. */
const isAbsent = (given: unknown, { kind }: Parameter): boolean =>
  given === undefined || (given === '' && kind !== 'string')

// `map` would skip the holes of an array.
const toItems = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? Array.from(value) : undefined

/** Parses the parameters of one call, and collects their issues and nodes. */
class ParameterParser {
  readonly issues: ParameterIssue[] = []
  readonly nodes: GivenNode[] = []
  readonly #engine: Engine
  /** Whether a string may be the text of another value. */
  readonly #acceptsTexts: boolean
  #remainingValues = MAX_VALUES

  constructor(engine: Engine, acceptsTexts: boolean) {
    this.#engine = engine
    this.#acceptsTexts = acceptsTexts
  }

  /** Returns the parsed values of declared parameters or members by name. */
  parseAll(declared: Parameters, given: ReadonlyMap<string, unknown>, prefix = ''): ParsedValues {
    for (const name of given.keys())
      if (!Object.hasOwn(declared, name)) this.#addUnknown(`${prefix}${name}`, name, Object.keys(declared))
    const values: { [name: string]: unknown } = {}
    for (const [name, parameter] of Object.entries(declared)) {
      const value = this.#parse(parameter, given.get(name), `${prefix}${name}`)
      if (value !== undefined) values[name] = value
    }
    return values
  }

  #isText(given: unknown): given is string {
    return this.#acceptsTexts && typeof given === 'string'
  }

  #parse(parameter: Parameter, given: unknown, path: string): unknown {
    if (isAbsent(given, parameter)) {
      if (parameter.required) this.#add(path, 'given, since it is required', given)
      return parameter.default
    }
    const { nullable, items, members, maxItems } = parameter.forActions ?? {}
    if (given === null) {
      if (nullable !== true) this.#add(path, 'a value', given)
      return null
    }
    if (parameter.kind === 'node') return this.#parseNode(parameter, given, path)
    if (items !== undefined) return this.#parseList(items, maxItems, given, path)
    if (members !== undefined) return this.#parseObject(members, given, path)
    return this.#parseScalar(parameter, given, path)
  }

  #parseScalar(parameter: Parameter, given: unknown, path: string): unknown {
    // The call is rejected anyway. A short request may have thousands of invalid values.
    if (this.#isFull) return undefined
    try {
      const givenValue: GivenValue = this.#isText(given)
        ? { kind: 'text', text: given }
        : { kind: 'value', value: given }
      const value = parseGivenValue(givenValue, parameter.type)
      const expected = findLimitMismatch(value, parameter)
      return expected === undefined ? value : this.#add(path, expected, given)
    } catch (error) {
      if (!(error instanceof ValidationIssue)) throw error
      return this.#add(`${path}${error.path}`, describeLimits(parameter) ?? error.expected, given)
    }
  }

  #parseNode({ types = [] }: Parameter, given: unknown, path: string): GivenNode {
    const { registry, appIds } = this.#engine
    const id = isRequestableId(given, registry.ids.kind, appIds !== undefined)
      ? { requestedId: given, rawId: undefined }
      : undefined
    const node = new GivenNode(id, types, given, path)
    this.nodes.push(node)
    return node
  }

  #parseObject(declared: Parameters, given: unknown, path: string): unknown {
    const members = this.#isText(given) ? this.#parseJson(given) : given
    return isPlainObject(members)
      ? this.parseAll(declared, new Map(Object.entries(members)), `${path}.`)
      : this.#add(path, 'an object', given)
  }

  #parseList(of: Parameter, maxItems = DEFAULT_MAX_ITEMS, given: unknown, path: string): unknown {
    const items = this.#readItems(given)
    if (items === undefined || items.length > maxItems)
      this.#add(path, `an array of at most ${maxItems} values`, items ?? given)
    // Items above the limit are parsed too, because their ids count.
    return items?.map((item, index) => this.#parseItem(of, item, `${path}[${index}]`))
  }

  /** An item is never absent. */
  #parseItem(of: Parameter, given: unknown, path: string): unknown {
    return isAbsent(given, of) ? this.#add(path, 'a value', given) : this.#parse(of, given, path)
  }

  /** Returns the items of a list. The text of a list is a JSON array, or values with commas between them. */
  #readItems(given: unknown): readonly unknown[] | undefined {
    if (!this.#isText(given)) return toItems(given)
    if (given.trimStart().startsWith('[')) return toItems(this.#parseJson(given))
    const items = given.split(',', this.#remainingValues + 1)
    return this.#takeValues(items.length) ? items : undefined
  }

  #parseJson(text: string): unknown {
    return this.#takeValues(countValues(text, this.#remainingValues)) ? parseJson(text) : undefined
  }

  /** Returns whether the texts of the call may have further values. */
  #takeValues(count: number): boolean {
    if (count > this.#remainingValues) return false
    this.#remainingValues -= count
    return true
  }

  #addUnknown(path: string, name: string, known: readonly string[]): void {
    // Suggestions take time.
    if (this.#isFull) return
    const expected =
      name === 'idempotency_key'
        ? 'sent as the header Idempotency-Key'
        : known.length === 0
          ? 'left out, since there are no parameters'
          : `one of ${known.join(', ')}`
    this.#addIssue(path, expected, describeUnknownName(name, known))
  }

  #add(path: string, expected: string, given: unknown): undefined {
    // Descriptions take time too.
    if (!this.#isFull) this.#addIssue(path, expected, describeValue(given))
  }

  #addIssue(path: string, expected: string, received: string): void {
    this.issues.push({ parameter: shortenText(path), expected, received })
  }

  /** Whether an error has no room for further issues. */
  get #isFull(): boolean {
    return this.issues.length >= MAX_ISSUES
  }
}

/**
 * Parses the parameters of a call.
 *
 * @throws GraphError `too_many_ids`. Ids are counted as they are given: in any form, and with repetitions.
 */
export const parseCallParameters = (
  engine: Engine,
  action: Action,
  { parameters, target }: ActionCall,
): ParsedParameters => {
  const parser = new ParameterParser(engine, target.kind === 'path')
  const values = parser.parseAll(action.parameters, parameters)
  const { issues, nodes } = parser
  const { ids: maxIds } = engine.limits
  if (nodes.length > maxIds) throw tooManyIdsError(maxIds, nodes.length)
  return { action, values, issues, nodes }
}
