import { field } from 'kithgraph'
import { back, collection, defineTables, json, ref, through } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import { account, errorsOf, type Mistake, photo, postgres, sqlite } from '../../helpers/wrong-tables.ts'

const TIME_ZONE_ERROR = 'comment: "timeZone" must be a time zone such as Europe/Paris; received "Paris"'

const MISTAKES: readonly Mistake[] = [
  [
    'an unknown table',
    { photo: { ...photo, over: 'phto' } },
    'photo: "over" must be a table of the description; received "phto"; did you mean photo?',
  ],
  [
    'an unknown column',
    { photo: { over: 'photo', fields: { captoin: true } } },
    'photo.captoin: "column" must be a column of photo; received "captoin"; did you mean caption?',
  ],
  [
    'an unknown column of a field',
    { photo: { over: 'photo', fields: { title: { column: 'captoin' } } } },
    'photo.title: "column" must be a column of photo; received "captoin"; did you mean caption?',
  ],
  [
    'an inherited property as a column',
    { photo: { over: 'photo', fields: { to_string: { column: 'toString' } } } },
    'photo.to_string: "column" must be a column of photo; received "toString"',
  ],
  [
    'an unknown target of a ref',
    { photo: { over: 'photo', fields: { owner: ref('acount', 'owner_id') } }, account },
    'photo.owner: each target must be a type of the schema; received "acount"; did you mean account?',
  ],
  [
    'a table without a key',
    { log: { over: 'log', fields: {} } },
    `log: "over" must be a table with a key, or over: { table: 'log', key: 'column' }; received log without a key`,
  ],
  [
    'an unknown column of a declared key',
    { log: { over: { table: 'log', key: 'id' }, fields: {} } },
    'log: "key" must be a column of log; received "id"',
  ],
  [
    'a key whose values cannot be ids',
    { measure: { over: 'measure', fields: {} } },
    "measure: each column of the key must be of a type whose values can be ids (bool, int2, int4, int8, text, varchar, char, bpchar, citext, enum, uuid, date, numeric of integers); received value of the type float8; declare other columns that are unique as over: { table: 'measure', key: 'column' }",
  ],
  [
    'fewer columns than the key has',
    { revision: { over: 'revision', fields: { previous: ref('revision', 'previous_number') } } },
    'revision.previous: the columns must be as many as those of the key of revision, photo_id, number; received previous_number',
  ],
  [
    'columns of other types than the key without a foreign key',
    { slug: { over: 'slug', fields: { org: ref('org', 'org') } }, org: { over: 'org', fields: {} } },
    'slug.org: the columns must be of the types of the key of org (id of the type int4), or with a foreign key to it; received org of the type int8',
  ],
  [
    'a foreign key to other columns than the key',
    { slug: { over: 'slug', fields: { org: ref('org', 'team') } }, org: { over: 'org', fields: {} } },
    'slug.org: the columns must be columns with a foreign key to the key of org, id; received team, with a foreign key to name',
  ],
  [
    'a ref whose foreign key leads to another table',
    {
      photo: { over: 'photo', fields: { seller: ref('seller', 'owner_id') } },
      seller: { over: 'seller', fields: {} },
    },
    'photo.seller: the columns must be columns with a foreign key to the key of seller, id; received owner_id, with a foreign key to account',
  ],
  [
    'a list whose foreign key leads to another table',
    { photo, seller: { over: 'seller', fields: {}, edges: { photos: back('photo', 'owner_id') } } },
    'seller.photos: the columns must be columns with a foreign key to the key of seller, id; received owner_id, with a foreign key to account',
  ],
  [
    'a range without as',
    { odd: { over: 'odd', fields: { span: true } } },
    'odd.span: "as" must be "text" for a column of the type tstzrange; received undefined',
  ],
  [
    'bytes without as',
    { odd: { over: 'odd', fields: { body: true } } },
    'odd.body: "as" must be "text" for a column of the type bytea; received undefined',
  ],
  [
    'an interval without as',
    { odd: { over: 'odd', fields: { wait: true } } },
    'odd.wait: "as" must be "text" for a column of the type interval; received undefined',
  ],
  [
    'a geometry without as',
    { odd: { over: 'odd', fields: { where: true } } },
    'odd.where: "as" must be "text" for a column of the type geometry; received undefined',
  ],
  [
    'a time of SQLite in Postgres',
    { odd: { over: 'odd', fields: { small: { as: 'unixMs' } } } },
    'odd.small: "as" must be left out, or "text" for a column of the type int2; received "unixMs"',
  ],
  [
    'the type of JSON for a text',
    { photo: { over: 'photo', fields: { caption: { as: json() } } } },
    'photo.caption: "as" must be left out, or "text" for a column of the type text; received json()',
  ],
  ['an unknown time zone', { comment: { over: 'comment', timeZone: 'Paris', fields: {} } }, TIME_ZONE_ERROR],
  [
    'a stored field without a column',
    { photo: { over: 'photo', fields: { caption: field.string() } } },
    'photo.caption: a field without a column must be a field with "resolve", or field.viewerEdge(); received a stored field',
  ],
  [
    'an unknown option of a type',
    { photo: { ...photo, feilds: {} } },
    'photo: options must be one of "over", "where", "timeZone", "description", "policy", "appScoped", "idPrefix", "fields", "edges"; received "feilds"; did you mean fields?',
  ],
  [
    'an unknown option of a field',
    { photo: { over: 'photo', fields: { caption: { defalt: true } } } },
    'photo.caption: options must be one of "description", "default", "scope", "since", "removedIn", "deprecated", "policy", "column", "as", "weight"; received "defalt"; did you mean default?',
  ],
  [
    'a misspelled policy of a type',
    { photo: { ...photo, polcy: [] } },
    'photo: options must be one of "over", "where", "timeZone", "description", "policy", "appScoped", "idPrefix", "fields", "edges"; received "polcy"; did you mean policy?',
  ],
  [
    'an unknown option of a declared key',
    { log: { over: { table: 'log', key: 'at', where: {} }, fields: {} } },
    'log: options of "over" must be one of "table", "key"; received "where"',
  ],
  [
    'a computed value of a column',
    { photo: { over: 'photo', fields: { caption: { resolve: () => [] } } } },
    'photo.caption: options must be one of "description", "default", "scope", "since", "removedIn", "deprecated", "policy", "column", "as", "weight"; received "resolve"',
  ],
  [
    'a name with capitals',
    { photo: { over: 'photo', fields: { createdAt: { column: 'created_at' } } } },
    'photo: the name of a field or edge must be made of a-z, 0-9 and _, and begin with a letter; received "createdAt"',
  ],
  [
    'an unknown viewer',
    { photo },
    'viewers: each viewer must be a type of the schema; received "acount"',
    { viewers: ['acount'] },
  ],
  [
    'a type without fields',
    { photo: { over: 'photo' } },
    'photo: "fields" must be an object with fields by name; received undefined',
  ],
  ['a type that is null', { photo: null }, 'photo: "types" must be an object; received null'],
  [
    'a table of a wrong form',
    { photo: { ...photo, over: ['photo'] } },
    'photo: "over" must be the name of a table, or { table, key }; received an array of length 1',
  ],
  [
    'a field that is null',
    { photo: { over: 'photo', fields: { caption: null } } },
    'photo.caption: the field must be true or an object with options; received null',
  ],
  [
    'a list in the fields',
    { photo: { over: 'photo', fields: { comments: back('comment', 'photo_id') } } },
    'photo.comments: the field must be true or an object with options; received an edge that back() returns, which belongs in "edges"',
  ],
  [
    'a list through a join table in the fields',
    { account: { over: 'account', fields: { following: through('follow', 'a', 'account', 'b') } } },
    'account.following: the field must be true or an object with options; received an edge that through() returns, which belongs in "edges"',
  ],
  [
    'a ref in the edges',
    { photo: { ...photo, edges: { owner: ref('account', 'owner_id') } }, account },
    'photo.owner: the edge must be an edge that back() or through() of kithgraph/tables returns; received a field that ref() returns, which belongs in "fields"',
  ],
  [
    'a collection in the edges',
    { photo: { ...photo, edges: { all: collection('photo') } } },
    'photo.all: the edge must be an edge that back() or through() of kithgraph/tables returns; received a collection that collection() returns, which belongs in "collections"',
  ],
  [
    'a column that is no name',
    { photo: { over: 'photo', fields: { caption: { column: 5 } } } },
    'photo.caption: "column" must be the name of a column; received 5',
  ],
  [
    'an unknown form of JSON',
    { odd: { over: 'odd', fields: { map: { as: 'iso' } } } },
    'odd.map: "as" must be left out, json() or "text" for a column of the type jsonb; received "iso"',
  ],
  [
    'an unknown form of a column',
    { photo: { over: 'photo', fields: { caption: { as: 'txt' } } } },
    'photo.caption: "as" must be left out, or "text" for a column of the type text; received "txt"',
  ],
  [
    'two types with one prefix of ids',
    { photo, account: { ...account, idPrefix: 'photo' } },
    'account: "idPrefix" must be different from the names of other types; received "photo"',
  ],
  [
    'two fields of one name',
    { photo: { over: 'photo', fields: { createdAt: true, created_at: true } } },
    'photo: the names of fields must be different; received two fields with the name created_at',
    { names: 'camel' },
  ],
]

