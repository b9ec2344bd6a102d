import { hasEdgeToViewer, viewerHasEdge } from 'kithgraph'
import { collection, createTableStore, defineTables, ref, through } from 'kithgraph/tables'
import { describe, it } from 'vitest'
import { describeSqlite } from '../../../src/tables/introspect/describe-sqlite.ts'
import { expectVisiblePhotosListed } from '../../helpers/listed-photos.ts'
import { openBetterSqlite } from '../../helpers/sqlite-databases.ts'

const openTables = (photoCollation: string) => {
  const database = openBetterSqlite(':memory:')
  database.exec(`
create table account (id integer primary key);
create table team (slug text collate nocase primary key not null);
create table membership (team text not null, account integer not null, primary key (team, account));
create table photo (id integer primary key, team text collate ${photoCollation} not null);
insert into account values (1);
insert into team values ('red'), ('blue');
insert into membership values ('red', 1), ('BLUE', 1);
insert into photo values (1, 'RED'), (2, 'red'), (3, 'Blue'), (4, 'blue'), (5, 'BLUE')`)
  return database
}

describe('a key that ignores case in SQLite and the columns of an edge, which do not', () => {
  it.each([
    ['nocase', viewerHasEdge('teams', { of: 'team' })],
    ['binary', viewerHasEdge('teams', { of: 'team' })],
    ['nocase', hasEdgeToViewer('members', { of: 'team' })],
    ['binary', hasEdgeToViewer('members', { of: 'team' })],
  ] as const)(
    'make the same nodes visible in lists as in reads of one node: a ref in %s, $1.name',
    async (collation, rule) => {
      const database = openTables(collation)
      const { schema, tables } = defineTables(
        describeSqlite(database, {}),
        {
          account: {
            over: 'account',
            fields: {},
            edges: { teams: through('membership', 'account', 'team', 'team') },
          },
          team: {
            over: 'team',
            fields: {},
            edges: { members: through('membership', 'team', 'account', 'account') },
          },
          photo: { over: 'photo', policy: [rule], fields: { team: ref('team', 'team') } },
        },
        { viewers: ['account'], collections: { photos: collection('photo') } },
      )
      await expectVisiblePhotosListed(createTableStore(database, { tables }), schema, 'account-1')
    },
  )
})
