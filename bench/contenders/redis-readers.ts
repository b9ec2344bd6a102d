import type { Redis } from 'ioredis'
import { parseMember } from '../../src/stores/redis/encoding.ts'
import { RedisKeys } from '../../src/stores/redis/redis-keys.ts'
import {
  type FoundComment,
  type FoundPhoto,
  formatPhotos,
  type Listed,
  READ_LIMITS,
} from './format-photos.ts'
import type { KeyReader } from './key-reader.ts'
import { parseViewer } from './token-keys.ts'

const keys = new RedisKeys('kithgraph:')

type Fields = { readonly name: string; readonly from: string }

const parseFields = (text: string | null | undefined): Fields => {
  const [, fields]: [string, Fields] = JSON.parse(text ?? '["",{}]')
  return fields
}

/** Parses the alternating members and times of a `WITHSCORES` reply. */
const parseListed = (cells: readonly string[]): Listed[] => {
  const listed: Listed[] = []
  for (let at = 0; at < cells.length; at += 2)
    listed.push({ id: parseMember(cells[at] ?? ''), time: Number(cells[at + 1]) })
  return listed
}

const viewerBy = async (redis: Redis, key: string): Promise<string> =>
  parseViewer((await redis.get(keys.token(key))) ?? undefined)

const photosOf = async (redis: Redis, viewer: string): Promise<Listed[]> =>
  parseListed(await redis.zrevrange(keys.list(viewer, 'photos'), 0, READ_LIMITS.photos - 1, 'WITHSCORES'))

/** Reads with one command for each record and each list, one after another. */
export const createPointReader = (redis: Redis): KeyReader => {
  const fieldsOf = async (id: string): Promise<Fields> => parseFields(await redis.get(keys.node(id)))
  return async key => {
    const viewer = await viewerBy(redis, key)
    await fieldsOf(viewer)
    const photos: FoundPhoto[] = []
    for (const photo of await photosOf(redis, viewer)) {
      await fieldsOf(photo.id)
      const comments: FoundComment[] = []
      const list = keys.list(photo.id, 'comments')
      for (const comment of parseListed(
        await redis.zrange(list, 0, READ_LIMITS.comments - 1, 'WITHSCORES'),
      )) {
        const { from } = await fieldsOf(comment.id)
        const { name } = await fieldsOf(from)
        comments.push({ ...comment, from: { name, id: from } })
      }
      photos.push({ ...photo, comments })
    }
    return formatPhotos(viewer, photos)
  }
}

/** Reads with two pipelines per level (one for lists, one for records), and one pipeline for the token. */
export const createLevelReader = (redis: Redis): KeyReader => {
  const fieldsOf = async (ids: readonly string[]): Promise<Map<string, Fields>> => {
    const texts = ids.length === 0 ? [] : await redis.mget(ids.map(id => keys.node(id)))
    return new Map(ids.map((id, index) => [id, parseFields(texts[index])]))
  }
  const commentsOf = async (photos: readonly Listed[]): Promise<Listed[][]> => {
    const pipeline = redis.pipeline()
    for (const { id } of photos)
      pipeline.zrange(keys.list(id, 'comments'), 0, READ_LIMITS.comments - 1, 'WITHSCORES')
    const replies = (await pipeline.exec()) ?? []
    return replies.map(([, cells]) => parseListed(Array.isArray(cells) ? cells : []))
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
    return formatPhotos(
      viewer,
      photos.map((photo, index) => ({ ...photo, comments: (lists[index] ?? []).map(whole) })),
    )
  }
}
