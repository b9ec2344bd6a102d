import { type AuthResult, authError, type StartedAuth } from '../access/auth.ts'
import { assertProof } from '../access/proof.ts'
import { GraphError } from '../base/errors.ts'
import type { TokenRecord } from '../store/contract.ts'
import { type Query, startSession } from './query.ts'

/** Starts to authenticate the token of a call. @throws GraphError `token_missing`. */
export const startAuth = ({ engine, token }: Query): StartedAuth => {
  if (token === undefined || token === '')
    throw new GraphError('token_missing', '(#104) An access token is required to request this resource')
  return engine.auth.start(token)
}

/**
 * Starts the session of an accepted token. `records` are the records that were read for the token.
 *
 * @throws GraphError for a token that is not accepted.
 */
export const acceptToken = (
  query: Query,
  authResult: AuthResult,
  records: readonly (TokenRecord | undefined)[],
): void => {
  if ('failure' in authResult) throw authError(authResult.failure, authResult.cause)
  const { session } = authResult
  const { appSecrets, requireProof } = query.engine
  assertProof(query.token ?? '', session.app, query.call.proof, appSecrets, requireProof)
  query.hooks?.onSession(session)
  const record = records.find(found => found?.viewer === session.viewer)
  startSession(query, session, record?.viewerType)
}

/**
 * Whether the data of the store must not be read yet: because it depends on the session, or because its snapshots do
 * not contain the tokens. Calls that hold a connection for their snapshots while they wait for another one for their
 * tokens could wait for each other.
 */
export const mustAwaitSession = ({ engine, context }: Query): boolean => {
  if (context !== undefined) return false
  const { bySession, writes } = engine.store.capabilities
  return bySession === true || (engine.consistency === 'snapshot' && writes === 'tokens')
}
