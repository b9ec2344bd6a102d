import type { IdKind } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { ROOT_TYPE } from '../../schema/collection.ts'
import type { Schema } from '../../schema/schema.ts'
import { describeEdge } from './descriptions.ts'
import { createEdgeParameters } from './edge-parameters.ts'
import { createByIdSchema } from './node-paths.ts'
import { formatPageComponentName, groupEdgesByName, storedTypesOf, type TypeEdge } from './node-schemas.ts'
import { createOperation, type OperationDefinition } from './operation.ts'
import { createOrderParameter, EDGE_PARAMETER_NAMES, ENTRY_PARAMETER_NAMES } from './parameters.ts'
import { createAnyOf, createObjectSchema, createSchemaRef } from './value-schemas.ts'

/** Describes an edge for each type that has it. */
const describeEdges = (edges: readonly TypeEdge[]): string =>
  edges
    .map(
      ({ typeName, edge }) => `- ${typeName} → ${edge.targets.join(', ')}: ${describeEdge(edge).description}`,
    )
    .join('\n')

/** The texts that identify an operation on an edge. */
type OperationNames = readonly [path: string, operationId: string, summary: string]

const createPath = (
  edges: readonly TypeEdge[],
  [path, operationId, summary]: OperationNames,
  definition: Pick<OperationDefinition, 'description' | 'parameters' | 'responseSchema'>,
): readonly [string, JsonObject] => {
  const scopes = [...new Set(edges.flatMap(({ edge }) => edge.scope ?? []))]
  const get = createOperation({ operationId, summary, tag: 'Edges', ...definition })
  return [path, { get: { ...get, ...(scopes.length > 0 && { 'x-scopes': scopes }) } }]
}

/** Returns the parameters of pages. Only edges with orders of their own have a parameter `order` of their own. */
const createPageParameters = (edges: readonly TypeEdge[]): readonly (string | JsonObject)[] => {
  const orders = edges.flatMap(({ edge }) => [...edge.orders.keys()])
  return EDGE_PARAMETER_NAMES.map(name =>
    name === 'order' && orders.length > 0 ? createOrderParameter(orders) : name,
  )
}

/**
 * Creates the path for the pages of an edge of one node, or of several nodes if `rootParameters` contains
 * `ids`.
 */
const createPagesPath = (
  ids: IdKind,
  edges: readonly TypeEdge[],
  names: OperationNames,
  rootParameters: readonly string[],
): readonly [string, JsonObject] => {
  const pageSchema = createAnyOf(edges.map(formatPageComponentName))
  return createPath(edges, names, {
    description: describeEdges(edges),
    parameters: [...rootParameters, ...createEdgeParameters(ids, edges), ...createPageParameters(edges)],
    responseSchema: rootParameters.includes('ids') ? createByIdSchema(pageSchema) : pageSchema,
  })
}

/** Creates the path for one entry, which is returned as in the list but without the fields of the edge. */
const createEntryPath = (
  ids: IdKind,
  edges: readonly TypeEdge[],
  names: OperationNames,
  rootParameters: readonly string[],
): readonly [string, JsonObject] => {
  const entrySchema = createAnyOf(edges.flatMap(({ edge }) => edge.targets))
  return createPath(edges, names, {
    description: 'Returns no entry if the edge does not exist. Fields of the edge itself are omitted.',
    parameters: [...rootParameters, 'target', ...createEdgeParameters(ids, edges), ...ENTRY_PARAMETER_NAMES],
    responseSchema: createObjectSchema(
      { data: { type: 'array', maxItems: 1, items: entrySchema }, __debug__: createSchemaRef('Debug') },
      ['data'],
    ),
  })
}

/**
 * Creates the paths for collections, for the edges of the viewer, of one node and of several nodes, and for
 * single entries.
 * Each edge name has its own paths, because the entries of each edge have other types, and clients that are
 * generated from the document need these types.
 */
export const createEdgePaths = (schema: Schema): JsonObject => {
  const viewerEdges = [...groupEdgesByName(schema, schema.viewers)]
  const allEdges = [...groupEdgesByName(schema, storedTypesOf(schema))]
  const collections = [...groupEdgesByName(schema, [ROOT_TYPE])]
  return Object.fromEntries([
    ...collections.map(([name, edges]) =>
      createPagesPath(schema.ids, edges, [`/root/${name}`, `getRoot_${name}`, `The collection ${name}`], []),
    ),
    ...viewerEdges.map(([name, edges]) =>
      createPagesPath(schema.ids, edges, [`/me/${name}`, `getMe_${name}`, `The ${name} of the viewer`], []),
    ),
    ...allEdges.map(([name, edges]) =>
      createPagesPath(
        schema.ids,
        edges,
        [`/{id}/${name}`, `getNode_${name}`, `The ${name} of a node`],
        ['id'],
      ),
    ),
    ...allEdges.map(([name, edges]) =>
      createPagesPath(
        schema.ids,
        edges,
        [`/${name}`, `getNodes_${name}`, `The ${name} of several nodes`],
        ['ids'],
      ),
    ),
    ...viewerEdges.map(([name, edges]) => {
      const summary = `The entry in the viewer's ${name} that leads to a node`
      return createEntryPath(schema.ids, edges, [`/me/${name}/{target}`, `getMyEntry_${name}`, summary], [])
    }),
    ...allEdges.map(([name, edges]) => {
      const summary = `The entry in a node's ${name} that leads to another node`
      return createEntryPath(
        schema.ids,
        edges,
        [`/{id}/${name}/{target}`, `getEntry_${name}`, summary],
        ['id'],
      )
    }),
  ])
}
