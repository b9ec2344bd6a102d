import { describe } from '../base/describe.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'

/** For whom a token or a session stands, through which app, and what it may ask for. */
export type Grant = {
  readonly viewer: NodeId | undefined
  readonly app: string
  readonly scopes: readonly string[]
}

/** What may be a grant. */
export type GrantInput = { readonly viewer?: unknown; readonly app?: unknown; readonly scopes?: unknown }

const isWord = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed()

export const isViewerId = (value: unknown): value is NodeId | undefined =>
  value === undefined || isNodeId(value)

export const isApp = (value: unknown): value is string => isWord(value) && value !== ''

export const isScopes = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isWord)

/**
 * A copy of a grant, its scopes frozen; without scopes it grants none.
 *
 * @throws TypeError naming the place and the member that is no viewer, app or list of scopes.
 */
export const toGrant = (place: string, { viewer, app, scopes = [] }: GrantInput): Grant => {
  if (!isViewerId(viewer)) {
    throw new TypeError(`${place}: viewer must be the id of a node or left out, came ${describe(viewer)}`)
  }
  if (!isApp(app)) throw new TypeError(`${place}: app must be the name of an app, came ${describe(app)}`)
  if (!isScopes(scopes)) {
    throw new TypeError(`${place}: scopes must be a list of words, came ${describe(scopes)}`)
  }
  return { viewer, app, scopes: Object.freeze([...scopes]) }
}
