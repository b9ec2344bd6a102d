import { getOwn } from './node.ts'
import { countRulesWithChecks, type Policy } from './policy.ts'
import type { Schema } from './schema.ts'

/** The maximum number of refs that `canSee` follows in a row. It also ends circles of refs. */
export const MAX_INHERITANCE_DEPTH = 4

/** The maximum work of the `canSee` rules of a policy, as far as the schema determines it. */
export type Inheritance = {
  /** The number of refs that the policy follows in a row. */
  readonly depth: number
  /**
   * The number of store reads for the nodes that the refs lead to and for the checks of these nodes. The nodes
   * of a step are read together with the checks of the step before it, so the checks of the policy itself are
   * included. Without `canSee`, the number is 0.
   */
  readonly readCount: number
}

export const NO_INHERITANCE: Inheritance = Object.freeze({ depth: 0, readCount: 0 })

/** Whether a policy contains `canSee`. */
export const inheritsVisibility = (policy: Policy | undefined): policy is Policy =>
  policy?.some(rule => rule['~inherits'] === true) === true

/** Returns the types of the nodes that the `canSee` rules of a policy of a type lead to. */
const inheritedTypesOf = (schema: Schema, typeName: string, policy: Policy): readonly string[] => {
  const refs = policy
    .flatMap(rule => rule['~refers'] ?? [])
    .flatMap(reference => (reference.kind === 'visibleNode' ? [reference.ref] : []))
  return [...new Set(refs)].flatMap(ref => {
    const field = getOwn(schema.types[typeName]?.fields ?? {}, ref)
    return field?.kind === 'ref' ? field.targets : []
  })
}

/** Computes the inheritance of the policies of a schema. Keeps the results for the policies of its types. */
export class InheritanceFinder {
  readonly #schema: Schema
  /** The results for the policy of each type, by the number of refs that may still be followed. */
  readonly #resultsByDepth = Array.from(
    { length: MAX_INHERITANCE_DEPTH },
    () => new Map<string, Inheritance>(),
  )

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /** Returns the inheritance of a policy of a type, or of one of its fields or edges. */
  find(type: string, policy: Policy | undefined, maxDepth = MAX_INHERITANCE_DEPTH): Inheritance {
    if (maxDepth === 0 || !inheritsVisibility(policy)) return NO_INHERITANCE
    let depth = 0
    let readCount = 0
    for (const target of inheritedTypesOf(this.#schema, type, policy)) {
      const below = this.#findForType(target, maxDepth - 1)
      depth = Math.max(depth, 1 + below.depth)
      readCount = Math.max(readCount, 1 + below.readCount)
    }
    return { depth, readCount }
  }

  /** Returns the inheritance of the policy of a type. Its own checks take a read, even without `canSee`. */
  #findForType(type: string, maxDepth: number): Inheritance {
    const known = this.#resultsByDepth[maxDepth]?.get(type)
    if (known !== undefined) return known
    const policy = getOwn(this.#schema.types, type)?.policy
    const { depth, readCount } = this.find(type, policy, maxDepth)
    const result = { depth, readCount: Math.max(readCount, countRulesWithChecks(policy) > 0 ? 1 : 0) }
    this.#resultsByDepth[maxDepth]?.set(type, result)
    return result
  }
}
