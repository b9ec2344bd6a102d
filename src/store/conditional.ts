import type { JsonObject } from '../base/json.ts'

/**
 * The condition of a mutation: `exists` says whether its node or edge must exist. With `fields`, it must exist,
 * and these members of its fields (of an edge: of its data) must be equal as JSON, regardless of the order of
 * names; null means that the member must be absent.
 */
export type WriteCondition = { readonly exists: boolean } | { readonly fields: JsonObject }

/** A number that is added to a value, and the limits of the result. */
export type Increment = {
  readonly by: number
  readonly min: number
  readonly max: number
  /** Whether the result must be an integer. The stored value may not be one. */
  readonly isInteger: boolean
}

/** The id of a batch, by which a store recognizes a batch that is sent again. */
export type BatchId = {
  /** A text that the sender chooses. */
  readonly id: string
  /** The digest of the mutations as the sender knows them. Another digest means another batch. */
  readonly digest: string
  /** The time for which the store remembers the id after the batch is written, in milliseconds. */
  readonly keepMs: number
}

/**
 * The time for which a store remembers an id that the caller did not choose, in milliseconds. A client of a
 * database does not send a command again after a longer time.
 */
export const RETRY_KEEP_MS = 600_000

/** Creates an id that only the store itself uses, to send a batch again. The digest is the random id. */
export const createRetryId = (): BatchId => {
  const id = crypto.randomUUID()
  return { id, digest: id, keepMs: RETRY_KEEP_MS }
}

/** Whether a caller chose the id of a batch, and so can send the batch again. */
export const isChosenId = ({ id, digest }: BatchId): boolean => id !== digest

/** Whether a mutation has a condition or an increment. */
export const isConditional = (mutation: {
  readonly op: string
  readonly when?: unknown
  readonly increment?: unknown
}): boolean => mutation.when !== undefined || mutation.increment !== undefined
