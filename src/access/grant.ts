import { describeValue } from '../base/describe.ts'
import { type IdKind, isIdOfKind, isNodeId, type NodeId } from '../base/ids.ts'
import { usageError } from '../base/usage-error.ts'

/** The viewer, the app and the scopes of a token or a session. */
export type Grant = {
  readonly viewer: NodeId | undefined
  readonly app: string
  readonly scopes: readonly string[]
}

/** An unvalidated grant. */
export type GrantInput = { readonly viewer?: unknown; readonly app?: unknown; readonly scopes?: unknown }

const isWellFormedText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed()

export const isOptionalViewerId = (value: unknown): value is NodeId | undefined =>
  value === undefined || isNodeId(value)

/** Whether a viewer may be the viewer of a graph with a kind of ids. */
export const isViewerOfKind = (viewer: NodeId | undefined, kind: IdKind | undefined): boolean =>
  viewer === undefined || kind === undefined || isIdOfKind(kind, viewer)

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
 * Validates and copies a grant, with frozen scopes. The default of `scopes` is an empty array. The viewer must
 * have an id of the kind, or of any kind without it.
 *
 * @throws TypeError for an invalid viewer, app or list of scopes. Its message names the location and the
 * member.
 */
export const toGrant = (
  location: string,
  { viewer, app, scopes = [] }: GrantInput,
  pathPrefix = '',
  kind?: IdKind,
): Grant => {
  if (!isOptionalViewerId(viewer) || !isViewerOfKind(viewer, kind)) {
    throw usageError(location, `${pathPrefix}viewer`, 'the id of a node or undefined', describeValue(viewer))
  }
  assertAppName(location, app, `${pathPrefix}app`)
  if (!isScopeList(scopes)) {
    throw usageError(
      location,
      `${pathPrefix}scopes`,
      'an array of well-formed strings',
      describeValue(scopes),
    )
  }
  return { viewer, app, scopes: Object.freeze([...scopes]) }
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
