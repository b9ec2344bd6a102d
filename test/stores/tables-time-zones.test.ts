import { createGraph } from 'kithgraph'
import { collection, createTableStore, type DatabaseDescription, defineTables } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const db = {
  dialect: 'postgres',
  tables: {
    meeting: {
      name: 'meeting',
      schema: 'public',
      columns: {
        id: { type: 'int4' },
        start: { type: 'timestamp', nullable: true },
        starts: { type: 'timestamp', array: true, nullable: true },
      },
      key: ['id'],
      foreignKeys: [],
      uniques: [],
      indexes: [{ columns: ['id'] }],
    },
  },
} as const satisfies DatabaseDescription

/** One in winter, one in summer, and one in the hour that clocks in Paris skip. */
const TIMES = ['2026-01-15 12:00:00', '2026-07-15 12:00:00.123456', '2026-03-29 02:30:00']
const IN_PARIS = ['2026-01-15T11:00:00+0000', '2026-07-15T10:00:00+0000', '2026-03-29T01:30:00+0000']
const IN_UTC = ['2026-01-15T12:00:00+0000', '2026-07-15T12:00:00+0000', '2026-03-29T02:30:00+0000']

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  const list = (items: readonly string[]) => `'{${items.join(',')}}'`
  await server.pool().query(`
create table meeting (id int primary key, start timestamp, starts timestamp[]);
insert into meeting values
  (1, '${TIMES[0]}', ${list(TIMES.map(time => `"${time}"`))}), (2, '${TIMES[1]}', '{}'), (3, '${TIMES[2]}', null),
  (4, null, '{{"${TIMES[0]}"},{"${TIMES[1]}"}}'), (5, 'infinity', '{infinity,"290001-01-01","4713-01-01 BC"}')`)
})
afterAll(() => server.stop())

const readMeetings = async (timeZone: string | undefined) => {
  const { schema, tables } = defineTables(db, {
    meeting: { over: 'meeting', timeZone, fields: { start: true, starts: true } },
  })
  const graph = createGraph(createTableStore(server.pool(), { tables }), { schema, secret: 'x'.repeat(32) })
  const session = graph.session({ viewer: 'meeting-1', app: 'demo' })
  const ids = ['meeting-1', 'meeting-2', 'meeting-3', 'meeting-4', 'meeting-5']
  return graph.getNodes(session, { ids, fields: 'start,starts' })
}

describe('the times without a zone of a table in Postgres', () => {
  it.each([
    ['Europe/Paris', IN_PARIS],
    [undefined, IN_UTC],
  ])('are in the time zone of the table, %s, alone and in arrays', async (timeZone, times) => {
    const meetings = await readMeetings(timeZone)
    expect(
      Object.values(meetings)
        .map(({ start }) => start)
        .slice(0, 3),
    ).toEqual(times)
    expect(meetings['meeting-1']?.starts).toEqual(times)
    expect(meetings['meeting-2']?.starts).toEqual([])
    expect(meetings['meeting-3']).not.toHaveProperty('starts')
  })

  it.each(['Europe/Paris', undefined])('never fail a read in the time zone %s', async timeZone => {
    const meetings = await readMeetings(timeZone)
    expect(meetings['meeting-4']).toMatchObject({ id: 'meeting-4' })
    expect(meetings['meeting-5']).toMatchObject({ id: 'meeting-5' })
  })
})

/** The earliest time of a `timestamptz`, which is before the earliest `timestamp` in a zone west of UTC. */
const EARLIEST = -210_866_803_200_000
/** The latest time of a call. */
const LATEST = 8.64e15

describe('since and until of a list over times without a zone', () => {
  it.each(['America/New_York', 'Pacific/Kiritimati', undefined])(
    'accept each time, however early or late, in the time zone %s',
    async timeZone => {
      const { schema, tables } = defineTables(
        db,
        { meeting: { over: 'meeting', timeZone, fields: { start: true } } },
        { collections: { meetings: collection('meeting', { by: 'start', nulls: 'skip' }) } },
      )
      const graph = createGraph(createTableStore(server.pool(), { tables }), {
        schema,
        secret: 'x'.repeat(32),
      })
      const session = graph.session({ viewer: undefined, app: 'demo' })
      const readIds = async (window: { since?: string; until?: string }): Promise<unknown[]> => {
        const { data } = await graph.getEdge(session, {
          id: 'root',
          edge: 'meetings',
          fields: 'id',
          ...window,
        })
        return data.map(({ id }) => id)
      }
      const all = ['meeting-5', 'meeting-2', 'meeting-3', 'meeting-1']
      for (const time of [-LATEST, 1 - LATEST, EARLIEST - 1, EARLIEST, EARLIEST + 1])
        expect(await readIds({ since: new Date(time).toISOString() })).toEqual(all)
      for (const time of [1 - LATEST, EARLIEST - 1, EARLIEST, EARLIEST + 1])
        expect(await readIds({ until: new Date(time).toISOString() })).toEqual([])
      expect(await readIds({ until: new Date(LATEST - 1).toISOString() })).toEqual(all.slice(1))
      expect(await readIds({ until: new Date(LATEST).toISOString() })).toEqual(all)
      expect(await readIds({ since: new Date(LATEST).toISOString() })).toEqual(['meeting-5'])
    },
  )
})
