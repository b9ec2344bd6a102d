import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { formatSuggestions, suggestWords } from '../base/suggest.ts'
import { assertNoErrors, formatChoices, usageError } from '../base/usage-error.ts'
import { compareVersions, isVersion, type Version } from '../base/version.ts'
import { findSchemaErrors } from './check-schema.ts'
import type { CheckedCollectionTargets, CheckedTargets } from './checked-targets.ts'
import { assertCollections, createRootType, ROOT_TYPE } from './collection.ts'
import { withPositionKeys } from './key-orders.ts'
import { getOwn, isNodeType, NODE_OPTION_KINDS, type NodeType, node } from './node.ts'
import type {
  Collections,
  ExtensionOptions,
  NodeExtension,
  Schema,
  SchemaOptions,
  Types,
  WithCollections,
} from './schema.ts'

const EXTENSION_OPTION_KINDS = {
  versions: 'texts',
  viewers: 'texts',
  defaultPicture: 'text',
  collections: 'any',
} as const satisfies OptionKinds

const OPTION_KINDS = { ...EXTENSION_OPTION_KINDS, ids: 'any' } as const satisfies OptionKinds

const extendNode = (nodeType: NodeType, extension: NodeExtension): NodeType =>
  node({
    description: extension.description ?? nodeType.description,
    appScoped: extension.appScoped ?? nodeType.appScoped,
    idPrefix: extension.idPrefix ?? nodeType.idPrefix,
    policy: extension.policy === null ? undefined : (extension.policy ?? nodeType.policy),
    fields: { ...nodeType.fields, ...extension.fields },
    edges: { ...nodeType.edges, ...extension.edges },
  })

/**
 * Requires `node` for a new type. Otherwise, a misspelled name would create a type, and the policy would have
 * no effect on the intended type.
 */
const extendType = (types: Types, name: string, extension: NodeExtension): NodeType => {
  const caller = 'schema.extend'
  assertObject(caller, extension, name)
  assertOptionKinds(caller, extension, NODE_OPTION_KINDS, name)
  const existingType = getOwn(types, name)
  if (existingType === undefined) {
    if (isNodeType(extension)) return node(extension)
    const hint = formatSuggestions(suggestWords(name, Object.keys(types)))
    const expected = 'a type of the schema, or a new type that node() returns'
    throw usageError(caller, name, expected, `changes of an unknown type${hint}`)
  }
  // The defaults of `node` would replace the existing description, policy and `appScoped`.
  if (isNodeType(extension) && Object.isFrozen(extension))
    throw usageError(caller, name, 'the changes of the type', 'a whole node')
  return extendNode(existingType, extension)
}

const extendSchema = (
  schema: Schema,
  extensions: { readonly [type: string]: NodeExtension },
  options: ExtensionOptions,
): Schema => {
  const { [ROOT_TYPE]: _, ...ownTypes } = schema.types
  const types: { [type: string]: NodeType } = { ...ownTypes }
  for (const [name, extension] of Object.entries(extensions))
    types[name] = extendType(ownTypes, name, extension)
  const { versions = schema.versions, viewers = schema.viewers } = options
  const extendedSchema = createSchema(types, {
    defaultPicture: schema.defaultPicture,
    ...options,
    versions,
    viewers,
    ids: schema.ids,
    collections: { ...collectionsIn(schema), ...options.collections },
  })
  assertValidSchema('schema.extend', extendedSchema)
  return extendedSchema
}

/** Returns the collections of a schema. */
const collectionsIn = ({ types }: Schema): Collections => getOwn(types, ROOT_TYPE)?.edges ?? {}

/** Adds the type of the node whose edges are the collections. */
const withRootType = (types: Types, collections: Collections = {}): Types =>
  Object.keys(collections).length === 0
    ? types
    : { ...types, [ROOT_TYPE]: createRootType(types, collections) }

