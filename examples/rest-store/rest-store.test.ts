/**
 * Tests the store over HTTP with `describeStore`:
 *
 *     npx tsx --test examples/rest-store/rest-store.test.ts
 */
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { describeStore } from 'kithgraph/testing'
import { createRestStore } from './rest-store.ts'
import { startService } from './service.ts'

let service: Awaited<ReturnType<typeof startService>>
let collections = 0
before(async () => {
  service = await startService()
})
after(() => service.stop())

describeStore(
  { describe, it, fc, runs: 5 },
  { name: 'REST', create: () => createRestStore(service.urlOf(`test${collections++}`)) },
)
