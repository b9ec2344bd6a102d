import { describeValue } from '../base/describe.ts'
import { isIdOfKind } from '../base/ids.ts'
import { unknownTypeError, usageError } from '../base/usage-error.ts'
import { type Engine, engineOf } from '../execute/engine.ts'
import type { Graph } from '../graph-interface.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { TypeName } from '../schema/inference/parent.ts'
import type { Schema } from '../schema/schema.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { nodesRequest } from '../store/requests.ts'
import type { WriteResult } from '../write/commit.ts'
import { assertEntryKeys, createNodeEntries, toEntryMutations } from '../write/entries.ts'
import { createSchemaOfType, type WritableType } from '../write/write-schema.ts'
import type { NodeDraft, RecipeResult, UpdateOptions } from './draft-types.ts'
import { applyRecipe, createReadCondition, storedNamesOf, type UntypedRecipe } from './recipe.ts'
import { assertUpdate, type ReadNewest, type UpdateCallOptions, writeUpdate } from './write-update.ts'

const OPTION_KINDS = {
  type: 'text',
  id: 'text',
  fields: 'texts',
  signal: 'signal',
  session: 'any',
} as const

/** The options of {@link update} without their types. */
type UntypedOptions = UpdateCallOptions & {
  readonly type: string
  readonly id: string
  readonly fields?: readonly string[] | undefined
}

/** @throws TypeError if the schema does not declare the type. */
const requireType = ({ registry: { schema } }: Engine, type: string): WritableType => {
  const writableType = createSchemaOfType(schema, type).get(type)
  if (writableType === undefined) throw unknownTypeError('update', Object.keys(schema.types), type)
  return writableType
}

/** @throws a {@link ValidationIssue} if there is no node of this type. */
const readNode = async (
  { registry: { ids } }: Engine,
  readNewest: ReadNewest,
  { id, type }: UntypedOptions,
): Promise<NodeRecord> => {
  const result = isIdOfKind(ids.kind, id) ? await readNewest(nodesRequest([id])) : undefined
  const record = result?.nodes[0]
  if (record?.type !== type) throw new ValidationIssue(`the id of an existing node of type ${type}`, id, 'id')
  return record
}

/** @throws TypeError if the option `fields` contains another name than those of stored fields. */
const assertFieldNames = (names: readonly string[], storedNames: readonly string[]): void => {
  const unknownName = names.find(name => !storedNames.includes(name))
  if (unknownName === undefined) return
  const expected = `an array with only ${storedNames.join(', ') || 'no names'}`
  throw usageError('update', 'fields', expected, describeValue(unknownName))
}

const updateNode = (engine: Engine, options: UntypedOptions, recipe: UntypedRecipe): Promise<WriteResult> => {
  const { fields: writableFields, collections } = requireType(engine, options.type)
  const storedNames = storedNamesOf(writableFields)
  const { fields: names = storedNames } = options
  assertFieldNames(names, storedNames)
  const prepare = async (readNewest: ReadNewest): Promise<readonly StoreMutation[]> => {
    const { id, fields: stored } = await readNode(engine, readNewest, options)
    const fields = applyRecipe('update', writableFields, stored, recipe, 'fields')
    if (fields === undefined) return []
    // The changes of another writer to a changed field must not be lost, even if the recipe does not read it.
    const when = createReadCondition(stored, [...names, ...Object.keys(fields)])
    const entries = createNodeEntries(collections, id, Object.keys(fields))
    assertEntryKeys('fields', fields, entries)
    return [{ op: 'patchNode', id, fields, when }, ...toEntryMutations(entries)]
  }
  return writeUpdate('update', engine, options, prepare)
}

/**
 * Changes the fields of a node with a recipe: a function that changes a draft. The call reads the node as it
 * is in the store, past all policies, and writes only the fields that the recipe changed. A deleted field is
 * removed. If the recipe changes nothing, nothing is written.
 *
 * If another writer changes the node between the read and the write, the recipe runs again on the new state, up
 * to five times in all. So it must be synchronous, and have no other effects. Its result is ignored. Do not use
 * the draft, or parts of it, after the recipe has returned. Stored fields that the schema does not declare stay
 * as they are.
 *
 * A call has no batch id. After `store_error` or `aborted`, the change may have been written.
 *
 * @throws GraphError `invalid_mutation` if there is no such node, or for an invalid value; `conflict` if other
 * writers changed the node each time; `store_error` if the store fails. `error.data` has the `index` 0, and the
 * `path` of the value.
 * @throws TypeError for an invalid option, a recipe that returns a promise, a generator or a new object without
 * changing its draft, a read-only store, or a store without conditional
 * writes.
 * @example
 * ```ts
 * import { createGraph, defineSchema, field, node } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 * import { update } from 'kithgraph/update'
 *
 * const schema = defineSchema({
 *   user: node({ fields: { name: field.string({ required: true }), tags: field.list(field.string()) } }),
 * })
 * const graph = createGraph(createMemoryStore(), { schema })
 * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'ada' } } }])
 *
 * const addTag = (tag: string) =>
 *   update(graph, { type: 'user', id: '4' }, draft => {
 *     draft.name = 'Ada'
 *     draft.tags = [...(draft.tags ?? []), tag]
 *   })
 * await Promise.all([addTag('math'), addTag('poetry')])
 * const session = graph.session({ viewer: '4', app: 'demo' })
 * console.log((await graph.getMe(session, { fields: 'tags' })).tags?.length) // 2
 * ```
 */
export const update = async <TSchema extends Schema, TType extends TypeName<TSchema>>(
  graph: Graph<TSchema>,
  options: UpdateOptions<TSchema, TType>,
  recipe: (draft: NodeDraft<TSchema, TType>) => RecipeResult,
): Promise<WriteResult> => {
  const engine = engineOf('update', graph)
  assertUpdate('update', options, OPTION_KINDS, recipe)
  // The types of a schema exist only at compile time.
  return updateNode(engine, options, recipe as UntypedRecipe)
}