const createSchema = (types: Types, options: SchemaOptions): Schema => {
  const versions: readonly Version[] = options.versions ?? ['v1.0']
  const schema: Schema = Object.freeze({
    types: Object.freeze({ ...withRootType(withPositionKeys(types), options.collections) }),
    versions: Object.freeze(versions.every(isVersion) ? versions.toSorted(compareVersions) : [...versions]),
    viewers: Object.freeze([...(options.viewers ?? Object.keys(types))]),
    ids: options.ids ?? 'digits',
    defaultPicture: options.defaultPicture,
    extend: (
      extensions: { readonly [type: string]: NodeExtension },
      extendOptions: ExtensionOptions = {},
    ) => {
      if (!isNonArrayObject(extensions))
        throw usageError(
          'schema.extend',
          'extensions',
          'an object that maps names of types to their changes',
          describeValue(extensions),
        )
      assertOptionKinds('schema.extend', extendOptions, EXTENSION_OPTION_KINDS)
      assertTypes('schema.extend', extensions)
      assertCollections('schema.extend', extendOptions.collections)
      return extendSchema(schema, extensions, extendOptions)
    },
  }) as Schema
  return schema
}

/** @throws TypeError if a type has the name of the type of collections. */
const assertTypes = (caller: string, types: object): void => {
  if (Object.hasOwn(types, ROOT_TYPE))
    throw usageError(caller, `types.${ROOT_TYPE}`, 'left out, since its edges are "collections"', 'a type')
}

const assertIdKind = (ids: unknown): void => {
  if (ids !== undefined && ids !== 'digits' && ids !== 'named')
    throw usageError('defineSchema', 'ids', formatChoices(['digits', 'named']), describeValue(ids))
}

const assertValidSchema = (caller: string, schema: Schema): void =>
  assertNoErrors(caller, 'the schema', findSchemaErrors(schema))

/**
 * Defines the built-in schema without checks, which would take a quarter of the library's import time. A test
 * runs the checks of {@link defineSchema} instead.
 */
export const defineUncheckedSchema = <
  const TTypes extends Types,
  const TViewers extends keyof TTypes & string,
>(
  types: TTypes,
  options: SchemaOptions<TViewers>,
): Schema<TTypes, TViewers> =>
  // The literal types exist only at compile time.
  createSchema(types, options) as unknown as Schema<TTypes, TViewers>

/**
 * Defines a schema, and checks its types against each other.
 *
 * @throws TypeError for an unknown option or an `ids` that is not a kind of ids.
 * @throws TypeError with all errors at once: unknown targets, inverses that do not match, unknown defaults, two
 * types with one `idPrefix`, names that do not match `[a-z][a-z0-9_]*` or are reserved, and invalid versions.
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
  const TCollections extends Collections = Record<never, never>,
>(
  types: CheckedTargets<TTypes, keyof TTypes>,
  options: SchemaOptions<TViewers, CheckedCollectionTargets<TCollections, keyof TTypes>> = {},
): Schema<WithCollections<TTypes, TCollections>, TViewers> => {
  if (!isNonArrayObject(types))
    throw usageError('defineSchema', 'types', 'an object with types by name', describeValue(types))
  assertOptionKinds('defineSchema', options, OPTION_KINDS)
  assertIdKind(options.ids)
  assertTypes('defineSchema', types)
  assertCollections('defineSchema', options.collections)
  for (const [name, type] of Object.entries(types)) {
    if (!isNodeType(type))
      throw usageError('defineSchema', `types.${name}`, 'a type that node() returns', describeValue(type))
  }
  const schema = createSchema(types, options)
  assertValidSchema('defineSchema', schema)
  // The literal types exist only at compile time.
  return schema as unknown as Schema<WithCollections<TTypes, TCollections>, TViewers>
}

/** Whether {@link defineSchema} or `extend` created a value, even in another copy of the library. */
export const isSchema = (value: unknown): value is Schema =>
  isNonArrayObject(value) &&
  isNonArrayObject(value.types) &&
  Array.isArray(value.versions) &&
  Array.isArray(value.viewers) &&
  typeof value.extend === 'function'
