import type { JsonObject } from '../../base/json.ts'
import type { Schema } from '../../schema/schema.ts'
import { describeEdge } from './descriptions.ts'
import { formatPageComponentName, groupEdgesByName, type TypeEdge } from './edges-by-name.ts'
import { createByIdSchema } from './node-paths.ts'
import { createOperation } from './operation.ts'
import { EDGE_PARAMETER_NAMES, ENTRY_PARAMETER_NAMES } from './parameters.ts'
import { createAnyOf, createSchemaRef } from './schema-refs.ts'
import { createObjectSchema } from './value-schemas.ts'

/** Describes an edge for each type that has it. */
const describeEdges = (edges: readonly TypeEdge[]): string =>
  edges
    .map(
      ({ typeName, edge }) => `- ${typeName} → ${edge.targets.join(', ')}: ${describeEdge(edge).description}`,
    )
    .join('\n')

const collectScopes = (edges: readonly TypeEdge[]): readonly string[] => [
  ...new Set(edges.flatMap(({ edge }) => edge.scope ?? [])),
]

type EdgeOperation = {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly rootParameters: readonly string[]
  readonly readsSeveralNodes: boolean
}

const createEdgePath = (
  edges: readonly TypeEdge[],
  operation: EdgeOperation,
): readonly [string, JsonObject] => {
  const pageSchema = createAnyOf(edges.map(formatPageComponentName))
  const scopes = collectScopes(edges)
  const get = createOperation({
    operationId: operation.operationId,
    tag: 'Edges',
    summary: operation.summary,
    description: describeEdges(edges),
    parameters: [...operation.rootParameters, ...EDGE_PARAMETER_NAMES],
    responseSchema: operation.readsSeveralNodes ? createByIdSchema(pageSchema) : pageSchema,
  })
  return [operation.path, { get: { ...get, ...(scopes.length > 0 && { 'x-scopes': scopes }) } }]
}

const createViewerEdgeOperation = (name: string): EdgeOperation => ({
  path: `/me/${name}`,
  operationId: `getMe_${name}`,
  summary: `The ${name} of the viewer`,
  rootParameters: [],
  readsSeveralNodes: false,
})

const createNodeEdgeOperation = (name: string): EdgeOperation => ({
  path: `/{id}/${name}`,
  operationId: `getNode_${name}`,
  summary: `The ${name} of a node`,
  rootParameters: ['id'],
  readsSeveralNodes: false,
})

const createNodesEdgeOperation = (name: string): EdgeOperation => ({
  path: `/${name}`,
  operationId: `getNodes_${name}`,
  summary: `The ${name} of several nodes`,
  rootParameters: ['ids'],
  readsSeveralNodes: true,
})

type EntryOperation = Omit<EdgeOperation, 'readsSeveralNodes'>

/** One entry: as in the list, without the data of the list itself. */
const createEntryPath = (
  edges: readonly TypeEdge[],
  operation: EntryOperation,
): readonly [string, JsonObject] => {
  const scopes = collectScopes(edges)
  const entrySchema = createAnyOf(edges.flatMap(({ edge }) => edge.targets))
  const get = createOperation({
    operationId: operation.operationId,
    tag: 'Edges',
    summary: operation.summary,
    description: 'Returns no entry if the edge does not exist. Fields of the list itself are omitted.',
    parameters: [...operation.rootParameters, 'target', ...ENTRY_PARAMETER_NAMES],
    responseSchema: createObjectSchema(
      { data: { type: 'array', maxItems: 1, items: entrySchema }, __debug__: createSchemaRef('Debug') },
      ['data'],
    ),
  })
  return [operation.path, { get: { ...get, ...(scopes.length > 0 && { 'x-scopes': scopes }) } }]
}

const createViewerEntryOperation = (name: string): EntryOperation => ({
  path: `/me/${name}/{target}`,
  operationId: `getMyEntry_${name}`,
  summary: `The entry of the viewer's ${name} that leads to a node`,
  rootParameters: [],
})

const createNodeEntryOperation = (name: string): EntryOperation => ({
  path: `/{id}/${name}/{target}`,
  operationId: `getEntry_${name}`,
  summary: `The entry of a node's ${name} that leads to another node`,
  rootParameters: ['id'],
})

/**
 * Creates the paths of the edges of each name (of the viewer, of a node, of several nodes) and of single
 * entries. Each name has its own path, since entries differ from edge to edge and a client that is generated
 * from the document should know them.
 */
export const createEdgePaths = (schema: Schema): JsonObject => {
  const viewerEdges = [...groupEdgesByName(schema, schema.viewers)]
  const allEdges = [...groupEdgesByName(schema)]
  return Object.fromEntries([
    ...viewerEdges.map(([name, edges]) => createEdgePath(edges, createViewerEdgeOperation(name))),
    ...allEdges.map(([name, edges]) => createEdgePath(edges, createNodeEdgeOperation(name))),
    ...allEdges.map(([name, edges]) => createEdgePath(edges, createNodesEdgeOperation(name))),
    ...viewerEdges.map(([name, edges]) => createEntryPath(edges, createViewerEntryOperation(name))),
    ...allEdges.map(([name, edges]) => createEntryPath(edges, createNodeEntryOperation(name))),
  ])
}
