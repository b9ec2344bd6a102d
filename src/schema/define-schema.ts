import { describe } from '../base/describe.ts'
import { isPlainObject } from '../base/json.ts'
import { assertKinds, assertObject, type OptionKinds } from '../base/options.ts'
import { compareVersions, isVersion, type Version } from '../base/version.ts'
import { faultsOfSchema } from './check-schema.ts'
import { didYouMean } from './did-you-mean.ts'
import { isNodeType, NODE_OPTIONS, type NodeType, node } from './node.ts'
import { own } from './own.ts'
import type { NodeChanges, Schema, SchemaOptions, Types } from './schema.ts'

const OPTIONS = { versions: 'texts', viewers: 'texts', silhouette: 'text' } as const satisfies OptionKinds

const changed = (before: NodeType, change: NodeChanges): NodeType =>
  node({
    description: change.description ?? before.description,
    appScoped: change.appScoped ?? before.appScoped,
    policy: change.policy ?? before.policy,
    fields: { ...before.fields, ...change.fields },
    edges: { ...before.edges, ...change.edges },
  })

/** A new type is told from a change by `node`: else a misspelt one would be made, and its policy guard nothing. */
const typeAfter = (types: Types, name: string, change: NodeChanges): NodeType => {
  const place = `schema.extend: ${name}`
  assertObject(place, change)
  assertKinds(place, change, NODE_OPTIONS)
  const before = own(types, name)
  if (before === undefined) {
    if (isNodeType(change)) return node(change)
    const hint = didYouMean(name, Object.keys(types))
    throw new TypeError(`${place}: there is no such type to change, and a new one is made by node${hint}`)
  }
  // What `node` filled in would take the place of what is there, as if it had been said.
  if (isNodeType(change) && Object.isFrozen(change))
    throw new TypeError(`${place}: the type is there; expected its changes alone, came a whole node`)
  return changed(before, change)
}

const extended = (
  schema: Schema,
  changes: { readonly [type: string]: NodeChanges },
  options: SchemaOptions,
): Schema => {
  const types: { [type: string]: NodeType } = { ...schema.types }
  for (const [name, change] of Object.entries(changes)) types[name] = typeAfter(schema.types, name, change)
  const { versions = schema.versions, viewers = schema.viewers } = options
  const next = createSchema(types, { silhouette: schema.silhouette, ...options, versions, viewers })
  assertFaultless(next)
  return next
}

const createSchema = (types: Types, options: SchemaOptions): Schema => {
  const versions: readonly Version[] = options.versions ?? ['v1.0']
  const schema: Schema = Object.freeze({
    types: Object.freeze({ ...types }),
    versions: Object.freeze(versions.every(isVersion) ? versions.toSorted(compareVersions) : [...versions]),
    viewers: Object.freeze([...(options.viewers ?? Object.keys(types))]),
    silhouette: options.silhouette,
    extend: (changes: { readonly [type: string]: NodeChanges }, more: SchemaOptions = {}) => {
      if (!isPlainObject(changes))
        throw new TypeError(`schema.extend: expected types with their changes, came ${describe(changes)}`)
      assertKinds('schema.extend', more, OPTIONS)
      return extended(schema, changes, more)
    },
  }) as Schema
  return schema
}

const assertFaultless = (schema: Schema): void => {
  const faults = faultsOfSchema(schema)
  if (faults.length === 0) return
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  throw new TypeError(`The schema has ${count}:\n${faults.map(fault => `- ${fault}`).join('\n')}`)
}

/**
 * For a schema of our own, which a test holds to what {@link defineSchema} checks: to check it whenever the library is
 * imported would take a quarter of that.
 */
export const uncheckedSchema = <const TTypes extends Types, const TViewers extends keyof TTypes & string>(
  types: TTypes,
  options: SchemaOptions<TViewers>,
): Schema<TTypes, TViewers> =>
  // What the literal said of its types is known to the compiler alone; the value is the same at run time.
  createSchema(types, options) as unknown as Schema<TTypes, TViewers>

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
  if (!isPlainObject(types))
    throw new TypeError(`defineSchema: expected types by name, made by node, came ${describe(types)}`)
  assertKinds('defineSchema', options, OPTIONS)
  for (const [name, type] of Object.entries(types)) {
    if (!isNodeType(type))
      throw new TypeError(`defineSchema: ${name} must be made by node, came ${describe(type)}`)
  }
  const schema = uncheckedSchema(types, options)
  assertFaultless(schema)
  return schema
}

/** Whether a value was made by {@link defineSchema} or `extend`, of this copy of the library or of another. */
export const isSchema = (value: unknown): value is Schema =>
  isPlainObject(value) &&
  isPlainObject(value.types) &&
  Array.isArray(value.versions) &&
  Array.isArray(value.viewers) &&
  typeof value.extend === 'function'
