import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describeStoreFailures, type StoreInUse, writeUntilKilled } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { collectDeclared, findFirstFailure } from '../helpers/sabotage/collecting-runner.ts'
import { createTenantStore, TENANT_SESSIONS } from '../helpers/tenant-store.ts'

const [session] = TENANT_SESSIONS

/** Starts a writer in this process. It ends with the first batch after it is killed. */
const startWriter = ({ store }: StoreInUse, task: string) => {
  const output = new PassThrough()
  let isKilled = false
  const report = (line: string): void => {
    if (isKilled) throw new Error('killed')
    output.write(line)
  }
  writeUntilKilled(store, task, report).catch((error: Error) =>
    isKilled ? output.end() : output.destroy(error),
  )
  const kill = (): void => {
    isKilled = true
  }
  return { output, kill }
}

describeStoreFailures(
  { describe, it, fc },
  {
    name: 'an organization',
    create: () => {
      const store = createTenantStore()
      return { store, connect: () => store }
    },
    startWriter,
    session,
    rounds: 2,
  },
)

describe('describeStoreFailures', () => {
  it('needs a session for a store that reads by session', async () => {
    const tests = collectDeclared(runner =>
      describeStoreFailures(runner, {
        name: 'an organization',
        create: () => ({ store: createTenantStore() }),
      }),
    )
    expect(await findFirstFailure(tests)).toContain(
      'describeStoreFailures: "session" must be a session, for a store with bySession: true; received undefined',
    )
  })
})
