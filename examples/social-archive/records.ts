import { readTables } from './tables.ts'

type Cells = readonly (string | undefined)[]
type ToId = (id: string | undefined) => string

/**
 * Creates a function that adds a leading digit to ids. In the archive, ids are unique only within a kind. The
 * digit does not change the order of ids.
 */
const createIdMapper =
  (digit: number): ToId =>
  id => {
    if (id === undefined || !/^\d{1,18}$/.test(id)) throw new Error(`Expected an id; received ${id}`)
    return `${digit}${id}`
  }

const personId = createIdMapper(1)
const groupId = createIdMapper(2)
const placeId = createIdMapper(3)
/** Posts and comments share one range of ids in the archive. */
const messageId = createIdMapper(4)

/** Parses `19891203` as 1989-12-03. */
const toDay = (text = ''): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`

/** Parses `20100214153210447` as 2010-02-14T15:32:10.447Z. */
const toTime = (text = ''): string =>
  `${toDay(text)}T${text.slice(8, 10)}:${text.slice(10, 12)}:${text.slice(12, 14)}.${text.slice(14)}Z`

const node = <const TType extends string, TFields>(type: TType, id: string, fields: TFields) => ({
  node: { type, id, fields },
})

const NODES = {
  Person: ([id, first_name = '', last_name = '', gender, birthday, created, location_ip, browser]: Cells) =>
    node('person', personId(id), {
      first_name,
      last_name,
      gender,
      birthday: toDay(birthday),
      created_time: toTime(created),
      location_ip,
      browser,
    }),
  Forum: ([id, title = '', created]: Cells) =>
    node('group', groupId(id), { title, created_time: toTime(created) }),
  Place: ([id, name = '', , kind]: Cells) => node('place', placeId(id), { name, kind }),
  Post_hasCreator_Person: ([id, from]: Cells) => node('post', messageId(id), { from: personId(from) }),
  Comment_hasCreator_Person: ([id, from]: Cells) => node('comment', messageId(id), { from: personId(from) }),
}

/**
 * The time of edges without a date. Edges with equal times are sorted by id. Newer messages have larger ids,
 * so the order is correct.
 */
const UNDATED = 0

const edge =
  <const TName extends string>(name: TName, sourceId: ToId, targetId: ToId) =>
  ([source, target, created]: Cells) => ({
    edge: {
      source: sourceId(source),
      name,
      target: targetId(target),
      time: created === undefined ? UNDATED : toTime(created),
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
 * Reads an archive as records to load. It reads the archive twice: first the nodes, and then the edges. So
 * the edges do not have to stay in memory.
 */
export async function* readRecords(path: string, onEvent: (bytesRead: number) => void = () => {}) {
  let before = 0
  for (const tables of [NODES, EDGES]) {
    const toRecords = new Map(Object.entries(tables))
    let read = 0
    for await (const { table, rows, bytesRead } of readTables(path, [...toRecords.keys()])) {
      const toRecord = toRecords.get(table)
      if (toRecord) for (const cells of rows) yield toRecord(cells)
      read = bytesRead
      onEvent(before + read)
    }
    before += read
  }
}

/** The number of times that {@link readRecords} reads the archive. */
export const PASSES = 2

/** Reads the ids of the people, in the archive's order. */
export async function* readPersonIds(path: string): AsyncGenerator<string> {
  for await (const { rows } of readTables(path, ['Person'])) {
    for (const [id] of rows) yield personId(id)
  }
}
