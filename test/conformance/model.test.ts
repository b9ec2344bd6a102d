import fc from 'fast-check'
import { createModelStore, describeStore } from 'kithgraph/testing'
import { describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'

/** How often each property is tried. */
const runs = process.env.KITHGRAPH_LONG ? 5000 : 100

describeStore({ describe, it, fc, runs }, { name: 'model', create: createModelStore })
describeStore(
  { describe, it, fc, runs },
  { name: 'model, guarded', create: () => guardStore(createModelStore()) },
)
