import { resolveLimits } from '../base/options.ts'

/** The limits of a call. Every member is a positive integer. */
export type Limits = {
  /** The maximum number of characters of a field expression. Default 8192. */
  readonly length: number
  /** The maximum number of levels of a field expression, including the outermost level. Default 8. */
  readonly depth: number
  /** The maximum number of names in a field expression, on all levels together. Default 200. */
  readonly fields: number
  /**
   * The maximum cost of a call, as `explain` returns it. Nodes, lists, values and policies have a cost.
   * Default 25,000.
   */
  readonly cost: number
  /**
   * The number of edges of lists under a policy that one call may examine. The limit of each call is random,
   * between this number and twice this number. Default 100,000.
   */
  readonly scan: number
  /**
   * The maximum number of entries of a page. A larger `limit` of a call is lowered to this number. Default
   * 100.
   */
  readonly page: number
  /** The maximum number of ids in one call. Default 50. */
  readonly ids: number
  /** The maximum duration of a call in milliseconds. Default 10,000. */
  readonly timeoutMs: number
  /** The maximum duration of the `run` of an action in milliseconds. Default 10,000. */
  readonly actionTimeoutMs: number
}

/** Some of the limits of a graph. The other limits keep their defaults. */
export type LimitOptions = { readonly [name in keyof Limits]?: number | undefined }

const DEFAULT_LIMITS: Limits = {
  length: 8192,
  depth: 8,
  fields: 200,
  cost: 25_000,
  scan: 100_000,
  page: 100,
  ids: 50,
  timeoutMs: 10_000,
  actionTimeoutMs: 10_000,
}

/** The number of entries of a page without a `limit`. */
export const DEFAULT_PAGE_SIZE = 25

/**
 * Returns the limits with their defaults.
 *
 * @throws TypeError for an unknown limit, or a limit that is not a positive integer.
 */
export const resolveGraphLimits = (options: LimitOptions | undefined): Limits =>
  resolveLimits('createGraph', options, DEFAULT_LIMITS)
