import type { JsonObject } from '../../base/json.ts'
import type { Schema } from '../../schema/schema.ts'
import { edgeNotes } from './descriptions.ts'
import { edgesByName, type HeldEdge, listName } from './edge-holders.ts'
import { byId } from './node-paths.ts'
import { operationObject } from './operation.ts'
import { EDGE_PARAMETERS, ENTRY_PARAMETERS } from './parameters.ts'
import { anyOf, schemaRef } from './references.ts'
import { objectSchema } from './value-schemas.ts'

/** What an edge is of each type that has it. */
const described = (held: readonly HeldEdge[]): string =>
  held
    .map(({ holder, edge }) => `- ${holder} → ${edge.targets.join(', ')}: ${edgeNotes(edge).description}`)
    .join('\n')

const scopesOf = (held: readonly HeldEdge[]): readonly string[] => [
  ...new Set(held.flatMap(({ edge }) => edge.scope ?? [])),
]

type EdgeRead = {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly root: readonly string[]
  readonly several: boolean
}

const entryOf = (held: readonly HeldEdge[], read: EdgeRead): readonly [string, JsonObject] => {
  const page = anyOf(held.map(listName))
  const scopes = scopesOf(held)
  const get = operationObject({
    operationId: read.operationId,
    tag: 'Edges',
    summary: read.summary,
    description: described(held),
    parameters: [...read.root, ...EDGE_PARAMETERS],
    answer: read.several ? byId(page) : page,
  })
  return [read.path, { get: { ...get, ...(scopes.length > 0 && { 'x-scopes': scopes }) } }]
}

const ofViewer = (name: string): EdgeRead => ({
  path: `/me/${name}`,
  operationId: `getMe_${name}`,
  summary: `The ${name} of the viewer`,
  root: [],
  several: false,
})

const ofNode = (name: string): EdgeRead => ({
  path: `/{id}/${name}`,
  operationId: `getNode_${name}`,
  summary: `The ${name} of a node`,
  root: ['id'],
  several: false,
})

const ofSeveral = (name: string): EdgeRead => ({
  path: `/${name}`,
  operationId: `getNodes_${name}`,
  summary: `The ${name} of several nodes`,
  root: ['ids'],
  several: true,
})

type EntryRead = Omit<EdgeRead, 'several'>

/** One entry: as in the list, without what belongs to the edge itself. */
const singleOf = (held: readonly HeldEdge[], read: EntryRead): readonly [string, JsonObject] => {
  const scopes = scopesOf(held)
  const items = anyOf(held.flatMap(({ edge }) => edge.targets))
  const get = operationObject({
    operationId: read.operationId,
    tag: 'Edges',
    summary: read.summary,
    description: 'No entry where there is no such edge. Fields of the edge itself are left out.',
    parameters: [...read.root, 'target', ...ENTRY_PARAMETERS],
    answer: objectSchema({ data: { type: 'array', maxItems: 1, items }, __debug__: schemaRef('Debug') }, [
      'data',
    ]),
  })
  return [read.path, { get: { ...get, ...(scopes.length > 0 && { 'x-scopes': scopes }) } }]
}

const entryOfViewer = (name: string): EntryRead => ({
  path: `/me/${name}/{target}`,
  operationId: `getMyEntry_${name}`,
  summary: `The entry of the viewer's ${name} that leads to a node`,
  root: [],
})

const entryOfNode = (name: string): EntryRead => ({
  path: `/{id}/${name}/{target}`,
  operationId: `getEntry_${name}`,
  summary: `The entry of a node's ${name} that leads to another`,
  root: ['id'],
})

/**
 * The paths to the edges of each name: of the viewer, of a node, of several nodes; and to single entries. A path for each name, not one for all,
 * since entries differ from edge to edge and a client made of the document should know them.
 */
export const edgePaths = (schema: Schema): JsonObject => {
  const ofViewers = [...edgesByName(schema, schema.viewers)]
  const ofAll = [...edgesByName(schema)]
  return Object.fromEntries([
    ...ofViewers.map(([name, held]) => entryOf(held, ofViewer(name))),
    ...ofAll.map(([name, held]) => entryOf(held, ofNode(name))),
    ...ofAll.map(([name, held]) => entryOf(held, ofSeveral(name))),
    ...ofViewers.map(([name, held]) => singleOf(held, entryOfViewer(name))),
    ...ofAll.map(([name, held]) => singleOf(held, entryOfNode(name))),
  ])
}
