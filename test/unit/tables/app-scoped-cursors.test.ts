import { createGraph } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { collection, createTableStore, defineTables } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { CURSOR_PREFIX_LENGTH, decodePosition, encodePosition } from '../../../src/core/cursor-letters.ts'
import { describeSqlite } from '../../../src/tables/introspect/describe-sqlite.ts'
import { openBetterSqlite } from '../../helpers/sqlite-databases.ts'

const SIGNATURE_LENGTH = 16

const database = openBetterSqlite(':memory:')
database.exec(`
  create table person (id integer primary key, name text not null);
  insert into person values (41, 'Ada'), (42, 'Ben'), (43, 'Cy')`)
const { schema, tables } = defineTables(
  describeSqlite(database, {}),
  { person: { over: 'person', appScoped: true, fields: { name: { default: true } } } },
  { viewers: ['person'], collections: { people: collection('person', { by: 'name' }) } },
)
const graph = createGraph(createTableStore(database, { tables }), {
  schema,
  secret: 'a secret for the tests of cursors',
  appIds: createAppIds({ secrets: { 7: 'a secret for the tests of ids' }, current: 7 }),
})
const readNames = async (app: string, after?: string) => {
  const people = { id: 'root', edge: 'people', limit: 1, after } as const
  const { data, paging } = await graph.getEdge(graph.session({ app }), people)
  return { names: data.map(({ name }) => name), after: paging?.cursors.after ?? '' }
}

describe('a cursor of a list of tables whose nodes have app-scoped ids', () => {
  it('continues the list for its app, and contains no id of a row', async () => {
    const first = await readNames('web')
    expect(await readNames('web', first.after)).toMatchObject({ names: ['Ben'] })
    const position = decodePosition(first.after.slice(CURSOR_PREFIX_LENGTH, -SIGNATURE_LENGTH))
    expect(position).toMatchObject({ key: '=Cy', target: graph.ids.toPublic('person-43', 'web') })
  })

  it('is rejected in another app', async () => {
    const { after } = await readNames('other')
    await expect(readNames('web', after)).rejects.toMatchObject({ reason: 'invalid_parameter' })
  })

  it.each<[string, (cursor: string) => string]>([
    ['without its signature', cursor => cursor.slice(0, -SIGNATURE_LENGTH)],
    ['with another key', cursor => cursor.replace(btoa('=Cy'), btoa('=Bo'))],
    [
      'with the id of a row',
      cursor =>
        cursor.slice(0, CURSOR_PREFIX_LENGTH) + encodePosition({ time: 0, key: '=Cy', target: 'person-43' }),
    ],
  ])('is rejected %s', async (_, change) => {
    const { after } = await readNames('web')
    const changed = change(after)
    expect(changed).not.toBe(after)
    await expect(readNames('web', changed)).rejects.toMatchObject({ reason: 'invalid_parameter' })
  })
})
