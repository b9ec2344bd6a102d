import { afterAll, beforeAll, describe } from 'vitest'
import { describeDerivedLists } from '../helpers/derived-list-laws.ts'
import { availableEngines, type StoreEngine } from '../helpers/store-engines.ts'

const START_TIMEOUT_MS = 60_000

const ENGINES = availableEngines('collections and orders', { every: false })

describe.each(ENGINES)('collections and orders on $name', ({ ids, start }) => {
  let engine: StoreEngine
  beforeAll(async () => {
    engine = await start()
  }, START_TIMEOUT_MS)
  afterAll(() => engine.stop())

  describeDerivedLists(kind => engine.create(kind), 20, ids)
})
