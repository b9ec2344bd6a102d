import type { PostgresPoolClient } from 'kithgraph/postgres'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Finding } from '../../../src/store/inspection.ts'
import { ID_COLUMNS } from '../../../src/stores/postgres/id-column.ts'
import { createPostgresInspector } from '../../../src/stores/postgres/inspect.ts'
import { createInspectionStatements } from '../../../src/stores/postgres/inspection-statements.ts'
import { createPool } from '../../helpers/watched-clients.ts'

const SCHEMA = 'kithgraph'
const COUNTING_MS = 300_000

/** Creates a pool whose server has one row of the table of counts, and needs minutes to count its list. */
const createSlowPool = () => {
  const { countRows, counts } = createInspectionStatements(SCHEMA, ID_COLUMNS.digits)
  let hasCounts = true
  const client: PostgresPoolClient = {
    query: async ({ text }) => {
      if (text.includes('versions')) return { rows: [['3', 'bigint']] }
      if (text === counts.text) {
        await new Promise(resolve => setTimeout(resolve, COUNTING_MS))
        return { rows: [['1', 'likes', '7', '8', 't']] }
      }
      if (text !== countRows.text || !hasCounts) return { rows: [] }
      hasCounts = false
      return { rows: [['1', 'likes', '0']] }
    },
    on: () => undefined,
    off: () => undefined,
    release: () => undefined,
  }
  return createPool(async () => client)
}

describe('the inspection of a store in Postgres', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('lets the server count long lists for minutes', async () => {
    const inspector = await createPostgresInspector(createSlowPool(), SCHEMA)
    const readFindings = async () => {
      const findings: Finding[] = []
      for await (const page of inspector.scan()) findings.push(...page.findings)
      return findings
    }
    const findings = readFindings().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(COUNTING_MS)
    expect(await findings).toEqual([{ kind: 'wrongCount', source: '1', name: 'likes', stored: 7, actual: 8 }])
  })
})
