import { readTables } from './tables.ts'

type Cells = readonly (string | undefined)[]
type ToId = (id: string | undefined) => string

/** Ids are unique within a kind alone: a digit in front makes them so among all, and keeps their order. */
const idOf =
  (digit: number): ToId =>
  id => {
    if (id === undefined || !/^\d{1,18}$/.test(id)) throw new Error(`Expected an id, came ${id}`)
    return `${digit}${id}`
  }

const personId = idOf(1)
const groupId = idOf(2)
const placeId = idOf(3)
/** Posts and comments share their ids. */
const messageId = idOf(4)

/** `19891203` stands for 1989-12-03. */
const dayOf = (text = ''): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`

/** `20100214153210447` stands for 2010-02-14T15:32:10.447Z. */
const timeOf = (text = ''): string =>
  `${dayOf(text)}T${text.slice(8, 10)}:${text.slice(10, 12)}:${text.slice(12, 14)}.${text.slice(14)}Z`

const node = <const TType extends string, TFields>(type: TType, id: string, fields: TFields) => ({
  node: { type, id, fields },
})

const NODES = {
  Person: ([id, first_name = '', last_name = '', gender, birthday, created, location_ip, browser]: Cells) =>
    node('person', personId(id), {
      first_name,
      last_name,
      gender,
      birthday: dayOf(birthday),
      created_time: timeOf(created),
      location_ip,
      browser,
    }),
  Forum: ([id, title = '', created]: Cells) =>
    node('group', groupId(id), { title, created_time: timeOf(created) }),
  Place: ([id, name = '', , kind]: Cells) => node('place', placeId(id), { name, kind }),
  Post_hasCreator_Person: ([id, from]: Cells) => node('post', messageId(id), { from: personId(from) }),
  Comment_hasCreator_Person: ([id, from]: Cells) => node('comment', messageId(id), { from: personId(from) }),
}

/** Few edges have a date. At one and the same time edges go by id, and the ids of messages grow with time. */
const UNDATED = 0

const edge =
  <const TName extends string>(name: TName, sourceId: ToId, targetId: ToId) =>
  ([source, target, created]: Cells) => ({
    edge: {
      source: sourceId(source),
      name,
      target: targetId(target),
      time: created === undefined ? UNDATED : timeOf(created),
    },
  })

const messages = edge('messages', personId, messageId)
const parent = edge('parent', messageId, messageId)
const likes = edge('likes', personId, messageId)

const EDGES = {
  Person_isLocatedIn_Place: edge('city', personId, placeId),
  Person_knows_Person: edge('friends', personId, personId),
  Forum_hasModerator_Person: edge('moderator', groupId, personId),
  Forum_containerOf_Post: edge('posts', groupId, messageId),
  Post_hasCreator_Person: ([post, person]: Cells) => messages([person, post]),
  Comment_hasCreator_Person: ([comment, person]: Cells) => messages([person, comment]),
  Comment_replyOf_Post: parent,
  Comment_replyOf_Comment: parent,
  Person_likes_Post: likes,
  Person_likes_Comment: likes,
}

/**
 * Reads an archive as what a load takes. It is read twice, first for the nodes and then for the edges between them:
 * that takes less than keeping what comes too early.
 */
export async function* archiveRecords(path: string, onRead: (bytesRead: number) => void = () => {}) {
  let before = 0
  for (const tables of [NODES, EDGES]) {
    const toRecords = new Map(Object.entries(tables))
    let read = 0
    for await (const { table, rows, bytesRead } of readTables(path, [...toRecords.keys()])) {
      const toRecord = toRecords.get(table)
      if (toRecord) for (const cells of rows) yield toRecord(cells)
      read = bytesRead
      onRead(before + read)
    }
    before += read
  }
}

/** The passes that {@link archiveRecords} makes over the archive. */
export const PASSES = 2

/** The ids of the people, in the archive's order. */
export async function* personIds(path: string): AsyncGenerator<string> {
  for await (const { rows } of readTables(path, ['Person'])) {
    for (const [id] of rows) yield personId(id)
  }
}
