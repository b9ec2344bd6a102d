import { describeValue, shortenText } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import type { EdgeOrder, EdgeType } from '../schema/edge.ts'
import { NO_PARAMETERS, type Parameter, type Parameters, type ParameterValues } from '../schema/parameter.ts'
import { storedListOf } from '../schema/stored-lists.ts'
import { type GivenValue, parseParameter, parseParameters } from './parameter-values.ts'
import type {
  EdgeList,
  GivenParameters,
  LinkParameter,
  ListComputation,
  ListFilter,
  TemplateValue,
} from './window.ts'

const NO_NAMES: readonly string[] = Object.freeze([])

export const NO_GIVEN_VALUES: ReadonlyMap<string, TemplateValue> = new Map()

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

/** Whether a parameter has a value that does not choose the stored list. */
export const hasOtherValues = (
  { parameters, lists }: Pick<EdgeType, 'parameters' | 'lists'>,
  given: ReadonlyMap<string, unknown>,
): boolean =>
  Object.entries(parameters).some(
    ([name, declared]) => lists?.parameters.includes(name) !== true && hasValue(declared, name, given),
  )

/**
 * Creates the filter of an edge. Returns `undefined` if the edge has no filter, or if no parameter has a value
 * except those that choose the stored list.
 */
const createListFilter = (
  { parameters, lists, where, reads, fields }: EdgeType,
  given: ReadonlyMap<string, unknown>,
): ListFilter | undefined => {
  if (where === undefined || !hasOtherValues({ parameters, lists }, given)) return undefined
  const edgeFields = Object.keys(fields).filter(name => fields[name]?.scope === undefined)
  return { where, targetFields: reads, edgeFields }
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
  const values: { [name: string]: JsonValue | undefined } = {}
  for (const name of lists?.parameters ?? NO_NAMES) {
    const parameter = parameters[name]
    const value = given.get(name)
    if (value === undefined || value.kind === 'slot') values[name] = parameter?.default
    else if (parameter !== undefined) values[name] = parseParameter(name, value, parameter)
  }
  return values
}

const createListComputation = ({ resolve, backward, times }: EdgeType): ListComputation | undefined =>
  resolve && { resolve, backward, times }

/**
 * Checks the page options of a list that a function of the schema returns.
 *
 * @throws GraphError `invalid_parameter` for an option that the list does not support.
 */
export const assertPageOptions = (
  { name, computation }: Pick<EdgeList, 'name' | 'computation'>,
  given: { readonly [option in 'before' | 'since' | 'until' | 'order']?: unknown },
): void => {
  if (computation === undefined) return
  const unsupported = [
    ...(computation.backward ? [] : (['before'] as const)),
    ...(computation.times ? [] : (['since', 'until'] as const)),
    'order' as const,
  ]
  for (const option of unsupported)
    if (given[option] !== undefined)
      throw invalidParameterError(
        option,
        `left out, since the computed edge ${name} does not support it`,
        describeValue(given[option]),
      )
}

/**
 * Returns the list of an edge that the given parameters choose, with its filter. `values` has at least the
 * parsed values of the parameters that choose the stored list.
 */
export const createEdgeList = (
  name: string,
  edge: EdgeType,
  order: EdgeOrder,
  given: ReadonlyMap<string, TemplateValue>,
  values: ParameterValues,
): EdgeList => {
  return {
    name,
    list: storedListOf(edge, name, values),
    order,
    filter: createListFilter(edge, given),
    computation: createListComputation(edge),
  }
}

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
  // A filter may read any parameter.
  const onlyChooseList = lists !== undefined && where === undefined
  return { declared, given, listParameters: onlyChooseList ? lists.parameters : NO_NAMES }
}

/** Whether the values of parameters are known when an expression is compiled. */
export const areStatic = (parameters: GivenParameters): boolean =>
  [...parameters.given.values()].every(({ kind }) => kind !== 'slot') && !hasIds(parameters)

/** Whether a parameter with a value is an id, which depends on the session. */
export const hasIds = ({ declared, given }: GivenParameters): boolean =>
  Object.entries(declared).some(
    ([name, parameter]) => parameter.kind === 'id' && hasValue(parameter, name, given),
  )

/**
 * Parses the values of parameters, and adds the defaults. `slotValues` are the values of the slots.
 *
 * @throws GraphError `invalid_parameter` for a value of a wrong type, or a missing required parameter.
 */
export const parseGivenParameters = (
  { declared, given }: GivenParameters,
  slotValues: readonly string[],
): ParameterValues => {
  const filled = new Map<string, GivenValue>()
  for (const [name, value] of given)
    filled.set(
      name,
      value.kind === 'slot' ? { kind: 'argument', text: slotValues[value.index] ?? '' } : value,
    )
  return parseParameters(declared, filled)
}

const formatValue = (value: JsonValue | undefined, { kind }: Parameter): string => {
  if (kind === 'datetime' && typeof value === 'number') return new Date(value).toISOString()
  return `${value}`
}

/** Formats the values of parameters as text, for links and cursors. Parameters without a value are left out. */
export const formatParameters = (declared: Parameters, values: ParameterValues): readonly LinkParameter[] => {
  const texts: LinkParameter[] = []
  for (const [name, parameter] of Object.entries(declared))
    if (values[name] !== undefined) texts.push([name, formatValue(values[name], parameter)])
  return texts
}

/**
 * Returns the texts that identify the list in cursors. The parameters that choose the stored list are left out,
 * because its name identifies it.
 */
export const withoutListParameters = (
  texts: readonly LinkParameter[],
  { listParameters }: GivenParameters,
): readonly LinkParameter[] => texts.filter(([name]) => !listParameters.includes(name))

/** Returns the texts of the parameters that a caller gave. Links contain only these. */
export const onlyGiven = (
  texts: readonly LinkParameter[],
  { given }: GivenParameters,
): readonly LinkParameter[] => texts.filter(([name]) => given.has(name))
