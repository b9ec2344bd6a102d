import type { Comment, Photo, SocialData } from '../data/social-data.ts'
import { WIDE, WIDTH } from '../data/wide.ts'
import { createGraphReader, createSocialStore } from './graph.ts'
import { createMaps } from './maps.ts'
import { createPageWriter } from './pages-by-hand.ts'

/** Runs the wide read for a viewer. */
export type WideReader = readonly [name: string, read: (viewer: string) => unknown]

/** Our implementation. */
export const createWideGraph = async (data: SocialData): Promise<WideReader> => {
  const { name, graph, tokenOf } = await createGraphReader(
    'kithgraph',
    await createSocialStore(data),
    data.viewers,
  )
  return [name, viewer => graph.getMe(tokenOf(viewer), { fields: WIDE })]
}

/** Hand-written code over Maps for exactly this read. */
export const createWideMaps = (data: SocialData): WideReader => {
  const { photosOf, commentsOf } = createMaps(data)
  const writePhotos = createPageWriter('photos', 'reverse_chronological')
  const writeComments = createPageWriter('comments', 'chronological')
  const commentsQuery = `fields=message&limit=${WIDTH}`
  const photosQuery = `fields=${encodeURIComponent(WIDE.slice(WIDE.indexOf('{') + 1, -1))}&limit=${WIDTH}`
  const formatComment = ({ message, id }: Comment) => ({ message, id })
  const endsOf = <TItem extends Photo | Comment>(page: readonly TItem[]) => {
    const positionOf = (item: TItem | undefined) => item && { target: item.id, time: item.time }
    return { first: positionOf(page[0]), last: positionOf(page.at(-1)) }
  }
  const commentsOn = (photo: string) => {
    const comments = commentsOf.get(photo) ?? []
    const page = comments.slice(0, WIDTH)
    const hasMore = comments.length > WIDTH
    const data = page.map(formatComment)
    return writeComments({ source: photo, data, ...endsOf(page), hasMore, query: commentsQuery })
  }
  const formatPhoto = ({ name, id }: Photo) => ({ name, comments: commentsOn(id), id })
  return [
    'hand-written code over Maps',
    viewer => {
      const photos = photosOf.get(viewer) ?? []
      const page = photos.slice(0, WIDTH)
      const hasMore = photos.length > WIDTH
      const data = page.map(formatPhoto)
      return {
        photos: writePhotos({ source: viewer, data, ...endsOf(page), hasMore, query: photosQuery }),
        id: viewer,
      }
    },
  ]
}
