import { comments, pages, photos, posts } from './content.ts'
import { idOf } from './novel.ts'

const BEFORE = '1832-01-01'

const putEdge = <const TName extends string>(source: string, name: TName, target: string, time: string) => ({
  edge: { source, name, target, time },
})

const likesOf = (id: string, fans: readonly string[], time: string) =>
  fans.map(fan => putEdge(id, 'likes', idOf(fan), time))

function* pageRecords() {
  for (const { id, fans, ...fields } of pages) {
    yield { node: { type: 'page' as const, id, fields } }
    yield* likesOf(id, fans, BEFORE)
  }
  yield putEdge(idOf('Enjolras'), 'accounts', '3001', BEFORE)
}

function* postRecords() {
  for (const { id, from, to, time, message, fans } of posts) {
    const author = idOf(from)
    yield { node: { type: 'post' as const, id, fields: { created_time: time, message, from: author, to } } }
    yield putEdge(author, 'posts', id, time)
    yield putEdge(to ?? author, 'feed', id, time)
    yield* likesOf(id, fans, time)
  }
}

function* photoRecords() {
  for (const { id, from, time, name, fans } of photos) {
    yield { node: { type: 'photo' as const, id, fields: { created_time: time, name, from: idOf(from) } } }
    yield putEdge(idOf(from), 'photos', id, time)
    yield* likesOf(id, fans, time)
  }
}

function* commentRecords() {
  for (const { id, from, on, time, message } of comments) {
    const fields = { created_time: time, message, from: idOf(from), parent: on }
    yield { node: { type: 'comment' as const, id, fields } }
    yield putEdge(on, 'comments', id, time)
  }
}

/** What the demo makes up, as records to load after those of the novel. */
export function* madeUpRecords() {
  yield* pageRecords()
  yield* postRecords()
  yield* photoRecords()
  yield* commentRecords()
}
