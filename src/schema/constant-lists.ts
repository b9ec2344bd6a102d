import { describeValue } from '../base/describe.ts'
import type { JsonValue } from '../base/json.ts'
import { describeUnknownName } from '../base/suggest.ts'
import { formatMismatch } from '../base/usage-error.ts'
import type { NamedEdge } from './edge-lists.ts'
import { ValidationIssue } from './field-type.ts'
import { getOwn } from './node.ts'
import type { ConstantParameters, Parameter, ParameterValues } from './parameter.ts'
import { storedListOf } from './stored-lists.ts'

/** The values of the parameters that choose a list, or why the constant values are not valid. */
type ChosenValues = { readonly values: ParameterValues } | { readonly mismatch: string }

const findNameMismatch = ({ name: edgeName, edge }: NamedEdge, name: string): string | undefined => {
  const listParameters = edge.lists?.parameters ?? []
  if (listParameters.includes(name)) return undefined
  const subject = `"parameters.${name}"`
  // Any other parameter would have no effect, because rules do not apply the filter of an edge.
  if (Object.hasOwn(edge.parameters, name))
    return formatMismatch(subject, 'left out, since it does not choose a stored list', describeValue(name))
  const received = describeUnknownName(name, listParameters)
  return formatMismatch(subject, `a parameter that chooses a stored list of ${edgeName}`, received)
}

const parseValue = (
  name: string,
  parameter: Parameter | undefined,
  given: unknown,
): { readonly value: JsonValue | undefined } | { readonly mismatch: string } => {
  if (given === undefined)
    return parameter?.default === undefined
      ? { mismatch: formatMismatch(`"parameters.${name}"`, 'given, since it has no default', 'undefined') }
      : { value: parameter.default }
  try {
    return { value: parameter?.type.parse(given) }
  } catch (issue) {
    if (!(issue instanceof ValidationIssue)) throw issue
    return { mismatch: formatMismatch(`"parameters.${name}"`, issue.expected, issue.received) }
  }
}

const chooseValues = (namedEdge: NamedEdge, given: ConstantParameters): ChosenValues => {
  const { edge, name: edgeName } = namedEdge
  if (edge.resolve !== undefined)
    return { mismatch: formatMismatch('"edge"', 'an edge that is not computed', describeValue(edgeName)) }
  for (const name of Object.keys(given)) {
    const mismatch = findNameMismatch(namedEdge, name)
    if (mismatch !== undefined) return { mismatch }
  }
  const values: { [name: string]: JsonValue | undefined } = {}
  for (const name of edge.lists?.parameters ?? []) {
    const parsed = parseValue(name, getOwn(edge.parameters, name), getOwn(given, name))
    if ('mismatch' in parsed) return parsed
    values[name] = parsed.value
  }
  return { values }
}

const NO_PARAMETERS: ConstantParameters = Object.freeze({})

/** Returns why constant parameters do not choose a stored list of an edge, or `undefined` if they do. */
export const findConstantListMismatch = (
  namedEdge: NamedEdge,
  parameters: ConstantParameters = NO_PARAMETERS,
): string | undefined => {
  const chosen = chooseValues(namedEdge, parameters)
  return 'mismatch' in chosen ? chosen.mismatch : undefined
}

/** Returns the name of the stored list that constant parameters choose, with the defaults of the others. */
export const constantListOf = (
  namedEdge: NamedEdge,
  parameters: ConstantParameters = NO_PARAMETERS,
): string => {
  const chosen = chooseValues(namedEdge, parameters)
  // `defineSchema` has checked the parameters.
  return 'mismatch' in chosen ? namedEdge.name : storedListOf(namedEdge.edge, namedEdge.name, chosen.values)
}
