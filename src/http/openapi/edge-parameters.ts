import type { IdKind } from '../../base/ids.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Parameter } from '../../schema/parameter.ts'
import type { TypeEdge } from './node-schemas.ts'
import { toRequestDefault, toRequestSchema } from './parameter-schemas.ts'

/** A parameter of an edge of one type. */
type TypeParameter = { readonly typeName: string; readonly parameter: Parameter }

const wordsOf = ({ enum: words }: JsonObject): readonly JsonValue[] | undefined =>
  Array.isArray(words) ? words : undefined

/** Returns the schema of values that match at least one schema. Several sets of words become one set. */
const uniteSchemas = (schemas: readonly JsonObject[]): JsonObject => {
  const uniqueSchemas = [...new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values()]
  const [first = {}, ...others] = uniqueSchemas
  if (others.length === 0) return first
  const wordLists = uniqueSchemas.flatMap(schema => {
    const words = wordsOf(schema)
    return words === undefined ? [] : [words]
  })
  return wordLists.length === uniqueSchemas.length
    ? { type: 'string', enum: [...new Set(wordLists.flat())] }
    : { anyOf: uniqueSchemas }
}

/** Returns the default as a request would send it, if it is the same for all types. */
const findCommonDefault = (parameters: readonly Parameter[]): JsonValue | undefined => {
  const [firstDefault, ...otherDefaults] = new Set(parameters.map(toRequestDefault))
  return otherDefaults.length > 0 ? undefined : firstDefault
}

const uniteParameters = (
  ids: IdKind,
  name: string,
  typeParameters: readonly TypeParameter[],
  typeCount: number,
): JsonObject => {
  const parameters = typeParameters.map(({ parameter }) => parameter)
  const defaultValue = findCommonDefault(parameters)
  const isInAllTypes = typeParameters.length === typeCount
  const typeNames = typeParameters.map(({ typeName }) => `\`${typeName}\``).join(', ')
  const descriptions = [
    ...new Set(parameters.map(({ description }) => description)),
    isInAllTypes ? '' : `Only for nodes of the type ${typeNames}.`,
  ].filter(text => text !== '')
  return {
    name,
    in: 'query',
    ...(isInAllTypes && parameters.every(({ required }) => required) && { required: true }),
    ...(descriptions.length > 0 && { description: descriptions.join(' ') }),
    schema: {
      ...uniteSchemas(parameters.map(parameter => toRequestSchema(ids, parameter))),
      ...(defaultValue !== undefined && { default: defaultValue }),
    },
  }
}

/**
 * Creates the query parameters of an edge. If several types have the edge, these are the parameters of all
 * types. A parameter is required only if all types require it.
 */
export const createEdgeParameters = (ids: IdKind, edges: readonly TypeEdge[]): readonly JsonObject[] => {
  const parametersByName = new Map<string, TypeParameter[]>()
  for (const { typeName, edge } of edges) {
    for (const [name, parameter] of Object.entries(edge.parameters))
      parametersByName.set(name, [...(parametersByName.get(name) ?? []), { typeName, parameter }])
  }
  return [...parametersByName].map(([name, typeParameters]) =>
    uniteParameters(ids, name, typeParameters, edges.length),
  )
}
