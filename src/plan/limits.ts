import { describe } from '../base/describe.ts'
import { assertOptions } from '../base/options.ts'

/** What a call may ask at the most. Every member is a positive integer. */
export type Limits = {
  /** Characters of a field expression. Default 8192. */
  readonly length: number
  /** Levels of a field expression, the outermost included. Default 8. */
  readonly depth: number
  /** Names in a field expression, on all levels together. Default 200. */
  readonly items: number
  /** The cost of a call, as `explain` returns it: of its nodes, lists, values and policies. Default 25,000. */
  readonly cost: number
  /**
   * Edges of lists under a policy that one call may examine. Each call draws its own limit, between once and twice this
   * number. Default 100,000.
   */
  readonly scan: number
  /** Entries of a page; a larger `limit` is lowered to it. Default 100. */
  readonly page: number
  /** Ids in one call. Default 50. */
  readonly ids: number
  /** Milliseconds that a call may take. Default 10,000. */
  readonly deadline: number
}

const DEFAULTS: Limits = {
  length: 8192,
  depth: 8,
  items: 200,
  cost: 25_000,
  scan: 100_000,
  page: 100,
  ids: 50,
  deadline: 10_000,
}

/** The entries of a page where no limit is asked for. */
export const DEFAULT_PAGE = 25

/** @throws TypeError for an unknown limit, or one that is no positive integer. */
export const limitsOf = (
  given: { readonly [name in keyof Limits]?: number | undefined } | undefined,
): Limits => {
  assertOptions('createGraph: limits', given, Object.keys(DEFAULTS))
  const limits: { -readonly [name in keyof Limits]: number } = { ...DEFAULTS }
  for (const name of Object.keys(DEFAULTS) as (keyof Limits)[]) {
    const value = given?.[name] ?? DEFAULTS[name]
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`createGraph: limits.${name} must be a positive integer, came ${describe(value)}`)
    }
    limits[name] = value
  }
  return Object.freeze(limits)
}
