import { assertId } from '../execute/call.ts'
import { nodeMissing, viewerMissing } from '../execute/roots.ts'
import type { Exchange } from './exchange.ts'

/** Whether an id is the viewer's own, as its app knows it. */
const isOwn = async ({ reads, token, proof, request }: Exchange, id: string): Promise<boolean> => {
  if (id === 'me') return true
  const own: unknown = JSON.parse(
    await reads.node(token, { id: 'me', fields: 'id', proof, signal: request.signal }),
  )
  return typeof own === 'object' && own !== null && 'id' in own && own.id === id
}

/**
 * What the token of a request was granted: of its own viewer alone.
 *
 * @throws GraphError `bad_parameter`, `viewer_missing`, `node_missing`.
 */
export const answerPermissions = async (exchange: Exchange, id: string): Promise<string> => {
  const { reads, token, proof, request, service } = exchange
  assertId('id', id, service.engine.appIds !== undefined)
  const { viewer, scopes } = await reads.session(token, { proof, signal: request.signal })
  if (viewer === undefined) throw viewerMissing()
  if (!(await isOwn(exchange, id))) throw nodeMissing(id)
  return JSON.stringify({ data: scopes.map(permission => ({ permission, status: 'granted' })) })
}
