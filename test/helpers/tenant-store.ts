import { createMemoryStore, type MemoryStore } from 'kithgraph/memory'
import type { Session } from '../../src/base/session.ts'
import { EMPTY_READ_RESULT } from '../../src/core/batching.ts'
import type { Store, StoreReader, StoreReadRequest, StoreReadResult } from '../../src/store/contract.ts'
import { EMPTY_REQUEST, isEmptyRequest } from '../../src/store/requests.ts'

/** One read of a tenant store: its request, its session, and whether it read a snapshot. */
export type TenantRead = {
  readonly request: StoreReadRequest
  readonly session: Session | undefined
  readonly isOfSnapshot: boolean
}

/** A store in which each organization has its own nodes and edges. Tokens belong to no organization. */
export type TenantStore = Store & {
  /** Returns the store of one organization. */
  tenant(organization: string): MemoryStore
  /** The store of the tokens. */
  readonly tokens: MemoryStore
  /** All reads, in order. */
  readonly reads: readonly TenantRead[]
  /** What the store received against the contract. The call of the store failed too. */
  readonly violations: readonly string[]
}

/** How a tenant store finds its data. Sabotages replace it. */
export type TenantBehaviour = {
  /** Returns the organization of the session of a call. */
  readonly organizationOf: (session: Session, call: 'read' | 'write' | 'snapshot') => string
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
  const tenantOf = (call: 'read' | 'write' | 'snapshot', session: Session | undefined): MemoryStore => {
    if (session === undefined) return fail(`a ${call} of data without a session`)
    if (!isFrozen(session)) return fail(`a ${call} with a session that is not frozen`)
    return tenant(find(session, call))
  }
  const readFrom = (
    data: () => Pick<MemoryStore, 'read'>,
    tokens: Pick<MemoryStore, 'read'>,
    request: StoreReadRequest,
  ): StoreReadResult => {
    const result = readsData(request) ? data().read({ ...request, tokens: [] }) : EMPTY_READ_RESULT
    return { ...result, tokens: tokens.read({ ...EMPTY_REQUEST, tokens: request.tokens }).tokens }
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
      return readFrom(() => tenantOf('read', session), tokenStore, request)
    },
    write: (mutations, { session, batch }) => {
      const isOfToken = mutations.map(({ op }) => op === 'putToken' || op === 'deleteToken')
      const tokenMutations = mutations.filter((_, index) => isOfToken[index])
      // The organization receives the tokens too, so that errors have the index of the caller. It never reads them.
      if (isOfToken.includes(false) || tokenMutations.length === 0)
        tenantOf('write', session).write(mutations, { signal: undefined, batch })
      return tokenMutations.length === 0
        ? { revision: undefined }
        : tokenStore.write(tokenMutations, { signal: undefined, batch })
    },
    snapshot: ({ session } = {}) => {
      const data = tenantOf('snapshot', session).snapshot()
      const tokens = tokenStore.snapshot()
      const read: StoreReader['read'] = (request, options) => {
        reads.push({ request, session: options.session, isOfSnapshot: true })
        if (
          options.session !== undefined &&
          organizationOf(options.session) !== organizationOf(session ?? options.session)
        )
          return fail('a read of a snapshot with another session')
        return readFrom(
          () => (options.session === undefined ? fail('a read of a snapshot without a session') : data),
          tokens,
          request,
        )
      }
      return {
        read,
        close: () => {
          data.close()
          tokens.close()
        },
      }
    },
  }
}
