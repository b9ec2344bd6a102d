import { describeValue, shortenText } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import type { EdgeType } from '../schema/edge.ts'
import { type ListOrder, storedOrderOf } from '../schema/list-order.ts'
import { NO_PARAMETERS, type Parameter, type Parameters, type ParameterValues } from '../schema/parameter.ts'
import type { Registry } from '../schema/registry.ts'
import { storedListOf } from '../schema/stored-lists.ts'
import { FieldsByType } from '../store/wanted-fields.ts'
import { type GivenValue, parseParameter, parseParameters } from './parameter-values.ts'
import type { EdgeList, GivenParameters, ListComputation, ListFilter, TemplateValue } from './window.ts'

// Most edges have no parameters, so they take the shortest way through this file.
const NO_NAMES: readonly string[] = Object.freeze([])
const NO_VALUES: ParameterValues = Object.freeze({})

const NO_GIVEN: ReadonlyMap<string, GivenValue> = new Map()
export const NO_GIVEN_VALUES: ReadonlyMap<string, TemplateValue> = NO_GIVEN

/**
 * Checks the names of given parameters.
 *
 * @throws GraphError `invalid_parameter` for a parameter that the edge does not have.
 */
export const assertParameterNames = (
  edge: string,
  { parameters }: Pick<EdgeType, 'parameters'>,
  given: ReadonlyMap<string, unknown>,
): void => {
  for (const name of given.keys()) {
    if (Object.hasOwn(parameters, name)) continue
    const names = Object.keys(parameters)
    const expected =
      names.length === 0
        ? `left out, since ${edge} has no parameters`
        : `a parameter of ${edge}: ${names.join(', ')}`
    throw invalidParameterError(shortenText(name), expected, describeValue(name))
  }
}

const hasValue = (
  { default: defaultValue }: Parameter,
  name: string,
  given: ReadonlyMap<string, unknown>,
): boolean => defaultValue !== undefined || given.has(name)

/** Whether a parameter has a value, except for the parameters with the given names. */
const hasOtherValues = (
  parameters: Parameters,
  exceptNames: readonly string[],
  given: ReadonlyMap<string, unknown>,
): boolean => {
  for (const name of Object.keys(parameters)) {
    const parameter = parameters[name]
    if (parameter !== undefined && !exceptNames.includes(name) && hasValue(parameter, name, given))
      return true
  }
  return false
}

/** Whether a list depends on more than the name of its stored list. */
const dependsOnValues = ({ declared, listParameters, given }: GivenParameters): boolean =>
  hasOtherValues(declared, listParameters, given)

/**
 * Creates the filter of an edge. Returns `undefined` if the edge has no filter, or if no parameter has a value
 * except those that choose the stored list.
 */
const createListFilter = (
  { targets, parameters, lists, where, reads = NO_NAMES, fields }: EdgeType,
  given: ReadonlyMap<string, unknown>,
): ListFilter | undefined => {
  if (where === undefined || !hasOtherValues(parameters, lists?.parameters ?? NO_NAMES, given))
    return undefined
  const edgeFields = Object.keys(fields).filter(name => fields[name]?.scope === undefined)
  const names = new Set(reads)
  const wantedFields = new FieldsByType(targets.map(target => [target, names]))
  return { where, targetFields: reads, edgeFields, wantedFields }
}

/**
 * Parses the values of the parameters that choose the stored list, and adds the defaults. They are never slots,
 * because they have few values.
 *
 * @throws GraphError `invalid_parameter` for a value of a wrong type.
 */
export const parseListValues = (
  { parameters, lists }: Pick<EdgeType, 'parameters' | 'lists'>,
  given: ReadonlyMap<string, TemplateValue>,
): ParameterValues => {
  if (lists === undefined) return NO_VALUES
  const values: { [name: string]: JsonValue | undefined } = {}
  for (const name of lists.parameters) {
    const parameter = parameters[name]
    const value = given.get(name)
    if (value === undefined || value.kind === 'slot') values[name] = parameter?.default
    else if (parameter !== undefined) values[name] = parseParameter(name, value, parameter)
  }
  return values
}

const createListComputation = ({ resolve, reads, backward, times }: EdgeType): ListComputation | undefined =>
  resolve && { resolve, reads, backward, times }

const TIME_OPTIONS = ['since', 'until'] as const
type PageOption = (typeof TIME_OPTIONS)[number] | 'before' | 'order'

const findUnsupportedOptions = ({ backward, times }: ListComputation): readonly PageOption[] => [
  ...(backward ? [] : (['before'] as const)),
  ...(times ? [] : TIME_OPTIONS),
  'order',
]

/**
 * Checks the page options of a list that is not in the order of times, or that a function of the schema
 * returns.
 *
 * @throws GraphError `invalid_parameter` for an option that the list does not support.
 */
