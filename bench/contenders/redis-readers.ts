import type { Redis } from 'ioredis'
import { fromMember, Keys } from '../../src/stores/redis/keys.ts'
import type { KeyReader } from './key-reader.ts'
import { type FoundComment, type FoundPhoto, type Listed, photosAnswer, TAKEN } from './photos-answer.ts'
import { viewerOf } from './token-keys.ts'

const keys = new Keys('kithgraph:')

type Fields = { readonly name: string; readonly from: string }

const fieldsIn = (text: string | null | undefined): Fields => {
  const [, fields]: [string, Fields] = JSON.parse(text ?? '["",{}]')
  return fields
}

/** Members and times in turn, as `WITHSCORES` has them. */
const listedIn = (cells: readonly string[]): Listed[] => {
  const listed: Listed[] = []
  for (let at = 0; at < cells.length; at += 2)
    listed.push({ id: fromMember(cells[at] ?? ''), time: Number(cells[at + 1]) })
  return listed
}

const viewerBy = async (redis: Redis, key: string): Promise<string> =>
  viewerOf((await redis.get(keys.token(key))) ?? undefined)

const photosOf = async (redis: Redis, viewer: string): Promise<Listed[]> =>
  listedIn(await redis.zrevrange(keys.list(viewer, 'photos'), 0, TAKEN.photos - 1, 'WITHSCORES'))

/** A command for each record and each list, one after another. */
export const createPointReader = (redis: Redis): KeyReader => {
  const fieldsOf = async (id: string): Promise<Fields> => fieldsIn(await redis.get(keys.node(id)))
  return async key => {
    const viewer = await viewerBy(redis, key)
    await fieldsOf(viewer)
    const photos: FoundPhoto[] = []
    for (const photo of await photosOf(redis, viewer)) {
      await fieldsOf(photo.id)
      const comments: FoundComment[] = []
      const list = keys.list(photo.id, 'comments')
      for (const comment of listedIn(await redis.zrange(list, 0, TAKEN.comments - 1, 'WITHSCORES'))) {
        const { from } = await fieldsOf(comment.id)
        const { name } = await fieldsOf(from)
        comments.push({ ...comment, from: { name, id: from } })
      }
      photos.push({ ...photo, comments })
    }
    return photosAnswer(viewer, photos)
  }
}

/** A pipeline for each level's lists and one for its records, and one for the token. */
export const createLevelReader = (redis: Redis): KeyReader => {
  const fieldsOf = async (ids: readonly string[]): Promise<Map<string, Fields>> => {
    const texts = ids.length === 0 ? [] : await redis.mget(ids.map(id => keys.node(id)))
    return new Map(ids.map((id, index) => [id, fieldsIn(texts[index])]))
  }
  const commentsOf = async (photos: readonly Listed[]): Promise<Listed[][]> => {
    const pipeline = redis.pipeline()
    for (const { id } of photos)
      pipeline.zrange(keys.list(id, 'comments'), 0, TAKEN.comments - 1, 'WITHSCORES')
    const replies = (await pipeline.exec()) ?? []
    return replies.map(([, cells]) => listedIn(Array.isArray(cells) ? cells : []))
  }
  return async key => {
    const viewer = await viewerBy(redis, key)
    await fieldsOf([viewer])
    const photos = await photosOf(redis, viewer)
    await fieldsOf(photos.map(({ id }) => id))
    const lists = await commentsOf(photos)
    const said = await fieldsOf(lists.flat().map(({ id }) => id))
    const people = await fieldsOf([...new Set([...said.values()].map(({ from }) => from))])
    const whole = ({ id, time }: Listed): FoundComment => {
      const from = said.get(id)?.from ?? ''
      return { id, time, from: { name: people.get(from)?.name ?? '', id: from } }
    }
    return photosAnswer(
      viewer,
      photos.map((photo, index) => ({ ...photo, comments: (lists[index] ?? []).map(whole) })),
    )
  }
}
