import { copyClaims } from '../base/claims.ts'
import { describeValue } from '../base/describe.ts'
import { type IdKind, isIdOfKind, isNodeId, type NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'

/** The viewer, the app, the scopes and the claims of a token or a session. */
export type Grant = {
  readonly viewer: NodeId | undefined
  readonly app: string
  readonly scopes: readonly string[]
  readonly claims?: JsonObject
}

/** An unvalidated grant. */
export type GrantInput = { readonly [name in 'viewer' | 'app' | 'scopes' | 'claims']?: unknown }

const isWellFormedText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed()

/** Whether a value can be the viewer of a graph with a kind of ids, or of any graph without one. */
export const isViewerOfKind = (value: unknown, kind: IdKind | undefined): value is NodeId | undefined =>
  value === undefined || (kind === undefined ? isNodeId(value) : isIdOfKind(kind, value))

/** Creates the error for a viewer that is not the id of a node, or whose id is of the other kind. */
export const viewerError = (
  location: string,
  path: string,
  viewer: unknown,
  kind: IdKind | undefined,
): TypeError => {
  const expected =
    kind === 'named'
      ? 'the id of a node, a type and a key such as "account-42", or undefined'
      : 'the id of a node or undefined'
  return usageError(location, path, expected, describeValue(viewer))
}

export const isAppName = (value: unknown): value is string => isWellFormedText(value) && value !== ''

/** @throws TypeError for a value that is not the name of an app. */
export const assertAppName: (location: string, app: unknown, path?: string) => asserts app is string = (
  location,
  app,
  path = 'app',
) => {
  if (isAppName(app)) return
  const expected = 'the name of an app: a well-formed string that is not empty'
  throw usageError(location, path, expected, describeValue(app))
}

export const isScopeList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isWellFormedText)

/**
 * Validates and copies a grant, with frozen scopes and claims. The default of `scopes` is an empty array. The
 * viewer must have an id of the kind, or of any kind without it.
 *
 * @throws TypeError for an invalid viewer, app or list of scopes, or invalid claims. Its message names the
 * location and the member.
 */
export const toGrant = (
  location: string,
  { viewer, app, scopes = [], claims }: GrantInput,
  pathPrefix = '',
  kind?: IdKind,
): Grant => {
  if (!isViewerOfKind(viewer, kind)) throw viewerError(location, `${pathPrefix}viewer`, viewer, kind)
  assertAppName(location, app, `${pathPrefix}app`)
  if (!isScopeList(scopes)) {
    throw usageError(
      location,
      `${pathPrefix}scopes`,
      'an array of well-formed strings',
      describeValue(scopes),
    )
  }
  const grant = { viewer, app, scopes: Object.freeze([...scopes]) }
  return claims === undefined
    ? grant
    : { ...grant, claims: copyClaims(location, claims, `${pathPrefix}claims`) }
}

/**
 * Validates and copies the declined scopes of a token.
 *
 * @throws TypeError for a value that is not a list of scopes, or for a scope that is also granted.
 */
export const toDeclinedScopes = (
  declined: readonly string[] | undefined,
  { scopes }: Grant,
): readonly string[] => {
  if (declined === undefined) return []
  if (!isScopeList(declined)) {
    const expected = 'an array of well-formed strings'
    throw usageError('tokens.issue', 'declined', expected, describeValue(declined))
  }
  const grantedScope = declined.find(scope => scopes.includes(scope))
  if (grantedScope === undefined) return [...declined]
  const expected = 'scopes that are not in "scopes"'
  throw usageError('tokens.issue', 'declined', expected, describeValue(grantedScope))
}
