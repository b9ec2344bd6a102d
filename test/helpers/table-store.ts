import Database from 'better-sqlite3'
import type {
  EdgeCheck,
  EdgeKey,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  Store,
} from '../../src/store/contract.ts'
import type { StoreRecords } from '../../src/testing/read-only/store-records.ts'

type Person = { readonly id: number; readonly name: string }
type Photo = { readonly id: number; readonly owner: number; readonly title: string; readonly taken: number }

/** The id of a row: its key, then the digit of its table. */
const PERSON = '1'
const PHOTO = '2'
const keyOf = (id: string): bigint => BigInt(id.slice(0, -1) || '0')
const toPerson = ({ id, name }: Person): NodeRecord => ({
  id: `${id}${PERSON}`,
  type: 'person',
  fields: { name },
})
const toPhoto = ({ id, title, owner }: Photo): NodeRecord => ({
  id: `${id}${PHOTO}`,
  type: 'photo',
  fields: { title, owner: `${owner}${PERSON}` },
})

const PEOPLE: readonly Person[] = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Grace' },
  { id: 30, name: 'Barbara' },
]
/** Photos of two people. Some have equal times, and some ids have another order as text. */
const PHOTOS: readonly Photo[] = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  owner: index % 3 === 0 ? 2 : 1,
  title: `photo ${index}`,
  taken: 1000 * Math.floor(((index * 7) % 60) / 4) - 2000,
}))

/** The records of the tables. */
export const tableRecords: StoreRecords = {
  nodes: [...PEOPLE.map(toPerson), ...PHOTOS.map(toPhoto)],
  edges: PHOTOS.map(({ id, owner, taken }) => ({
    source: `${owner}${PERSON}`,
    name: 'photos',
    target: `${id}${PHOTO}`,
    time: taken,
  })),
  tokens: [],
}

const createTables = (): Database.Database => {
  const database = new Database(':memory:')
  database.exec(`
    create table people (id integer primary key, name text);
    create table photos (id integer primary key, owner integer, title text, taken integer);
    create index photos_in_order on photos (owner, taken, id)`)
  const addPerson = database.prepare('insert into people values (@id, @name)')
  const addPhoto = database.prepare('insert into photos values (@id, @owner, @title, @taken)')
  for (const person of PEOPLE) addPerson.run(person)
  for (const photo of PHOTOS) addPhoto.run(photo)
  return database
}

const prepareReads = (database: Database.Database) => {
  const findPerson = database.prepare<[bigint], Person>('select * from people where id = ?')
  const findPhoto = database.prepare<[bigint], Photo>('select * from photos where id = ?')
  const countPhotos = database.prepare<[bigint], { total: number }>(
    'select count(*) total from photos where owner = ?',
  )
  const readNode = (id: string): NodeRecord | undefined => {
    const [person, photo] = [findPerson.get(keyOf(id)), findPhoto.get(keyOf(id))]
    if (id.endsWith(PERSON)) return person && toPerson(person)
    return id.endsWith(PHOTO) && photo !== undefined ? toPhoto(photo) : undefined
  }
  const isPhotoList = ({ source, name }: Pick<EdgeKey, 'source' | 'name'>): boolean =>
    name === 'photos' && source.endsWith(PERSON)
  const readCheck = ({ source, name, target, data }: EdgeCheck): boolean | EdgeRecord => {
    const photo = target.endsWith(PHOTO) ? findPhoto.get(keyOf(target)) : undefined
    if (name !== 'photos' || photo === undefined || `${photo.owner}${PERSON}` !== source) return false
    return data !== true || { source, name, target, time: photo.taken }
  }
  const readTotal = (range: EdgeRange): number =>
    isPhotoList(range) ? (countPhotos.get(keyOf(range.source))?.total ?? 0) : 0
  return { readNode, readCheck, readTotal, isPhotoList }
}

const prepareRange = (database: Database.Database, operator: '<' | '>', order: 'asc' | 'desc') =>
  database.prepare<(number | bigint)[], Photo>(
    `select * from photos where owner = ? and taken between ? and ? and (taken, id * 10 + ${PHOTO}) ${operator} (?, ?)
    order by taken ${order}, id ${order} limit ?`,
  )

/** Creates a store over the tables of an application. Its `write` throws. */
export const createTableStore = (): Store => {
  const database = createTables()
  const { readNode, readCheck, readTotal, isPhotoList } = prepareReads(database)
  const selectRange = {
    newest: prepareRange(database, '<', 'desc'),
    oldest: prepareRange(database, '>', 'asc'),
  }
  const readRange = (range: EdgeRange): RangeResult => {
    const { source, direction, from, minTime = -8.64e15, maxTime = 8.64e15, limit, count } = range
    const owner = isPhotoList(range) ? keyOf(source) : 0n
    const start = from ?? { time: direction === 'newest' ? 9e15 : -9e15, target: '0' }
    const rows = selectRange[direction].all(
      owner,
      minTime,
      maxTime,
      start.time,
      BigInt(start.target),
      limit + 1,
    )
    const entries = rows.slice(0, limit).map(photo => {
      const photoNode = toPhoto(photo)
      return { target: photoNode.id, time: photo.taken, data: undefined, node: photoNode }
    })
    const last = entries.at(-1)
    return {
      entries,
      hasMore: limit > 0 && rows.length > limit,
      lastExamined: last && { time: last.time, target: last.target },
      total: count ? readTotal(range) : undefined,
    }
  }
  return {
    capabilities: {
      snapshots: false,
      durable: true,
      shared: true,
      atomicity: 'batch',
      conditionalWrites: false,
      collections: false,
    },
    open: () => undefined,
    close: () => void database.close(),
    read: ({ nodes, ranges, checks, tokens }) => ({
      nodes: nodes.map(readNode),
      ranges: ranges.map(readRange),
      checks: checks.map(readCheck),
      tokens: tokens.map(() => undefined),
    }),
    write: () => {
      throw new Error('Write to the tables instead')
    },
    snapshot: () => {
      throw new Error('This store has no snapshots')
    },
  }
}
