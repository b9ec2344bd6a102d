import type { JsonObject } from '../base/json.ts'

/**
 * What must hold for a mutation: `exists` says whether its node or edge must exist. With `fields`, it must
 * exist, and these members of its fields (of an edge: of its data) must be equal as JSON, regardless of the
 * order of names; null means that the member must be absent.
 */
export type WriteCondition = { readonly exists: boolean } | { readonly fields: JsonObject }

/** A number that is added to a value, and the limits of the result. */
export type Increment = { readonly by: number; readonly min: number; readonly max: number }

/** The id of a batch, by which a store recognizes a batch that is sent again. */
export type BatchId = {
  /** A text that the sender chooses. */
  readonly id: string
  /** The digest of the mutations as the sender knows them. Another digest means another batch. */
  readonly digest: string
  /** For how long the store remembers the id after the batch is written, in milliseconds. */
  readonly keepMs: number
}
