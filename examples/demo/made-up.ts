import { comments, pages, photos, posts } from './content.ts'
import { findId } from './novel.ts'

const BEFORE = '1832-01-01'

const putEdge = <const TName extends string>(source: string, name: TName, target: string, time: string) => ({
  edge: { source, name, target, time },
})

const createLikes = (id: string, fans: readonly string[], time: string) =>
  fans.map(fan => putEdge(id, 'likes', findId(fan), time))

function* pageRecords() {
  for (const { id, fans, ...fields } of pages) {
    yield { node: { type: 'page' as const, id, fields } }
    yield* createLikes(id, fans, BEFORE)
  }
  yield putEdge(findId('Enjolras'), 'accounts', '3001', BEFORE)
}

function* postRecords() {
  for (const { id, from, to, time, message, fans } of posts) {
    const author = findId(from)
    yield { node: { type: 'post' as const, id, fields: { created_time: time, message, from: author, to } } }
    yield putEdge(author, 'posts', id, time)
    yield putEdge(to ?? author, 'feed', id, time)
    yield* createLikes(id, fans, time)
  }
}

function* photoRecords() {
  for (const { id, from, time, name, fans } of photos) {
    yield { node: { type: 'photo' as const, id, fields: { created_time: time, name, from: findId(from) } } }
    yield putEdge(findId(from), 'photos', id, time)
    yield* createLikes(id, fans, time)
  }
}

function* commentRecords() {
  for (const { id, from, on, time, message } of comments) {
    const fields = { created_time: time, message, from: findId(from), parent: on }
    yield { node: { type: 'comment' as const, id, fields } }
    yield putEdge(on, 'comments', id, time)
  }
}

/** Yields the invented content as records to load after the records of the novel. */
export function* madeUpRecords() {
  yield* pageRecords()
  yield* postRecords()
  yield* photoRecords()
  yield* commentRecords()
}
