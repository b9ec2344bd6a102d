import { describeValue } from '../base/describe.ts'
import { GraphError, invalidParameterError } from '../base/errors.ts'
import { type IdKind, isIdOfKind } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { SchemaIds } from '../schema/id-prefixes.ts'
import { type AppIdMapper, isPublicId, isPublicIdOfKind } from './app-ids/app-ids.ts'

/**
 * Creates the error for the id `me` if the token has no viewer. Clients of the protocol match the first words
 * of the message.
 */
export const viewerRequiredError = (): GraphError =>
  new GraphError(
    'viewer_required',
    'An active access token must be used to query information about the current user; this token has no viewer',
  )

/** Whether a value has the form of an id that a caller may give. */
export const isRequestableId = (id: unknown, kind: IdKind, isAppScoped: boolean): id is string =>
  id === 'me' || isIdOfKind(kind, id) || (isAppScoped && isPublicIdOfKind(kind, id))

/**
 * @throws GraphError `invalid_parameter` unless the value is an id, an app-scoped id (if the graph has such
 * ids) or `me`.
 */
export const assertId = (parameter: string, id: unknown, kind: IdKind, isAppScoped: boolean): void => {
  if (isRequestableId(id, kind, isAppScoped)) return
  throw invalidParameterError(
    parameter,
    kind === 'named'
      ? 'a type and a key, such as "photo-42", or "me"'
      : `a string of at most ${isAppScoped ? 20 : 19} digits, or "me"`,
    describeValue(id),
  )
}

/** The parts of a call from which the ids in parameters are resolved. */
export type IdContext = {
  readonly session: Pick<Session, 'viewer'>
  /** The converter of app-scoped ids, or `undefined` if ids are the same for all apps. */
  readonly idMapper: AppIdMapper | undefined
  readonly ids: SchemaIds
  /** Returns whether the ids of a type are different for each app. */
  readonly isAppScopedType: (type: string) => boolean
}

/** An id that no node has in any schema. It takes the place of an id that is forged or belongs to another app. */
const ABSENT_ID = '0'

const resolveGivenId = (
  id: string,
  types: readonly string[] | undefined,
  { idMapper, ids, isAppScopedType }: IdContext,
): string => {
  if (idMapper === undefined) return id
  if (isPublicId(id)) return idMapper.toRaw(id) ?? ABSENT_ID
  // The stored id of a node with app-scoped ids must have no effect. Otherwise, a caller could learn it.
  const type = ids.typeOf(id)
  const possibleTypes = type === undefined ? types : [type]
  return possibleTypes?.some(possibleType => !isAppScopedType(possibleType)) === true ? id : ABSENT_ID
}

/** The id in a parameter: its stored form, and the form that links and cursors contain. */
export type ParameterId = { readonly rawId: string; readonly requestedId: string }

/**
 * Resolves an id in a parameter. `types` are the types that the node may have.
 *
 * @throws GraphError `invalid_parameter` for a text that is not an id; `viewer_required` for `me` without a
 * viewer.
 */
export const resolveParameterId = (
  parameter: string,
  id: string,
  types: readonly string[] | undefined,
  context: IdContext,
): ParameterId => {
  const { session, idMapper, ids } = context
  assertId(parameter, id, ids.kind, idMapper !== undefined)
  if (id !== 'me') return { rawId: resolveGivenId(id, types, context), requestedId: id }
  if (session.viewer === undefined) throw viewerRequiredError()
  return { rawId: session.viewer, requestedId: idMapper?.toPublic(session.viewer) ?? session.viewer }
}
