import { describeValue, shortenText } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import type { EdgeOrder, EdgeType } from '../schema/edge.ts'
import type { Parameter, Parameters, ParameterValues } from '../schema/parameter.ts'
import { storedListOf } from '../schema/stored-lists.ts'
import { type GivenValue, parseParameter, parseParameters } from './parameter-values.ts'
import type { EdgeList, GivenParameters, LinkParameter, ListFilter, TemplateValue } from './window.ts'

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

/**
 * Creates the filter of an edge. Returns `undefined` if the edge has no filter, or if no parameter has a value
 * except those that choose the stored list.
 */
export const createListFilter = (
  { parameters, lists, where, reads, fields }: EdgeType,
  given: ReadonlyMap<string, unknown>,
): ListFilter | undefined => {
  const applies = Object.entries(parameters).some(
    ([name, declared]) => lists?.parameters.includes(name) !== true && hasValue(declared, name, given),
  )
  if (where === undefined || !applies) return undefined
  const edgeFields = Object.keys(fields).filter(name => fields[name]?.scope === undefined)
  return { where, targetFields: reads, edgeFields }
}

/**
 * Returns the name of the stored list that the given parameters choose.
 *
 * @throws GraphError `invalid_parameter` for a value of a wrong type.
 */
const chooseStoredList = (
  name: string,
  edge: Pick<EdgeType, 'parameters' | 'lists'>,
  given: ReadonlyMap<string, TemplateValue>,
): string => {
  if (edge.lists === undefined) return name
  const values: { [parameter: string]: JsonValue | undefined } = {}
  for (const parameter of edge.lists.parameters) {
    const declared = edge.parameters[parameter]
    const value = given.get(parameter)
    if (declared === undefined) continue
    // A parameter with few values is never a slot.
    values[parameter] =
      value === undefined || value.kind === 'slot'
        ? declared.default
        : parseParameter(parameter, value, declared)
  }
  return storedListOf(edge, name, values)
}

/**
 * Returns the list of an edge that the given parameters choose, with its filter.
 *
 * @throws GraphError `invalid_parameter` for a value of a wrong type.
 */
export const createEdgeList = (
  name: string,
  edge: EdgeType,
  order: EdgeOrder,
  given: ReadonlyMap<string, TemplateValue>,
): EdgeList => {
  return {
    name,
    list: chooseStoredList(name, edge, given),
    order,
    filter: createListFilter(edge, given),
  }
}

/** Whether the values of parameters are known when an expression is compiled. */
export const areStatic = ({ declared, given }: GivenParameters): boolean =>
  [...given.values()].every(({ kind }) => kind !== 'slot') && !hasIds({ declared, given })

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

/** Returns the texts of the parameters that a caller gave. Links contain only these. */
export const onlyGiven = (
  texts: readonly LinkParameter[],
  { given }: GivenParameters,
): readonly LinkParameter[] => texts.filter(([name]) => given.has(name))
