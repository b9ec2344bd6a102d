import fc from 'fast-check'
import {
  describeReadOnlyStore,
  describeStore,
  type StoreRecords,
  scheduleStore,
  seededSchedule,
} from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { guardStore } from '../../../src/store/guard.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { toMutations } from '../../../src/testing/read-only/store-records.ts'
import { putNodes } from '../../../src/testing/records.ts'
import { collectDeclared, collectTests, findFirstFailure } from '../../helpers/sabotage/collecting-runner.ts'
import { createTenantStore, TENANT_SESSIONS } from '../../helpers/tenant-store.ts'

/** The number of runs of each property. */
const runs = process.env.KITHGRAPH_LONG ? 2000 : 10
const runner = { describe, it, fc, runs }
const sessions = TENANT_SESSIONS

const createDelayedStore = () =>
  guardStore(scheduleStore(createTenantStore(), seededSchedule({ seed: 1, failures: 0 })))

describeStore(runner, { name: 'organizations', create: createTenantStore, sessions })
describeStore(runner, { name: 'organizations, delayed and guarded', create: createDelayedStore, sessions })

/** Creates a store with records of one organization, and others of another one. */
const createReadOnlyStore = (records: StoreRecords) => {
  const store = createTenantStore()
  store.tenant('south').write(putNodes('1', '2', '3'))
  store.tenant('north').write(toMutations(records))
  return delegateStore(store, {
    write: () => {
      throw new Error('This store is read-only')
    },
  })
}

describeReadOnlyStore(runner, {
  name: 'an organization',
  create: createReadOnlyStore,
  session: TENANT_SESSIONS[0],
})

describe('the conformance suite', () => {
  it('needs two sessions for a store that reads by session', async () => {
    const tests = collectTests({ name: 'organizations', create: createTenantStore })
    expect(await findFirstFailure(tests)).toContain(
      'describeStore: "sessions" must be two sessions that see different data, for a store with bySession: true; received undefined',
    )
  })

  it('needs a session for a read-only store that reads by session', async () => {
    const tests = collectDeclared(runner =>
      describeReadOnlyStore(runner, { name: 'an organization', create: createReadOnlyStore }),
    )
    expect(await findFirstFailure(tests)).toContain(
      'describeReadOnlyStore: "session" must be a session that sees the records, for a store with bySession: true; received undefined',
    )
  })
})
