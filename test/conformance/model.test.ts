import fc from 'fast-check'
import { createModelStore, describeStore, scheduleStore, seededSchedule } from 'kithgraph/testing'
import { describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'

/** The number of runs of each property. */
const runs = process.env.KITHGRAPH_LONG ? 5000 : 20
const runner = { describe, it, fc, runs }

const createDelayedStore = () => scheduleStore(createModelStore(), seededSchedule({ seed: 1, failures: 0 }))

describeStore(runner, { name: 'model', create: createModelStore })
describeStore(runner, {
  name: 'model, delayed and guarded',
  create: () => {
    const store = guardStore(createDelayedStore())
    // A guard does not depend on the kind of ids.
    return delegateStore(store, { capabilities: { ...store.capabilities, ids: ['digits'] } })
  },
})
