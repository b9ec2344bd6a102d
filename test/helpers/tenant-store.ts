import { isDeepStrictEqual } from 'node:util'
import { createMemoryStore, type MemoryStore } from 'kithgraph/memory'
import type { Session } from '../../src/base/session.ts'
import type { Store, StoreReadRequest } from '../../src/store/contract.ts'
import { isEmptyRequest } from '../../src/store/requests.ts'

/** One read of a tenant store: its request, its session, and whether it read a snapshot. */
export type TenantRead = {
  readonly request: StoreReadRequest
  readonly session: Session | undefined
  readonly isOfSnapshot: boolean
}

/** A store in which each organization has its own data. Calls without a session may contain only tokens. */
export type TenantStore = Store & {
  /** Returns the store of one organization. */
  tenant(organization: string): MemoryStore
  /** The store of calls without a session. */
  readonly tokens: MemoryStore
  /** All reads, in order. */
  readonly reads: readonly TenantRead[]
  /** What the store received against the contract. The call of the store failed too. */
  readonly violations: readonly string[]
}

/** A kind of call of a store. */
export type TenantCall = 'read' | 'write' | 'snapshot'

/** How a tenant store finds its data. Sabotages replace it. */
export type TenantBehaviour = {
  /** Returns the organization of the session of a call. */
  readonly organizationOf: (session: Session, call: TenantCall) => string
}

/** Returns the organization in the claims of a session. */
export const organizationOf = ({ claims }: Session): string => {
  const organization = claims?.org_id
  if (typeof organization === 'string') return organization
  throw new Error('a session without an organization')
}

/** Creates the session of an organization, as a store receives it. */
export const createTenantSession = (organization: string): Session =>
  Object.freeze({
    viewer: undefined,
    app: 'tests',
    scopes: Object.freeze([]),
    issuedAt: 0,
    expiresAt: undefined,
    claims: Object.freeze({ org_id: organization }),
  })

/** Two sessions that see different data. */
export const TENANT_SESSIONS = [createTenantSession('north'), createTenantSession('south')] as const

const isFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(member => isFrozen(member)))

/** Whether a request reads anything other than tokens. */
export const readsData = (request: StoreReadRequest): boolean => !isEmptyRequest({ ...request, tokens: [] })

/** Creates a tenant store whose organizations are memory stores. */
export const createTenantStore = (
  { organizationOf: find }: TenantBehaviour = { organizationOf },
): TenantStore => {
  const tenants = new Map<string, MemoryStore>()
  const tokenStore = createMemoryStore()
  const reads: TenantRead[] = []
  const violations: string[] = []
  const tenant = (organization: string): MemoryStore => {
    const store = tenants.get(organization) ?? createMemoryStore()
    tenants.set(organization, store)
    return store
  }
  const fail = (violation: string): never => {
    violations.push(violation)
    throw new Error(violation)
  }
  /** Returns the store of a session, or that of the tokens without a session. */
  const storeOf = (call: TenantCall, session: Session | undefined, isOfTokens: boolean): MemoryStore => {
    if (session === undefined) return isOfTokens ? tokenStore : fail(`a ${call} of data without a session`)
    return isFrozen(session)
      ? tenant(find(session, call))
      : fail(`a ${call} with a session that is not frozen`)
  }
  return {
    capabilities: { ...tokenStore.capabilities, bySession: true },
    open: () => undefined,
    close: () => undefined,
    tenant,
    tokens: tokenStore,
    reads,
    violations,
    read: (request, { session }) => {
      reads.push({ request, session, isOfSnapshot: false })
      return storeOf('read', session, !readsData(request)).read(request)
    },
    write: (mutations, { session, batch }) => {
      const isOfTokens = mutations.every(({ op }) => op === 'putToken' || op === 'deleteToken')
      return storeOf('write', session, isOfTokens).write(mutations, { signal: undefined, batch })
    },
    snapshot: ({ session } = {}) => {
      const snapshot = storeOf('snapshot', session, false).snapshot()
      return {
        read: (request, { session: readSession }) => {
          reads.push({ request, session: readSession, isOfSnapshot: true })
          return isDeepStrictEqual(readSession, session)
            ? snapshot.read(request)
            : fail('a read of the snapshot of another session')
        },
        close: () => snapshot.close(),
      }
    },
  }
}
