import fc from 'fast-check'
import { createMemoryStore } from 'kithgraph/memory'
import { describeStore } from 'kithgraph/testing'
import { describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'

/** The number of runs of each property. */
const runs = process.env.KITHGRAPH_LONG ? 5000 : 50

describeStore({ describe, it, fc, runs }, { name: 'memory', create: createMemoryStore })
describeStore(
  { describe, it, fc, runs },
  { name: 'memory, guarded', create: () => guardStore(createMemoryStore()) },
)
