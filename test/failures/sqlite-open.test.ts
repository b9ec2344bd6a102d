import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'

const OPENER = join(import.meta.dirname, '../helpers/sqlite-opener.ts')
const PROCESS_COUNT = 6
const ROUNDS = process.env.KITHGRAPH_LONG ? 1000 : 20

const folder = createTemporaryFolder()
let openers: readonly ChildProcess[] = []

const receive = async (opener: ChildProcess): Promise<unknown> => (await once(opener, 'message'))[0]

beforeAll(async () => {
  const options = { execArgv: ['--import', 'tsx'] }
  openers = Array.from({ length: PROCESS_COUNT }, () => fork(OPENER, options))
  await Promise.all(openers.map(receive))
})

afterAll(() => {
  for (const opener of openers) opener.kill()
  folder.remove()
})

describe('a new SQLite file that several processes open at once', () => {
  it(`opens in all of ${PROCESS_COUNT} processes, ${ROUNDS} times`, async () => {
    const results: unknown[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const replies = openers.map(receive)
      for (const opener of openers) opener.send(`${folder.path}/${round}.db`)
      results.push(...(await Promise.all(replies)))
    }
    expect(results.filter(result => result !== 'opened')).toEqual([])
    expect(results).toHaveLength(ROUNDS * PROCESS_COUNT)
  })
})