export const assertPageOptions = (
  { name, computation, order }: Pick<EdgeList, 'name' | 'computation' | 'order'>,
  given: { readonly [option in PageOption]?: unknown },
): void => {
  if (computation === undefined && order.key === 'time') return
  const reason =
    computation === undefined ? `${name} is not in an order by time` : `the edge ${name} is computed`
  for (const option of computation === undefined ? TIME_OPTIONS : findUnsupportedOptions(computation))
    if (given[option] !== undefined)
      throw invalidParameterError(option, `left out, since ${reason}`, describeValue(given[option]))
}

/**
 * Returns the list of an edge that the given parameters choose, with its filter. `values` has at least the
 * parsed values of the parameters that choose the stored list.
 */
export const createEdgeList = (
  { ids }: Pick<Registry, 'ids'>,
  name: string,
  edge: EdgeType,
  order: ListOrder,
  given: ReadonlyMap<string, TemplateValue>,
  values: ParameterValues,
): EdgeList => ({
  name,
  list: storedOrderOf(storedListOf(edge, name, values), order),
  ids: ids.kind,
  order,
  countKind: edge.count.kind,
  filter: createListFilter(edge, given),
  computation: createListComputation(edge),
})

/** Whether entries of an edge may be left out even if no target type has a policy. */
export const leavesOutEntries = (edge: EdgeType, given: ReadonlyMap<string, unknown>): boolean =>
  edge.resolve !== undefined || createListFilter(edge, given) !== undefined

/** The parameters of all edges without parameters. Cached plans share this object. */
const NO_GIVEN_PARAMETERS: GivenParameters = Object.freeze({
  declared: NO_PARAMETERS,
  given: NO_GIVEN_VALUES,
  listParameters: NO_NAMES,
})

/** Returns the parameters of an edge with the given values. */
export const createGivenParameters = (
  { parameters: declared, lists, where }: Pick<EdgeType, 'parameters' | 'lists' | 'where'>,
  given: ReadonlyMap<string, TemplateValue>,
): GivenParameters => {
  if (declared === NO_PARAMETERS) return NO_GIVEN_PARAMETERS
  const listParameters = lists?.parameters ?? NO_NAMES
  // A filter that applies may read any parameter.
  const isFiltered = where !== undefined && hasOtherValues(declared, listParameters, given)
  return { declared, given, listParameters: isFiltered ? NO_NAMES : listParameters }
}

/** Whether the values of parameters are known when an expression is compiled. */
export const areStatic = (parameters: GivenParameters): boolean => {
  const { given } = parameters
  const hasSlot = given.size > 0 && [...given.values()].some(({ kind }) => kind === 'slot')
  return !hasSlot && !hasIds(parameters)
}

/** Whether a parameter with a value is an id, which depends on the session. */
export const hasIds = ({ declared, given }: GivenParameters): boolean =>
  Object.keys(declared).some(name => {
    const parameter = declared[name]
    return parameter?.kind === 'id' && hasValue(parameter, name, given)
  })

/**
 * Parses the values of parameters, and adds the defaults. `slotValues` are the values of the slots.
 *
 * @throws GraphError `invalid_parameter` for a value of a wrong type, or a missing required parameter.
 */
export const parseGivenParameters = (
  { declared, given }: GivenParameters,
  slotValues: readonly string[],
): ParameterValues => {
  if (declared === NO_PARAMETERS) return NO_VALUES
  if (given.size === 0) return parseParameters(declared, NO_GIVEN)
  const filled = new Map<string, GivenValue>()
  for (const [name, value] of given)
    filled.set(
      name,
      value.kind === 'slot' ? { kind: 'argument', text: slotValues[value.index] ?? '' } : value,
    )
  return parseParameters(declared, filled)
}

/** A list of an edge, and the parameters that choose it. */
export type ChosenList = { readonly edgeList: EdgeList; readonly parameters: GivenParameters }

/** Whether the parameters of two edges have the same effect: none, except that their defaults choose the list. */
const haveSameEffect = (first: GivenParameters, second: GivenParameters): boolean =>
  first.declared === second.declared ||
  (first.given.size === 0 && !dependsOnValues(first) && !dependsOnValues(second))

/** Whether two orders of lists with one name have the same effect, also on cursors. */
const isSameOrder = (first: ListOrder, second: ListOrder): boolean =>
  first === second ||
  (first.cursorName === second.cursorName &&
    first.isDescending === second.isDescending &&
    first.key === second.key &&
    first.isSecret === second.isSecret)

/** Whether two edges of one name are read in the same way by one item or call. */
export const isSameList = (first: ChosenList, second: ChosenList): boolean =>
  first.edgeList.list === second.edgeList.list &&
  isSameOrder(first.edgeList.order, second.edgeList.order) &&
  first.edgeList.countKind === second.edgeList.countKind &&
  first.edgeList.computation?.resolve === second.edgeList.computation?.resolve &&
  haveSameEffect(first.parameters, second.parameters)
