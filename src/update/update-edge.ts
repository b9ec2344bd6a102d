import { describeValue } from '../base/describe.ts'
import type { JsonObject } from '../base/json.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'
import { type Engine, engineOf } from '../execute/engine.ts'
import type { Graph } from '../graph-interface.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { Schema } from '../schema/schema.ts'
import type { EdgeKey, EdgeRecord } from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import type { WriteResult } from '../write/commit.ts'
import { assertEntryKeys, toEntryMutations } from '../write/entries.ts'
import { chooseList, type ResolvedEdge, resolveEdge } from '../write/resolve-edge.ts'
import type { NodeTypes } from '../write/write-batch.ts'
import { createSchemaOfType } from '../write/write-schema.ts'
import type { EdgeDraft, RecipeResult, UpdatedEdgeName, UpdateEdgeOptions } from './draft-types.ts'
import { readEdge } from './read-edge.ts'
import { applyRecipe, createReadCondition, storedNamesOf, type UntypedRecipe } from './recipe.ts'
import { assertUpdate, type ReadNewest, type UpdateCallOptions, writeUpdate } from './write-update.ts'

const OPTION_KINDS = {
  source: 'text',
  name: 'text',
  target: 'text',
  parameters: 'object',
  signal: 'signal',
  session: 'any',
} as const

/** The options of {@link updateEdge} without their types. */
type UntypedOptions = EdgeKey & UpdateCallOptions & { readonly parameters?: object | undefined }

/** @throws TypeError if no type of the schema declares an edge with this name. */
const assertEdgeName = ({ registry: { schema } }: Engine, name: string): void => {
  const names = new Set(Object.values(schema.types).flatMap(({ edges }) => Object.keys(edges)))
  if (!names.has(name)) throw usageError('updateEdge', 'name', formatChoices([...names]), describeValue(name))
}

/**
 * Returns an edge as the schema declares it for the types of its ends, in the list that `parameters` choose.
 *
 * @throws a {@link ValidationIssue} if an end is missing, or if the schema does not declare the edge.
 */
const findDeclaredEdge = (
  { registry: { schema } }: Engine,
  { source, name, target, parameters }: UntypedOptions,
  types: NodeTypes,
): ResolvedEdge => {
  const batch = { schema: createSchemaOfType(schema, types.get(source)), types, mutations: [] }
  const choice = { source, name, target, parameters, mayNameList: false }
  return resolveEdge(batch, chooseList(batch, choice), choice)
}

/** An edge as it was read, and as the schema declares it. */
type FoundEdge = { readonly record: EdgeRecord | undefined; readonly declared: ResolvedEdge }

/** Reads an edge in the list with the name of the edge, and then in another list if the parameters choose it. */
const findEdge = async (
  readNewest: ReadNewest,
  engine: Engine,
  options: UntypedOptions,
): Promise<FoundEdge> => {
  const { kind } = engine.registry.ids
  const { types, record } = await readEdge(kind, readNewest, options)
  const declared = findDeclaredEdge(engine, options, types)
  return declared.key.name === options.name
    ? { record, declared }
    : { record: (await readEdge(kind, readNewest, declared.key)).record, declared }
}

/** Applies changes to the data of an edge. A change to null removes a value. */
const changeData = (data: JsonObject, changes: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...data, ...changes }).filter(
      ([name, value]) => value !== null || !Object.hasOwn(changes, name),
    ),
  )

const createEdge = (key: EdgeKey, time: number, data: JsonObject): EdgeRecord =>
  Object.keys(data).length === 0 ? { ...key, time } : { ...key, time, data }

/** Reads an edge and runs the recipe. Returns the mutations that write the changed data. */
const prepareEdge = async (
  readNewest: ReadNewest,
  engine: Engine,
  options: UntypedOptions,
  recipe: UntypedRecipe,
): Promise<readonly StoreMutation[]> => {
  const { record, declared } = await findEdge(readNewest, engine, options)
  const { key, mirror, entries, dataFields } = declared
  if (record === undefined)
    throw new ValidationIssue('the target of an existing edge', key.target, 'edge.target')
  const { time, data = {} } = record
  const changes = applyRecipe('updateEdge', dataFields, data, recipe, 'edge.data')
  if (changes === undefined) return []
  assertEntryKeys('edge.data', changes, entries)
  // The mutation replaces all data, so it depends on all data.
  const when = createReadCondition(data, [...storedNamesOf(dataFields), ...Object.keys(data)])
  const edge = createEdge(key, time, changeData(data, changes))
  return [{ op: 'putEdge', edge, mirror, when }, ...toEntryMutations(entries)]
}

/**
 * Changes the data of an edge with a recipe, like {@link update}. The edge keeps its time, and its mirror gets
 * the same data.
 *
 * The recipe runs again if another writer has changed a declared value, or an undeclared one that the edge had.
 * Stores cannot compare anything else. So if another writer changes only the time of the edge between the read
 * and the write, or adds a value that the schema does not declare, this change is undone.
 *
 * @throws GraphError `invalid_mutation` if the edge does not exist, or for an invalid value; `conflict` if
 * other writers changed the edge each time; `store_error` if the store fails.
 * @throws TypeError for an invalid option, the name of no edge, a recipe that returns a promise, a generator or a
 * new object without changing its draft, a read-only store, or a store without conditional
 * writes.
 * @example
 * ```ts
 * import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 * import { updateEdge } from 'kithgraph/update'
 *
 * const schema = defineSchema({
 *   user: node({ fields: { name: field.string() } }),
 *   team: node({ edges: { members: edge('user', { fields: { role: field.string() } }) } }),
 * })
 * const graph = createGraph(createMemoryStore(), { schema })
 * const member = { source: '20', name: 'members', target: '4' } as const
 * await graph.write([
 *   { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } },
 *   { op: 'putNode', node: { id: '20', type: 'team', fields: {} } },
 *   { op: 'putEdge', edge: { ...member, time: '2026-01-01', data: { role: 'guest' } } },
 * ])
 * await updateEdge(graph, member, draft => {
 *   if (draft.role === 'guest') draft.role = 'author'
 * })
 * const session = graph.session({ viewer: '4', app: 'demo' })
 * const members = await graph.getEdge(session, { id: '20', type: 'team', edge: 'members', fields: 'role' })
 * console.log(members.data[0]?.role) // author
 * ```
 */
export const updateEdge = async <TSchema extends Schema, TName extends UpdatedEdgeName<TSchema>>(
  graph: Graph<TSchema>,
  options: UpdateEdgeOptions<TSchema, TName>,
  recipe: (draft: EdgeDraft<TSchema, TName>) => RecipeResult,
): Promise<WriteResult> => {
  const engine = engineOf('updateEdge', graph)
  assertUpdate('updateEdge', options, OPTION_KINDS, recipe)
  assertEdgeName(engine, options.name)
  // The types of a schema exist only at compile time.
  const untypedRecipe = recipe as UntypedRecipe
  return writeUpdate('updateEdge', engine, options, readNewest =>
    prepareEdge(readNewest, engine, options, untypedRecipe),
  )
}
