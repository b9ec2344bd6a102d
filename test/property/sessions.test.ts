import fc, { type Arbitrary } from 'fast-check'
import { type Auth, createStaticAuth } from 'kithgraph'
import { scheduleStore, seededSchedule } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/base/session.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import { type LookalikeCase, lookalikeCases } from '../helpers/lookalike-cases.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld, toMutations } from '../helpers/open-world.ts'
import { type Caller, recordTranscript } from '../helpers/probes.ts'
import {
  createTenantStore,
  organizationOf,
  readsData,
  type TenantBehaviour,
  type TenantStore,
} from '../helpers/tenant-store.ts'
import { propertySettings } from './property-settings.ts'

/** Two organizations with different data of one schema, and calls that both make at the same time. */
type TenantCase = Pick<LookalikeCase, 'probes' | 'consistency' | 'cost'> & {
  readonly worlds: { readonly [organization: string]: World }
  readonly credentials: 'session' | 'static token' | 'stored token'
  readonly seed: number
}

/** Removes some nodes with their edges, and some other edges. */
const thinOut = (world: World, seed: number): World => {
  const isKept = (index: number): boolean => (index * 7 + seed) % 3 > 0
  const nodes = world.nodes.filter((_, index) => isKept(index))
  const ids = new Set(nodes.map(({ id }) => id))
  const edges = world.edges.filter(
    ({ source, target }, index) => isKept(index + seed) && ids.has(source) && ids.has(target),
  )
  return { ...world, nodes, edges }
}

const tenantCases: Arbitrary<TenantCase> = fc
  .record({
    lookalikes: lookalikeCases(true),
    credentials: fc.constantFrom('session', 'static token', 'stored token'),
    seed: fc.nat(1000),
  })
  .map(({ lookalikes: { world, probes, consistency, cost }, credentials, seed }) => ({
    probes,
    consistency,
    cost,
    credentials,
    seed,
    worlds: { north: world, south: thinOut(world, seed) },
  }))

/** Accepts tokens whose records are in the store. */
const recordAuth: Auth = {
  digest: token => (token.startsWith('stored ') ? `digest of ${token}` : undefined),
  authenticate: (_, record) => record && { session: record },
}

const putToken = (store: TenantStore, token: string, session: Omit<Session, 'issuedAt' | 'expiresAt'>) => {
  const { claims = {}, ...grant } = session
  const times = { issuedAt: 0, expiresAt: undefined, revokedAt: undefined }
  const record = { ...grant, claims, ...times, generation: '' }
  store.tokens.write([{ op: 'putToken', digest: `digest of ${token}`, token: record }])
}

/** Returns what the sessions of an organization have. Encrypted cursors depend on the claims too. */
const grantOf = (organization: string, { viewer, scopes }: TenantCase['worlds']['north']) => ({
  viewer,
  app: 'tests',
  scopes,
  claims: { org_id: organization },
})

/** Opens one graph for all organizations. Returns the callers by organization. */
const openTenants = async (
  { worlds, credentials, consistency, cost = 1_000_000_000, seed }: TenantCase,
  behaviour?: TenantBehaviour,
) => {
  const store = createTenantStore(behaviour)
  const grants = Object.entries(worlds).map(([organization, world]) => ({
    organization,
    grant: grantOf(organization, world),
  }))
  for (const [organization, world] of Object.entries(worlds))
    store.tenant(organization).write(toMutations(world))
  for (const { organization, grant } of grants) putToken(store, `stored ${organization}`, grant)
  const auth = [
    createStaticAuth(
      Object.fromEntries(grants.map(({ organization, grant }) => [`static ${organization}`, grant])),
    ),
    recordAuth,
  ]
  const [world = expect.fail()] = Object.values(worlds)
  const wrap = () => scheduleStore(store, seededSchedule({ seed, failures: 0 }))
  const { graph } = await openWorld(world, { wrap, consistency, limits: { cost }, auth })
  const callers = grants.map(({ organization, grant }): [string, Caller] => {
    const token = credentials === 'static token' ? `static ${organization}` : `stored ${organization}`
    return [organization, { graph, session: credentials === 'session' ? graph.session(grant) : token }]
  })
  return { store, callers: new Map(callers) }
}

/** Makes all calls of all organizations at the same time. */
const recordAll = (callerOf: (organization: string) => Caller, { worlds, probes }: TenantCase) =>
  Promise.all(
    Object.entries(worlds).flatMap(([organization, world]) =>
      probes.map(probe =>
        recordTranscript(callerOf(organization), probe, {
          ids: [...world.nodes.map(({ id }) => id), missingIdOf(world)],
        }),
      ),
    ),
  )

const compareWithOwnGraphs = async (tenantCase: TenantCase, behaviour?: TenantBehaviour): Promise<void> => {
  const { worlds, consistency, cost = 1_000_000_000 } = tenantCase
  const { store, callers } = await openTenants(tenantCase, behaviour)
  const ownGraphs = new Map<string, Caller>()
  for (const [organization, world] of Object.entries(worlds)) {
    const { graph } = await openWorld(world, { consistency, limits: { cost } })
    ownGraphs.set(organization, { graph, session: graph.session(grantOf(organization, world)) })
  }
  const results = await recordAll(organization => callers.get(organization) ?? expect.fail(), tenantCase)
  const expected = await recordAll(organization => ownGraphs.get(organization) ?? expect.fail(), tenantCase)
  expect(results).toEqual(expected)
  expect(store.violations).toEqual([])
  for (const { request, session } of store.reads) {
    if (request.tokens.length > 0) expect({ isData: readsData(request), session }).toEqual({ isData: false })
    else expect(session).toBeDefined()
  }
}

/** Finds the data of the session of the previous read. */
const createLateBehaviour = (): TenantBehaviour => {
  let previous: Session | undefined
  return {
    organizationOf: session => {
      const organization = organizationOf(previous ?? session)
      previous = session
      return organization
    },
  }
}

describe('a graph whose store reads by session', () => {
  it('returns in each of several concurrent sessions exactly what a graph with only its data returns', async () => {
    await fc.assert(
      fc.asyncProperty(tenantCases, tenantCase => compareWithOwnGraphs(tenantCase)),
      propertySettings(40, 2000),
    )
  })

  it('differs if the store reads for the session of another call, which the comparison detects', async () => {
    const property = fc.asyncProperty(tenantCases, tenantCase =>
      compareWithOwnGraphs(tenantCase, createLateBehaviour()),
    )
    const { failed } = await fc.check(property, { ...propertySettings(1000), endOnFailure: true })
    expect(failed).toBe(true)
  })
})
