import {
  defaultFieldsOf,
  findDeclaration,
  isInVersion,
  isReadable,
  type SelectionParent,
} from './declarations.ts'
import { acceptsValues, isFilterActive } from './edge-parameters.ts'
import { findOrder } from './list-order.ts'
import { isValidBoundary } from './positions.ts'
import { argumentsOf, type ItemSpec } from './query.ts'
import type { SchemaSpec } from './world.ts'

/** The maximum and the default size of a page. */
export const PAGE_SIZE = { max: 100, default: 25 }

/** The maximum number of times that an expression may read one edge under a policy. A count is a read too. */
const MAX_USES_OF_POLICY_EDGE = 16

export const effectiveLimit = ({
  limit = PAGE_SIZE.default,
}: {
  readonly limit?: number | undefined
}): number => Math.min(limit, PAGE_SIZE.max)

const isUsedTooOften = (edges: readonly string[]): boolean =>
  edges.some(edge => edges.filter(other => other === edge).length > MAX_USES_OF_POLICY_EDGE)

type Declaration = NonNullable<ReturnType<typeof findDeclaration>>

/** Returns the parents below an edge or a ref, and none for other declarations. */
const targetsOf = (declaration: Declaration): SelectionParent[] => {
  if (declaration.kind === 'edge') return [{ types: declaration.edge.targets, edge: declaration.edge }]
  if (declaration.kind !== 'field' || declaration.field.kind !== 'ref') return []
  return [{ types: declaration.field.targets, edge: undefined }]
}

/** Validates a query before its data is read, with one traversal of its items for each kind of error. */
export class QueryValidator {
  readonly #schema: SchemaSpec
  readonly #version: string | undefined

  constructor(schema: SchemaSpec, version: string | undefined) {
    this.#schema = schema
    this.#version = version
  }

  /**
   * Returns the errors of names and arguments, in the order of the items. Checks the names below an item for
   * the targets of all types that declare the item.
   */
  nameErrors(parents: readonly SelectionParent[], items: readonly ItemSpec[]): readonly string[] {
    return items.flatMap(item => {
      const declared = parents.flatMap(({ types, edge }) =>
        types.flatMap(type => findDeclaration(this.#schema, type, edge, item.name) ?? []),
      )
      if (declared.length === 0) return ['field_not_found']
      const inVersion = declared.filter(one => isInVersion(one, this.#version))
      if (inVersion.length === 0) return ['field_not_in_version']
      const errors = inVersion.map(one => this.#errorsOf(one, item))
      // Types that accept the item ignore the errors of the others.
      return errors.every(([error]) => error !== undefined)
        ? errors.flat()
        : this.nameErrors(inVersion.flatMap(targetsOf), item.fields ?? [])
    })
  }

  /**
   * Returns the items for a link: only the items whose names the parents declare, or `id` if none is left.
   */
  keepKnown(parents: readonly SelectionParent[], items: readonly ItemSpec[]): readonly ItemSpec[] {
    const known = items.flatMap((item): ItemSpec[] => {
      const inVersion = parents
        .flatMap(({ types, edge }) =>
          types.flatMap(type => findDeclaration(this.#schema, type, edge, item.name) ?? []),
        )
        .filter(one => isReadable(one, item, this.#version))
      if (inVersion.length === 0) return []
      return [
        item.fields === undefined
          ? item
          : { ...item, fields: this.keepKnown(inVersion.flatMap(targetsOf), item.fields) },
      ]
    })
    return known.length === 0 && items.length > 0 ? [{ name: 'id' }] : known
  }

  #errorsOf(declared: Declaration, item: ItemSpec): readonly string[] {
    const isComputed = declared.kind === 'field' && declared.field.kind === 'computed'
    if (item.times !== undefined && !isComputed) return ['invalid_parameter']
    if (declared.kind === 'edge') {
      const least = item.summary === true ? 0 : 1
      if (!acceptsValues(declared.edge, item.parameters)) return ['invalid_parameter']
      return findOrder(declared.edge, item.order) === undefined ||
        (item.limit !== undefined && item.limit < least)
        ? ['invalid_parameter']
        : []
    }
    if (argumentsOf(item).length > 0) return ['invalid_parameter']
    return item.fields === undefined || targetsOf(declared).length > 0 ? [] : ['invalid_parameter']
  }

  /** Returns the scopes that edges and refs require, on all levels. */
  requiredScopes(parent: SelectionParent, items: readonly ItemSpec[]): readonly string[] {
    return this.#visitBelow(parent, items, (scope, below, _item, fields) => [
      ...(scope === undefined ? [] : [scope]),
      ...this.requiredScopes(below, fields),
    ])
  }

  /** Whether all times in the query are valid. */
  areTimesValid(parent: SelectionParent, items: readonly ItemSpec[]): boolean {
    const results = this.#visitBelow(parent, items, (_scope, below, item, fields) => [
      isValidBoundary(item.since) && isValidBoundary(item.until) && this.areTimesValid(below, fields),
    ])
    return !results.includes(false)
  }

  /**
   * Whether a query reads an edge under a policy too often. A root has one type, but the entries of an edge
   * may have several types.
   */
  isTooWide({ types, edge }: SelectionParent, items: readonly ItemSpec[]): boolean {
    const parts = edge === undefined ? types.map(type => [type]) : [types]
    return parts.some(types => isUsedTooOften(this.#policyEdgesUsed({ types, edge }, items)))
  }

  /** Whether the roots of these types together read an edge under a policy too often. */
  isTooWideForAll(types: readonly string[], items: readonly ItemSpec[]): boolean {
    return isUsedTooOften(this.#policyEdgesUsed({ types, edge: undefined }, items))
  }

  /** Returns `type.edge` once for each read of an edge under a policy. */
  #policyEdgesUsed(parent: SelectionParent, items: readonly ItemSpec[]): readonly string[] {
    return parent.types.flatMap(type =>
      this.#visitBelow({ types: [type], edge: parent.edge }, items, (_scope, below, item, fields) => {
        const hasPolicy = below.types.some(target => this.#schema.types[target]?.policy !== undefined)
        const isFiltered =
          below.edge !== undefined && (hasPolicy || isFilterActive(below.edge, item.parameters))
        const own = isFiltered ? [`${type}.${item.name}`] : []
        return [...own, ...(item.summary ? own : []), ...this.#policyEdgesUsed(below, fields)]
      }),
    )
  }

  /**
   * Visits the items that lead to other nodes, for each type that declares them. Without items, visits the
   * default fields.
   */
  #visitBelow<T>(
    parent: SelectionParent,
    items: readonly ItemSpec[],
    visit: (
      scope: string | undefined,
      below: SelectionParent,
      item: ItemSpec,
      fields: readonly ItemSpec[],
    ) => readonly T[],
  ): readonly T[] {
    return parent.types.flatMap(type => {
      const selected =
        items.length > 0
          ? items
          : defaultFieldsOf(this.#schema, type, parent.edge).map((name): ItemSpec => ({ name }))
      return selected.flatMap(item => {
        const declared = findDeclaration(this.#schema, type, parent.edge, item.name)
        if (declared === undefined || !isReadable(declared, item, this.#version)) return []
        const { fields = [] } = item
        if (declared.kind === 'edge') {
          const { edge } = declared
          return visit(edge.scope, { types: edge.targets, edge }, item, fields)
        }
        if (declared.kind !== 'field' || declared.field.kind !== 'ref') return []
        return visit(declared.field.scope, { types: declared.field.targets, edge: undefined }, item, fields)
      })
    })
  }
}
