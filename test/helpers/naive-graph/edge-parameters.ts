import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import {
  type EdgeSpec,
  listNameOf,
  type ParameterSpec,
  type ParameterValue,
  type ParameterValues,
  passesFilter,
  type TypeSpec,
} from './world.ts'

type EdgeParameters = Pick<EdgeSpec, 'parameters' | 'list' | 'where' | 'fields'>

const mapDefined = (values: ParameterValues): { readonly [name: string]: ParameterValue } =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )

/** Returns the values of the declared parameters with defaults, in the order of their names. */
export const completeValues = (
  { parameters = {} }: EdgeParameters,
  given: ParameterValues = {},
): { readonly [name: string]: ParameterValue } =>
  mapDefined(
    Object.fromEntries(
      Object.keys(parameters)
        .toSorted()
        .map(name => [name, given[name] ?? parameters[name]?.default]),
    ),
  )

/** Returns the name of the stored list of an edge for some values of its parameters. */
export const findList = (name: string, edge: EdgeParameters, given?: ParameterValues): string =>
  listNameOf(name, edge, completeValues(edge, given))

/** Whether a value is valid for a parameter. */
const isValid = (declared: ParameterSpec | undefined, value: ParameterValue): boolean =>
  declared !== undefined && (declared.kind !== 'enum' || declared.words.includes(`${value}`))

/** Whether an edge has all given parameters, with valid values. */
export const acceptsValues = ({ parameters = {} }: EdgeParameters, given: ParameterValues = {}): boolean =>
  Object.entries(mapDefined(given)).every(([name, value]) => isValid(parameters[name], value))

/** Returns the values that all of the edges accept. */
export const fitValues = (edges: readonly EdgeParameters[], values: ParameterValues): ParameterValues =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) =>
      edges.every(({ parameters = {} }) =>
        value === undefined ? name in parameters : isValid(parameters[name], value),
      ),
    ),
  )

/** Returns the values that choose a list of each of the edges. */
export const fitListValues = (edges: readonly EdgeParameters[], values: ParameterValues): ParameterValues =>
  Object.fromEntries(
    Object.entries(fitValues(edges, values)).filter(([name]) =>
      edges.every(({ list = [] }) => list.includes(name)),
    ),
  )

/** Returns the values of the parameters that do not choose the stored list. */
const filterValuesOf = (edge: EdgeParameters, given?: ParameterValues): ParameterValues =>
  Object.fromEntries(
    Object.entries(completeValues(edge, given)).filter(([name]) => edge.list?.includes(name) !== true),
  )

/** Whether a parameter that does not choose the stored list has a value. */
export const hasFilterValues = (edge: EdgeParameters, given?: ParameterValues): boolean =>
  Object.keys(filterValuesOf(edge, given)).length > 0

/** Returns a text that is equal for two lists with one edge name only if the same cursors are valid for both. */
export const identifyList = (name: string, edge: EdgeParameters, given?: ParameterValues): string =>
  JSON.stringify([findList(name, edge, given), filterValuesOf(edge, given)])

/** Whether the filter of an edge applies. */
export const isFilterActive = (edge: EdgeParameters, given?: ParameterValues): boolean =>
  edge.where !== undefined && hasFilterValues(edge, given)

/** Whether an entry passes the filter of its edge, if the filter applies. */
export const isEntryWanted = (
  edge: EdgeParameters,
  given: ParameterValues | undefined,
  { time, data }: EdgeRecord,
  target: NodeRecord | undefined,
): boolean => {
  const { where, fields } = edge
  if (where === undefined || !isFilterActive(edge, given)) return true
  const isRoleOpen = fields.role !== undefined && fields.role.scope === undefined
  const seen = Object.entries(target?.fields ?? {}).filter(([name]) => where.reads.includes(name))
  const compared = { role: isRoleOpen ? data?.role : undefined, time, fields: Object.fromEntries(seen) }
  return passesFilter(where, compared, completeValues(edge, given))
}

const possibleValues = (declared: ParameterSpec | undefined): readonly (ParameterValue | undefined)[] => {
  const values = declared?.kind === 'enum' ? declared.words : [false, true]
  return declared?.default === undefined ? [undefined, ...values] : values
}

/** Returns each combination of the values that choose a stored list of an edge. */
export const listChoicesOf = ({ parameters = {}, list = [] }: EdgeParameters): readonly ParameterValues[] =>
  list.reduce<readonly ParameterValues[]>(
    (choices, name) =>
      choices.flatMap(choice =>
        possibleValues(parameters[name]).map(value => mapDefined({ ...choice, [name]: value })),
      ),
    [{}],
  )

/** An edge with values of its parameters. */
type ListOwner = { readonly name: string; readonly edge: EdgeSpec; readonly parameters: ParameterValues }

/** Returns the stored lists of a type by name. */
export const listsOf = (type: TypeSpec | undefined): ReadonlyMap<string, ListOwner> =>
  new Map(
    Object.entries(type?.edges ?? {}).flatMap(([name, edge]) =>
      listChoicesOf(edge).map(
        parameters => [listNameOf(name, edge, parameters), { name, edge, parameters }] as const,
      ),
    ),
  )
