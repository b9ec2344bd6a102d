import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createGraph } from 'kithgraph'
import { createSqliteStore } from 'kithgraph/sqlite'
import { cursorHead, encodeCursor } from '../../src/execute/cursor.ts'
import type { Mutation } from '../../src/store/contract.ts'
import { inTurn } from '../contenders/social-readers.ts'
import { PHOTOS } from '../data/expressions.ts'
import { createSocialData, READ, type SocialData } from '../data/social-data.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

type Person = { readonly name: string; readonly id: string }
type Listed = { readonly id: string; readonly time: number }
type Comment = Listed & { readonly from: Person | undefined }
type Photo = Listed & { readonly comments: readonly Comment[] }

const BATCH = 1000

function* mutationsOf({ people, photos, comments }: SocialData): Generator<Mutation> {
  for (const { id, name } of people) yield { op: 'putNode', node: { id, type: 'user', fields: { name } } }
  for (const { id, owner, name, time } of photos) {
    yield { op: 'putNode', node: { id, type: 'photo', fields: { created_time: time, name, from: owner } } }
    yield { op: 'putEdge', edge: { source: owner, name: 'photos', target: id, time } }
  }
  for (const { id, photo, from, message, time } of comments) {
    yield { op: 'putNode', node: { id, type: 'comment', fields: { created_time: time, message, from } } }
    yield { op: 'putEdge', edge: { source: photo, name: 'comments', target: id, time } }
  }
}

const fill = (path: string, data: SocialData): void => {
  const database = new Database(path)
  const store = createSqliteStore(database)
  store.open()
  let batch: Mutation[] = []
  for (const mutation of mutationsOf(data)) {
    batch.push(mutation)
    if (batch.length < BATCH) continue
    store.write(batch)
    batch = []
  }
  store.write(batch)
  database.close()
}

const HEADS = {
  photos: cursorHead('photos', 'reverse_chronological'),
  comments: cursorHead('comments', 'chronological'),
}
const COMMENTS = `comments.limit(${READ.comments})`
const QUERIES = {
  photos: `fields=${encodeURIComponent(`${COMMENTS}{from}`)}&limit=${READ.photos}&after=`,
  comments: `fields=from&limit=${READ.comments}&after=`,
}

/** A page of a list that was read one entry too far, with cursors and links as the graph's are. */
const pageOf = <TItem extends Listed>(
  source: string,
  edge: 'photos' | 'comments',
  items: readonly TItem[],
  answer: (item: TItem) => object,
): object => {
  const page = items.length > READ[edge] ? items.slice(0, READ[edge]) : items
  const [first, last] = [page[0], page.at(-1)]
  const data = page.map(answer)
  if (first === undefined || last === undefined) return { data }
  const cursorOf = ({ time, id }: Listed) => encodeCursor(HEADS[edge], { time, target: id })
  const cursors = { before: cursorOf(first), after: cursorOf(last) }
  const next = `/${source}/${edge}?${QUERIES[edge]}${cursors.after}`
  return { data, paging: items.length > page.length ? { cursors, next } : { cursors } }
}

const answerOf = (viewer: string, photos: readonly Photo[]): object => ({
  photos: pageOf(viewer, 'photos', photos, ({ id, comments }) => ({
    comments: pageOf(id, 'comments', comments, ({ from, id }) => ({ from, id })),
    id,
  })),
  id: viewer,
})

const NAME = (name: string): string => `(select id from names where text = '"${name}"')`

/** A statement for each record and each list, as one writes it first. */
const createPointReader = (path: string) => {
  const database = new Database(path)
  const listOf = (edge: 'photos' | 'comments', order: 'asc' | 'desc') =>
    database.prepare<[string], { id: string; time: number }>(
      `select cast(target as text) id, time from edges where source = ? and name = ${NAME(edge)}
       order by time ${order}, target ${order} limit ${READ[edge] + 1}`,
    )
  const photosOf = listOf('photos', 'desc')
  const commentsOf = listOf('comments', 'asc')
  const fields = database.prepare<[string], { fields: string }>('select fields from nodes where id = ?')
  const fieldsOf = (id: string): { name: string; from: string } => JSON.parse(fields.get(id)?.fields ?? '{}')
  const personOf = (id: string): Person => ({ name: fieldsOf(id).name, id })
  const commentOf = ({ id, time }: Listed): Comment => ({ id, time, from: personOf(fieldsOf(id).from) })
  const photoOf = ({ id, time }: Listed): Photo => {
    fieldsOf(id)
    return { id, time, comments: commentsOf.all(id).map(commentOf) }
  }
  return (viewer: string): object => {
    personOf(viewer)
    return answerOf(viewer, photosOf.all(viewer).map(photoOf))
  }
}

