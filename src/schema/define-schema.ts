import { describe } from '../base/describe.ts'
import { isPlainObject } from '../base/json.ts'
import { assertKinds, assertObject, type OptionKinds } from '../base/options.ts'
import { compareVersions, isVersion, type Version } from '../base/version.ts'
import { faultsOfSchema } from './check-schema.ts'
import { isNodeType, NODE_OPTIONS, type NodeType, node } from './node.ts'
import type { NodeChanges, Schema, SchemaOptions, Types } from './schema.ts'

const OPTIONS = { versions: 'texts', viewers: 'texts', silhouette: 'text' } as const satisfies OptionKinds

const changed = (before: NodeType | undefined, change: NodeChanges): NodeType =>
  node({
    description: change.description ?? before?.description,
    appScoped: change.appScoped ?? before?.appScoped,
    policy: change.policy ?? before?.policy,
    fields: { ...before?.fields, ...change.fields },
    edges: { ...before?.edges, ...change.edges },
  })

const extended = (
  schema: Schema,
  changes: { readonly [type: string]: NodeChanges },
  options: SchemaOptions,
): Schema => {
  const types: { [type: string]: NodeType } = { ...schema.types }
  for (const [name, change] of Object.entries(changes)) {
    assertObject(`schema.extend: ${name}`, change)
    assertKinds(`schema.extend: ${name}`, change, NODE_OPTIONS)
    types[name] = changed(schema.types[name], change)
  }
  const { versions, viewers, silhouette } = schema
  return createSchema(types, { versions, viewers, silhouette, ...options })
}

const createSchema = (types: Types, options: SchemaOptions): Schema => {
  const versions: readonly Version[] = options.versions ?? ['v1.0']
  const schema: Schema = Object.freeze({
    types: Object.freeze({ ...types }),
    versions: Object.freeze(versions.every(isVersion) ? versions.toSorted(compareVersions) : [...versions]),
    viewers: Object.freeze([...(options.viewers ?? Object.keys(types))]),
    silhouette: options.silhouette,
    extend: (changes: { readonly [type: string]: NodeChanges }, more: SchemaOptions = {}) => {
      assertObject('schema.extend', changes)
      assertKinds('schema.extend', more, OPTIONS)
      return extended(schema, changes, more)
    },
  }) as Schema
  const faults = faultsOfSchema(schema)
  if (faults.length === 0) return schema
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  throw new TypeError(`The schema has ${count}:\n${faults.map(fault => `- ${fault}`).join('\n')}`)
}

/**
 * Checks types against each other and makes a schema of them.
 *
 * @throws TypeError with every fault at once: unknown targets, inverses that disagree, defaults that do not exist,
 * names that are not `[a-z][a-z0-9_]*` or are reserved, versions that are none.
 * @example
 * ```ts
 * import { defineSchema, edge, field, node } from 'kithgraph'
 *
 * const schema = defineSchema(
 *   {
 *     reader: node({
 *       fields: { name: field.string({ default: true, required: true }) },
 *       edges: { loans: edge('book', { inverse: 'readers', fields: { since: field.edgeTime() } }) },
 *     }),
 *     book: node({
 *       fields: { title: field.string({ default: true, required: true }) },
 *       edges: { readers: edge('reader', { inverse: 'loans' }) },
 *     }),
 *   },
 *   { versions: ['v1.0'], viewers: ['reader'] },
 * )
 * console.log(schema.viewers) // [ 'reader' ]
 * ```
 */
export const defineSchema = <
  const TTypes extends Types,
  const TViewers extends keyof TTypes & string = keyof TTypes & string,
>(
  types: TTypes,
  options: SchemaOptions<TViewers> = {},
): Schema<TTypes, TViewers> => {
  assertObject('defineSchema', types)
  assertKinds('defineSchema', options, OPTIONS)
  for (const [name, type] of Object.entries(types)) {
    if (!isNodeType(type))
      throw new TypeError(`defineSchema: ${name} must be made by node, came ${describe(type)}`)
  }
  // What the literal said of its types is known to the compiler alone; the checked value is the same at run time.
  return createSchema(types, options) as unknown as Schema<TTypes, TViewers>
}

/** Whether a value was made by {@link defineSchema} or `extend`, of this copy of the library or of another. */
export const isSchema = (value: unknown): value is Schema =>
  isPlainObject(value) &&
  isPlainObject(value.types) &&
  Array.isArray(value.versions) &&
  Array.isArray(value.viewers) &&
  typeof value.extend === 'function'
