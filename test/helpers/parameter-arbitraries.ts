import fc, { type Arbitrary } from 'fast-check'
import { fitValues } from './naive-graph/edge-parameters.ts'
import type { EdgeSpec, FilterSpec, ParameterSpec, ParameterValues, SchemaSpec } from './naive-graph/world.ts'
import { mapValues, omitUndefined, rarely, TYPES } from './schema-arbitraries.ts'

const KINDS = ['plain', 'other', 'more'] as const

const words = (...choices: readonly string[]): Arbitrary<ParameterSpec> =>
  rarely(fc.constantFrom(...choices), 5).map(one => ({ kind: 'enum', words: choices, default: one }))

const texts = (...choices: readonly string[]): Arbitrary<ParameterSpec> =>
  rarely(fc.constantFrom(...choices), 5).map(one => ({ kind: 'string', default: one }))

/** The parameters in the same order for every edge. A parameter may be an enum on one edge and text on another. */
const parameterSpecs = fc.record(
  {
    kind: words(...KINDS),
    least: rarely(fc.constant(1000), 5).map((one): ParameterSpec => ({ kind: 'int', default: one })),
    live: rarely(fc.boolean(), 5).map((one): ParameterSpec => ({ kind: 'bool', default: one })),
    mood: fc.oneof(words('calm', 'cross'), texts('calm', '')),
    part: fc.oneof(words('guest', 'host'), texts('guest')),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const filterSpecs: Arbitrary<FilterSpec> = fc
  .record({
    reads: fc.subarray(['mood', 'live']),
    differs: fc.boolean(),
    never: rarely(fc.constantFrom('guest', 'host'), 3),
    refusal: fc.constantFrom('false', 'false', 'throws', 'text'),
  })
  .map(omitUndefined)

type EdgeParameters = Pick<EdgeSpec, 'parameters' | 'list' | 'where'>

/** Parameters, stored lists and filters of an edge. */
export const edgeParameters: Arbitrary<EdgeParameters> = fc
  .record({
    parameters: parameterSpecs,
    list: rarely(fc.constantFrom(['kind'], ['kind', 'live']), 2),
    where: fc.option(filterSpecs, { nil: undefined, freq: 3 }),
  })
  .map(({ parameters: specs, list, where }) => {
    const parameters = mapValues(specs, omitUndefined)
    const chosen = list?.filter(name => name in parameters)
    if (Object.keys(parameters).length === 0) return {}
    return omitUndefined({ parameters, list: chosen?.length ? chosen : undefined, where })
  })

/** Whether a filter may read a field: a stored field that no target type protects. */
const isReadable = ({ types }: SchemaSpec, { targets }: EdgeSpec, name: string): boolean => {
  const fields = targets.flatMap(target => types[target]?.fields[name] ?? [])
  return fields.length > 0 && fields.every(({ scope, policy }) => scope === undefined && policy === undefined)
}

/** Removes the fields that the filter of an edge may not read. */
export const withReadable = (schema: SchemaSpec, edge: EdgeSpec): EdgeSpec => {
  const { where } = edge
  if (where === undefined) return edge
  return { ...edge, where: { ...where, reads: where.reads.filter(name => isReadable(schema, edge, name)) } }
}

/** The parameters of each edge name. The edges `parts` and `whole` have equal ones, because they are mirrors. */
const choices = fc.record({
  likes: fc.tuple(...TYPES.map(() => edgeParameters)),
  kin: fc.tuple(...TYPES.map(() => edgeParameters)),
  parts: edgeParameters,
  whole: edgeParameters,
})

type Choices = typeof choices extends Arbitrary<infer T> ? T : never

const chooseParameters = (
  { likes, kin, parts, whole }: Choices,
  type: string,
  name: string,
): EdgeParameters => {
  if (name === 'parts') return parts
  if (name === 'whole')
    return omitUndefined({ ...parts, where: parts.parameters === undefined ? undefined : whole.where })
  return (name === 'likes' ? likes : kin)[TYPES.indexOf(type)] ?? {}
}

const addParameters = (schema: SchemaSpec, chosen: Choices): SchemaSpec => ({
  ...schema,
  types: mapValues(schema.types, (type, typeName) => ({
    ...type,
    edges: mapValues(type.edges, (edge, name) =>
      withReadable(schema, { ...edge, ...chooseParameters(chosen, typeName, name) }),
    ),
  })),
})

/** How many schemas have edges with parameters. */
export type ParameterShare = 'none' | 'some' | 'all'

/** Adds parameters, stored lists and filters to the edges of a third of the schemas, or of all of them. */
export const withParameters = (
  schemas: Arbitrary<SchemaSpec>,
  share: ParameterShare = 'some',
): Arbitrary<SchemaSpec> => {
  if (share === 'none') return schemas
  const chosen = share === 'all' ? choices : rarely(choices, 3)
  return fc
    .tuple(schemas, chosen)
    .map(([schema, one]) => (one === undefined ? schema : addParameters(schema, one)))
}

/** Values for all parameters, of which `fitValues` keeps those that an edge accepts. */
export const parameterValues: Arbitrary<ParameterValues> = fc.record(
  {
    kind: fc.constantFrom(...KINDS, undefined),
    least: fc.constantFrom(0, 1000, 2500, -1, undefined),
    live: fc.constantFrom(true, false, undefined),
    mood: fc.constantFrom('calm', 'cross', 'calm', '', 'a "quoted" \n text', '😀', undefined),
    part: fc.constantFrom('guest', 'host', undefined),
  },
  { requiredKeys: [], noNullPrototype: true },
)

/** Returns the values that all of the edges accept, or `undefined` if there are none. */
export const chooseValues = (
  edges: readonly EdgeSpec[],
  values: ParameterValues,
): ParameterValues | undefined => {
  const fitting = fitValues(edges, values)
  return Object.keys(fitting).length === 0 ? undefined : fitting
}
