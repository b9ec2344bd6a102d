import type { Session } from '../../../src/base/session.ts'
import type { Store, StoreReadOptions } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import {
  createTenantStore,
  organizationOf,
  TENANT_SESSIONS,
  type TenantCall,
  type TenantStore,
} from '../tenant-store.ts'
import type { Sabotage } from './sabotage.ts'

/** Creates a sabotage of a store in which each organization has its own data. */
const sabotageTenants = (
  name: string,
  create: () => TenantStore,
  replace: (store: TenantStore) => Partial<Store> = () => ({}),
): Sabotage => ({
  name,
  section: 'sessions',
  create: () => {
    const store = create()
    return delegateStore(store, replace(store))
  },
  sessions: TENANT_SESSIONS,
})

/** Creates a store that chooses the session of a kind of call from all sessions of such calls so far. */
const choosingSession =
  (wrong: TenantCall, choose: (sessions: readonly Session[]) => Session | undefined) => (): TenantStore => {
    const sessions: Session[] = []
    return createTenantStore({
      organizationOf: (session, call) => {
        if (call !== wrong) return organizationOf(session)
        sessions.push(session)
        return organizationOf(choose(sessions) ?? session)
      },
    })
  }

const previous = (sessions: readonly Session[]) => sessions.at(-2)
const first = (sessions: readonly Session[]) => sessions[0]

/** Reads for the session of the last call when the read ends its wait. */
const readLate = (store: TenantStore): Partial<Store> => {
  let last: StoreReadOptions | undefined
  return {
    read: async (request, options) => {
      last = options
      await undefined
      return store.read(request, last)
    },
  }
}

/** Adds the entries of the other organization to each count. */
const countAll = (store: TenantStore): Partial<Store> => ({
  read: async (request, options) => {
    const result = await store.read(request, options)
    const others = TENANT_SESSIONS.filter(
      session => organizationOf(session) !== organizationOf(options.session ?? session),
    )
    const counts = others.map(
      session => store.tenant(organizationOf(session)).read({ ...request, tokens: [] }).ranges,
    )
    const ranges = result.ranges.map((range, index) => ({
      ...range,
      total: range.total && counts.reduce((sum, ranges) => sum + (ranges[index]?.total ?? 0), range.total),
    }))
    return { ...result, ranges }
  },
})

const requireSessionForTokens = (store: TenantStore): Partial<Store> => ({
  read: (request, options) => {
    if (options.session === undefined) throw new Error('no session')
    return store.read(request, options)
  },
})

/** Deletes nodes in all organizations. */
const deleteEverywhere = (store: TenantStore): Partial<Store> => ({
  write: async (mutations, options) => {
    const deletions = mutations.filter(({ op }) => op === 'deleteNode')
    for (const session of TENANT_SESSIONS) store.tenant(organizationOf(session)).write(deletions)
    return store.write(mutations, options)
  },
})

export const sessionSabotages: readonly Sabotage[] = [
  sabotageTenants('reads for the session of the previous read', choosingSession('read', previous)),
  sabotageTenants('reads for the session of the first read', choosingSession('read', first)),
  sabotageTenants('writes for the session of the first write', choosingSession('write', first)),
  sabotageTenants(
    'snapshots for the session of the previous snapshot',
    choosingSession('snapshot', previous),
  ),
  sabotageTenants('reads for the session of a concurrent read', createTenantStore, readLate),
  sabotageTenants('counts of all sessions', createTenantStore, countAll),
  sabotageTenants('deletions in all sessions', createTenantStore, deleteEverywhere),
  sabotageTenants('tokens that need a session', createTenantStore, requireSessionForTokens),
]
