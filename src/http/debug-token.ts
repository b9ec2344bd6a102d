import type { TokenInspection } from '../access/tokens.ts'
import { badParameter } from '../base/faults.ts'
import { refusalOf } from '../execute/refusal.ts'
import { settle } from '../store/settle.ts'
import type { Exchange } from './exchange.ts'

const SECOND = 1000

const secondsOf = (time: number | undefined): number => Math.floor((time ?? 0) / SECOND)

/** The viewer as the token's app knows it. */
const userOf = (
  { service: { engine } }: Exchange,
  { app, viewer, type }: TokenInspection,
): string | undefined => {
  if (viewer === undefined || app === undefined || engine.appIds === undefined) return viewer
  const node = type === undefined ? undefined : engine.registry.type(type)
  // Without a record of the token, or with a type that is not declared, it is unknown whether the id would be scoped.
  if (node === undefined) return undefined
  return node.appScoped ? engine.appIds.forApp(app).toPublic(viewer) : viewer
}

const dataOf = (exchange: Exchange, inspection: TokenInspection): object => {
  const { valid, refused, app, type, scopes, issuedAt, expiresAt } = inspection
  const refusal = refused && refusalOf(refused)
  const user = userOf(exchange, inspection)
  return {
    ...(app !== undefined && { app_id: app, application: app }),
    ...(type !== undefined && { type: type.toUpperCase() }),
    ...(refusal && { error: { code: refusal.code, message: refusal.message, subcode: refusal.subcode } }),
    ...(app !== undefined && { expires_at: secondsOf(expiresAt), issued_at: secondsOf(issuedAt) }),
    is_valid: valid,
    scopes,
    ...(user !== undefined && { user_id: user }),
  }
}

/**
 * Tells what a token is. It may be asked with that token itself, or with a token of the app that it is for. It reads no
 * node: a viewer who is hidden and one who is deleted give the same response.
 *
 * @throws GraphError `bad_parameter` for a token of another app, or none.
 */
export const describeToken = async (exchange: Exchange): Promise<string> => {
  const { parameters, reads, token, proof, request, service } = exchange
  const caller = await reads.session(token, { proof, signal: request.signal })
  const input = parameters.text('input_token')
  if (input === undefined) throw badParameter('input_token', 'a token', 'nothing')
  const inspecting = service.graph.tokens.inspect(input)
  const inspection = await settle(inspecting, request.signal, Date.now() + service.engine.limits.deadline)
  const isOfApp = caller.viewer === undefined && (inspection.app ?? caller.app) === caller.app
  if (input !== token && !isOfApp) {
    throw badParameter(
      'input_token',
      'the token that asks, or one of the app whose token asks',
      'another token',
    )
  }
  return JSON.stringify({ data: dataOf(exchange, inspection) })
}
