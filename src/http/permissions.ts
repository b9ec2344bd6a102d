import { assertId } from '../execute/call.ts'
import { nodeNotFoundError, viewerRequiredError } from '../execute/root-nodes.ts'
import type { ParsedRequest } from './parsed-request.ts'

/** Whether an id is that of the viewer, as the app knows it. */
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
 * Reads the permissions of a token, for its own viewer only.
 *
 * @throws GraphError `invalid_parameter`, `viewer_required`, `node_not_found`.
 */
export const readPermissions = async (parsed: ParsedRequest, id: string): Promise<string> => {
  const { readApi, token, proof, request, context } = parsed
  assertId('id', id, context.engine.appIds !== undefined)
  const { viewer, scopes } = await readApi.getSession(token, { proof, signal: request.signal })
  if (viewer === undefined) throw viewerRequiredError()
  if (!(await isIdOfViewer(parsed, id))) throw nodeNotFoundError(id)
  return JSON.stringify({ data: scopes.map(permission => ({ permission, status: 'granted' })) })
}
