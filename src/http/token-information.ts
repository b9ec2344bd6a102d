import { authError } from '../access/auth.ts'
import { assertId, viewerRequiredError } from '../access/requested-ids.ts'
import type { TokenInspection } from '../access/tokens.ts'
import { invalidParameterError } from '../base/errors.ts'
import { nodeNotFoundError } from '../execute/root-nodes.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import type { ParsedRequest } from './parsed-request.ts'

const MS_PER_SECOND = 1000

const toSeconds = (time: number | undefined): number => Math.floor((time ?? 0) / MS_PER_SECOND)

/** Converts the id of the viewer to the id that the token's app sees. */
const toAppUserId = (
  { context: { engine } }: ParsedRequest,
  { app, viewer, type }: TokenInspection,
): string | undefined => {
  if (viewer === undefined || app === undefined || engine.appIds === undefined) return viewer
  const nodeType = type === undefined ? undefined : engine.registry.getType(type)
  // Without a stored type that the schema declares, it is unknown whether the app sees another id.
  if (nodeType === undefined) return undefined
  return nodeType.appScoped ? engine.appIds.forApp(app).toPublic(viewer) : viewer
}

const formatInspection = (parsed: ParsedRequest, inspection: TokenInspection): object => {
  const { valid, failure, app, type, scopes, issuedAt, expiresAt } = inspection
  const error = failure && authError(failure)
  const userId = toAppUserId(parsed, inspection)
  return {
    ...(app !== undefined && { app_id: app, application: app }),
    ...(type !== undefined && { type: type.toUpperCase() }),
    ...(error && {
      error: { code: error.code, message: error.message, subcode: error.subcode },
    }),
    ...(app !== undefined && { expires_at: toSeconds(expiresAt), issued_at: toSeconds(issuedAt) }),
    is_valid: valid,
    scopes,
    granular_scopes: scopes.map(scope => ({ scope })),
    ...(userId !== undefined && { user_id: userId }),
  }
}

/** Returns the details of a token, unless the request is aborted or takes too long. */
const inspectToken = ({ request, context }: ParsedRequest, token: string): Promise<TokenInspection> =>
  settleInTime(
    context.graph.tokens.inspect(token),
    request.signal,
    Date.now() + context.engine.limits.timeoutMs,
  )

/**
 * Describes a token. The token of the request must be this token, or a token of the same app without a
 * viewer. No node is read, so the response is the same for a hidden and a deleted viewer.
 *
 * @throws GraphError `invalid_parameter` if the request may not describe the token, or has no `input_token`.
 */
export const describeToken = async (parsed: ParsedRequest): Promise<string> => {
  const { parameters, readApi, token, proof, request } = parsed
  const callerSession = await readApi.getSession(token, { proof, signal: request.signal })
  const inputToken = parameters.getText('input_token')
  if (inputToken === undefined) throw invalidParameterError('input_token', 'a token', 'nothing')
  const inspection = await inspectToken(parsed, inputToken)
  const isAppToken =
    callerSession.viewer === undefined && (inspection.app ?? callerSession.app) === callerSession.app
  if (inputToken !== token && !isAppToken) {
    throw invalidParameterError(
      'input_token',
      'the token of the request, or a token of the same app if the token of the request has no viewer',
      'another token',
    )
  }
  return JSON.stringify({ data: formatInspection(parsed, inspection) })
}

/** Whether an id is the id of the viewer that the app sees. */
const isIdOfViewer = async (
  { readApi, token, proof, request }: ParsedRequest,
  id: string,
): Promise<boolean> => {
  if (id === 'me') return true
  const viewerNode: unknown = JSON.parse(
    await readApi.getNode(token, { id: 'me', fields: 'id', proof, signal: request.signal }),
  )
  return typeof viewerNode === 'object' && viewerNode !== null && 'id' in viewerNode && viewerNode.id === id
}

/**
 * Returns the scopes of the token: first those that were granted, then those that the viewer declined. The id
 * must be the id of the token's viewer.
 *
 * @throws GraphError `invalid_parameter`, `viewer_required`, `node_not_found`.
 */
export const readPermissions = async (parsed: ParsedRequest, id: string): Promise<string> => {
  const { readApi, token, proof, request, context } = parsed
  const { appIds, registry } = context.engine
  const { viewer, scopes } = await readApi.getSession(token, { proof, signal: request.signal })
  assertId('id', id, registry.ids.kind, appIds !== undefined)
  if (viewer === undefined) throw viewerRequiredError()
  if (!(await isIdOfViewer(parsed, id))) throw nodeNotFoundError(id)
  // A session does not contain the declined scopes, because they have no effect on any read.
  const { declined } = token === undefined ? { declined: [] } : await inspectToken(parsed, token)
  const permissions = [
    ...scopes.map(permission => ({ permission, status: 'granted' })),
    ...declined.map(permission => ({ permission, status: 'declined' })),
  ]
  return JSON.stringify({ data: permissions })
}
