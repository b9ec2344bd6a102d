import type { IdKind, NodeId } from '../base/ids.ts'
import { prefixOf } from '../base/named-ids.ts'
import { ROOT_ID } from '../store/derived-entries.ts'
import { getOwn } from './node.ts'
import type { Schema, Types } from './schema.ts'

/** Returns the prefix of the named ids of a type: its `idPrefix`, or its name. */
export const idPrefixOf = (types: Types, type: string): string => getOwn(types, type)?.idPrefix ?? type

/** The kind of the ids of a schema, and the types that named ids belong to. */
export class SchemaIds {
  readonly kind: IdKind
  readonly #typesByPrefix: ReadonlyMap<string, string>

  constructor({ ids, types }: Pick<Schema, 'ids' | 'types'>) {
    this.kind = ids
    this.#typesByPrefix = new Map(
      Object.keys(types)
        .filter(type => type !== ROOT_ID)
        .map(type => [idPrefixOf(types, type), type]),
    )
  }

  /**
   * Returns the type that a named id belongs to, whether or not the node exists. Returns undefined for a prefix
   * that no type has, and for digits.
   */
  typeOf(id: NodeId): string | undefined {
    return this.kind === 'named' ? this.#typesByPrefix.get(prefixOf(id)) : undefined
  }

  /** Whether an id may be the id of a node: not if it has a prefix that no type has. */
  mayExist(id: NodeId): boolean {
    return this.kind === 'digits' || id === ROOT_ID || this.#typesByPrefix.has(prefixOf(id))
  }
}