describe('the declaration of a type over a table', () => {
  it.each(MISTAKES.map(([mistake, types, error, options = {}]) => [mistake, types, error, options] as const))(
    'rejects %s with one error',
    (_mistake, types, error, options) => {
      expect(errorsOf(types, options)).toEqual([error])
    },
  )

  it('accepts a foreign key to another table with the same keys, and any for a view', () => {
    const types = {
      photo: {
        over: 'photo',
        fields: { profile: ref('profile', 'owner_id'), known: ref('known', 'owner_id') },
      },
      profile: { over: 'profile', fields: {}, edges: { photos: back('photo', 'owner_id') } },
      known: { over: { table: 'known_account', key: 'id' }, fields: {} },
      account: { ...account, edges: { medals: back('medal', 'profile_id') } },
      medal: { over: 'medal', fields: { holder: ref('account', 'profile_id') } },
    }
    expect(errorsOf(types)).toEqual([])
  })

  it('rejects the columns of a join table in the wrong order, at both ends', () => {
    const sellers = through('likes', 'seller_id', 'seller', 'account_id')
    const types = { account: { ...account, edges: { sellers } }, seller: { over: 'seller', fields: {} } }
    expect(errorsOf(types)).toEqual([
      'account.sellers: the columns must be columns with a foreign key to the key of account, id; received seller_id, with a foreign key to seller',
      'account.sellers: the columns must be columns with a foreign key to the key of seller, id; received account_id, with a foreign key to account',
    ])
  })

  it('reports all errors at once, in the order of the declaration', () => {
    const types = {
      account: {
        over: 'account',
        where: { deletd_at: null },
        fields: { nmae: true, org: ref('organization', 'org_id') },
      },
      photo: { over: 'phto', fields: {} },
      comment: { over: 'comment', timeZone: 'Paris', fields: {}, edges: { photos: back('photo', 'id') } },
    }
    expect(errorsOf(types, { viewers: ['acount'] })).toEqual([
      'account: "where.deletd_at" must be a column of account; received "deletd_at"; did you mean deleted_at?',
      'photo: "over" must be a table of the description; received "phto"; did you mean photo?',
      TIME_ZONE_ERROR,
      'account.nmae: "column" must be a column of account; received "nmae"; did you mean name?',
      'viewers: each viewer must be a type of the schema; received "acount"; did you mean account?',
      'account.org: each target must be a type of the schema; received "organization"',
    ])
  })

  it('needs the form of times in SQLite', () => {
    const event = (fields: object) => errorsOf({ event: { over: 'event', fields } }, {}, sqlite)
    const expected = 'must be one of "unixMs", "unixSeconds", "iso", "text" for a column of the type'
    expect(event({ at: true })).toEqual([`event.at: "as" ${expected} datetime; received undefined`])
    expect(event({ day: true })).toEqual([`event.day: "as" ${expected} date; received undefined`])
    for (const as of ['unixMs', 'unixSeconds', 'iso', 'text'])
      expect(event({ at: { as }, day: { as } })).toEqual([])
  })

  it('rejects numbers as the form of times in a TEXT column of SQLite', () => {
    const note = (as: string) => errorsOf({ event: { over: 'event', fields: { note: { as } } } }, {}, sqlite)
    const expected = 'must be left out, or one of "iso", "text" for a column of the type text'
    for (const as of ['unixMs', 'unixSeconds'])
      expect(note(as)).toEqual([`event.note: "as" ${expected}; received "${as}"`])
    expect(note('iso')).toEqual([])
  })

  it('rejects arguments of other types', () => {
    expect(() => defineTables(5 as never, {})).toThrow(
      'defineTables: "db" must be a description that introspect writes; received 5',
    )
    expect(() => defineTables({ ...postgres, dialect: 'mysql' as never }, {})).toThrow(
      'defineTables: "db.dialect" must be one of "postgres", "sqlite"; received "mysql"',
    )
    expect(() => defineTables(postgres, [] as never)).toThrow(
      'defineTables: "types" must be an object with types by name; received an array of length 0',
    )
    expect(() => defineTables(postgres, {}, { name: 'camel' } as never)).toThrow(
      /options must be one of "names"/,
    )
    expect(() => defineTables(postgres, {}, { names: 'snake' } as never)).toThrow(
      'defineTables: "names" must be "camel"; received "snake"',
    )
    expect(() => back('photo', [] as never)).toThrow(
      'back: "columns" must be the name of a column, or an array of names; received an array of length 0',
    )
  })
})
