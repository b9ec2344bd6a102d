import fc from 'fast-check'
import { describeStore, scheduleStore, seededSchedule } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { collectTests, findFirstFailure } from '../helpers/sabotage/collecting-runner.ts'
import { createTenantStore, TENANT_SESSIONS } from '../helpers/tenant-store.ts'

/** The number of runs of each property. */
const runs = process.env.KITHGRAPH_LONG ? 2000 : 50
const runner = { describe, it, fc, runs }
const sessions = TENANT_SESSIONS

const createDelayedStore = () =>
  guardStore(scheduleStore(createTenantStore(), seededSchedule({ seed: 1, failures: 0 })))

describeStore(runner, { name: 'organizations', create: createTenantStore, sessions })
describeStore(runner, { name: 'organizations, delayed and guarded', create: createDelayedStore, sessions })

describe('the conformance suite', () => {
  it('needs two sessions for a store that reads by session', async () => {
    const tests = collectTests({ name: 'organizations', create: createTenantStore })
    expect(await findFirstFailure(tests)).toContain(
      'describeStore: "sessions" must be two sessions that see different data, for a store with bySession: true; received undefined',
    )
  })
})
