import { describeValue } from '../base/describe.ts'
import { isObject } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
import type { Store } from './contract.ts'

/**
 * Returns the session as a store receives it, or `undefined` for a store that does not read by session.
 *
 * The store receives a frozen copy, so it cannot change a session, and holds none: the graph accepts a copy
 * neither in a call nor as a session that bypasses policies.
 */
export const toStoreSession = ({ capabilities }: Store, session: Session): Session | undefined =>
  capabilities.bySession === true ? copySession(session) : undefined

const copySession = ({ viewer, app, scopes, issuedAt, expiresAt, claims }: Session): Session => {
  // The record of a token may belong to the store, so its list of scopes is copied too.
  const session = { viewer, app, scopes: Object.freeze([...scopes]), issuedAt, expiresAt }
  return Object.freeze(claims === undefined ? session : { ...session, claims })
}

/** The parts of a graph that its writes by session use. */
export type SessionDependencies = {
  readonly store: Store
  /** Whether this graph created a session. Other objects are not accepted. */
  readonly isSession: (value: object) => value is Session
}

/**
 * Returns the option `session` of a write as a store receives it.
 *
 * @throws TypeError for a value that is not a session of this graph.
 */
export const parseWriteSession = (
  location: string,
  { store, isSession }: SessionDependencies,
  session: unknown,
): Session | undefined => {
  if (session === undefined) return undefined
  if (isObject(session) && isSession(session)) return toStoreSession(store, session)
  // A string may be a token.
  const received = typeof session === 'string' ? 'a string' : describeValue(session)
  throw usageError(location, 'session', 'a session of this graph', received)
}