/** One statement for all of it, which answers JSON of nothing but what is asked. */
const createOneStatementReader = (path: string) => {
  const database = new Database(path)
  const comments = `
    select '{"id":"' || e.target || '","time":' || e.time || ',"from":{"name":' || (p.fields -> 'name')
      || ',"id":"' || p.id || '"}}' as item
    from edges e cross join nodes c on c.id = e.target cross join nodes p on p.id = (c.fields ->> 'from')
    where e.source = photo.target and e.name = ${NAME('comments')}
    order by e.time, e.target limit ${READ.comments + 1}`
  const read = database.prepare<[string], { answer: string }>(`
    select group_concat('{"id":"' || target || '","time":' || time || ',"comments":['
      || coalesce((select group_concat(item) from (${comments})), '') || ']}') as answer
    from (
      select target, time from edges where source = ? and name = ${NAME('photos')}
      order by time desc, target desc limit ${READ.photos + 1}
    ) photo`)
  return (viewer: string): object => answerOf(viewer, JSON.parse(`[${read.get(viewer)?.answer ?? ''}]`))
}

/** One statement a level, which answers JSON of nothing but what is asked. */
const createLevelReader = (path: string) => {
  const database = new Database(path)
  const photosOf = database.prepare<[string], { answer: string }>(`
    select group_concat('{"id":"' || target || '","time":' || time || '}') as answer from (
      select target, time from edges where source = ? and name = ${NAME('photos')}
      order by time desc, target desc limit ${READ.photos + 1}
    )`)
  const commentsOf = database.prepare<[string], { answer: string }>(`
    select group_concat('[' || coalesce((select group_concat(item) from (
      select '{"id":"' || e.target || '","time":' || e.time || ',"fields":' || c.fields || '}' as item
      from edges e cross join nodes c on c.id = e.target
      where e.source = photo.value and e.name = ${NAME('comments')}
      order by e.time, e.target limit ${READ.comments + 1}
    )), '') || ']') as answer
    from json_each(?) photo`)
  const peopleOf = database.prepare<[string], { answer: string }>(`
    select group_concat('{"id":"' || id || '","fields":' || fields || '}') as answer from nodes
    where id in (select value from json_each(?))`)
  const items = (row: { answer: string } | undefined) => JSON.parse(`[${row?.answer ?? ''}]`)
  const begin = database.prepare('begin')
  const commit = database.prepare('commit')
  type Commented = Listed & { fields: { from: string } }
  return (viewer: string): object => {
    begin.run()
    const photos: Listed[] = items(photosOf.get(viewer))
    const pages = photos.slice(0, READ.photos)
    const lists: Commented[][] = items(commentsOf.get(`[${pages.map(({ id }) => id).join()}]`))
    const froms = new Set(
      lists.flatMap(list => list.slice(0, READ.comments).map(({ fields }) => fields.from)),
    )
    const found: { id: string; fields: { name: string } }[] = items(peopleOf.get(`[${[...froms].join()}]`))
    commit.run()
    const people = new Map(found.map(({ id, fields: { name } }) => [id, { name, id }]))
    const whole = photos.map(({ id, time }, index) => ({
      id,
      time,
      comments: (lists[index] ?? []).map(({ id, time, fields }) => ({
        id,
        time,
        from: people.get(fields.from),
      })),
    }))
    return answerOf(viewer, whole)
  }
}

/** Our graph over the file, each read with the viewer's own token. */
const createGraphReader = async (path: string, viewers: readonly string[]) => {
  const { getMe, tokens } = createGraph(createSqliteStore(new Database(path)))
  const issued = new Map<string, string>()
  for (const viewer of viewers)
    issued.set(viewer, await tokens.issue({ viewer, app: 'bench', scopes: ['user_photos'] }))
  return (viewer: string) => getMe(issued.get(viewer) ?? '', { fields: PHOTOS })
}

export const createSqliteRow = (): Row => ({
  name: 'sqlite',
  title: '71 nodes in 4 levels from a SQLite file',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'kithgraph-bench-'))
    try {
      const path = join(folder, 'graph.db')
      const data = createSocialData()
      fill(path, data)
      const { viewers } = data
      const ours = ['kithgraph over SQLite', await createGraphReader(path, viewers)] as const
      const points = ['point reads by hand', createPointReader(path)] as const
      const statement = ['one statement by hand', createOneStatementReader(path)] as const
      const levels = ['a statement a level by hand', createLevelReader(path)] as const
      for (const other of [points, statement, levels]) await assertSameAnswers(viewers, ours, other, 'bytes')
      return await compare(inTurn(viewers, ...ours), [
        { ...inTurn(viewers, ...points), bar: { atMost: 0.6 } },
        { ...inTurn(viewers, ...statement), bar: { atMost: 1.1 } },
        { ...inTurn(viewers, ...levels), bar: { atMost: 1.1 } },
      ])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
