import { isNonArrayObject } from '../../base/json.ts'
import { getOwn } from '../../schema/node.ts'
import { finiteValuesOf, type Parameter } from '../../schema/parameter.ts'
import type { TableListOptions } from '../declare/lists.ts'
import type { ParameterValue } from '../declare/where.ts'

/** The values of parameters for one list of an edge. A parameter without a value is absent. */
export type ParameterConstants = { readonly [parameter: string]: string | boolean }

/** One stored list of an edge: its name, and the values of the parameters that it is for. */
export type ListVariant = { readonly name: string; readonly values: ParameterConstants }

/** Whether a value of a `where` is that of a parameter. */
export const isParameterValue = (value: unknown): value is ParameterValue =>
  isNonArrayObject(value) && value.kind === 'parameter' && typeof value.parameter === 'string'

/** Returns the names of the parameters that a `where` uses, in ascending order. */
export const parametersIn = (where: TableListOptions['where']): readonly string[] =>
  [
    ...new Set(
      Object.values(where ?? {}).flatMap(value => (isParameterValue(value) ? [value.parameter] : [])),
    ),
  ].sort()

const parameterOf = ({ parameters = {} }: TableListOptions, name: string): Parameter | undefined =>
  getOwn(parameters, name)

const isAlwaysGiven = ({ required, default: defaultValue }: Parameter): boolean =>
  required || defaultValue !== undefined

/** Returns the name of the stored list for the values of parameters: `photos__2` for the second word of an enum. */
export const variantNameOf = (
  edge: string,
  options: TableListOptions,
  values: { readonly [name: string]: unknown },
): string => {
  const places = parametersIn(options.where).map(name => {
    const parameter = parameterOf(options, name)
    const value = values[name]
    return (
      1 + (parameter ? (finiteValuesOf(parameter)?.findIndex(finite => Object.is(finite, value)) ?? -1) : -1)
    )
  })
  return places.length === 0 ? edge : `${edge}__${places.join('_')}`
}

const combine = (options: TableListOptions): readonly ParameterConstants[] => {
  let combinations: readonly ParameterConstants[] = [{}]
  for (const name of parametersIn(options.where)) {
    const parameter = parameterOf(options, name)
    const given = (parameter && finiteValuesOf(parameter)) ?? []
    combinations = combinations.flatMap(values => [
      ...given.map(value => ({ ...values, [name]: value })),
      ...(parameter !== undefined && isAlwaysGiven(parameter) ? [] : [values]),
    ])
  }
  return combinations
}

/** The maximum number of stored lists that parameters can choose, as for other edges. */
export const MAX_VARIANTS = 64

/** Returns how many lists the parameters of an edge choose. */
export const countVariants = (options: TableListOptions): number =>
  parametersIn(options.where).reduce((count, name) => {
    const parameter = parameterOf(options, name)
    const values = (parameter && finiteValuesOf(parameter)) ?? []
    return count * (values.length + (parameter !== undefined && isAlwaysGiven(parameter) ? 0 : 1))
  }, 1)

/** Whether the parameters of an edge can choose its lists: they exist, and have few values. */
export const hasVariants = (options: TableListOptions): boolean =>
  countVariants(options) <= MAX_VARIANTS &&
  parametersIn(options.where).every(name => {
    const parameter = parameterOf(options, name)
    return parameter !== undefined && finiteValuesOf(parameter) !== undefined
  })

/**
 * Returns the stored lists of an edge, one for each combination of the values of the parameters in `where`. An edge
 * whose parameters have errors has one list.
 */
export const variantsOf = (edge: string, options: TableListOptions): readonly ListVariant[] =>
  hasVariants(options)
    ? combine(options).map(values => ({ name: variantNameOf(edge, options, values), values }))
    : [{ name: edge, values: {} }]
