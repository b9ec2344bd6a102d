import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runExample } from '../helpers/run-example.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the tests of an example as a reader does, and returns the numbers of passed and failed tests. */
const runTests = (file: string): Promise<{ readonly passed: number; readonly failed: number }> =>
  new Promise(resolve => {
    const command = ['--import', 'tsx', '--test', '--test-reporter', 'tap', `examples/${file}`]
    execFile(process.execPath, command, { cwd: root, maxBuffer: 2 ** 26 }, (_, printed) => {
      const count = (word: string): number => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(printed)?.[1])
      resolve({ passed: count('pass'), failed: count('fail') })
    })
  })

describe('the example test-double', () => {
  it('passes its tests', async () => {
    expect(await runTests('test-double/birthdays.test.ts')).toEqual({ passed: 6, failed: 0 })
  })
})

describe('the example rest-store', () => {
  it('sends one request to its REST API per level of a query', async () => {
    expect(await runExample('rest-store/main.ts')).toBe('Ada: 20 likes of 20 photos. Requests: 1\n')
  })

  it('passes the conformance tests of stores', async () => {
    const { passed, failed } = await runTests('rest-store/rest-store.test.ts')
    expect([passed > 50, failed]).toEqual([true, 0])
  })
})
