import type { Comment, Photo, SocialData } from '../data/social-data.ts'
import { WIDE, WIDTH } from '../data/wide.ts'
import { createGraphReader, createSocialStore } from './graph.ts'
import { createMaps } from './maps.ts'
import { createPageWriter } from './pages-by-hand.ts'

/** Answers the wide read for a viewer. */
export type WideReader = readonly [name: string, read: (viewer: string) => unknown]

/** Ours. */
export const createWideGraph = async (data: SocialData): Promise<WideReader> => {
  const { name, graph, tokenOf } = await createGraphReader(
    'kithgraph',
    await createSocialStore(data),
    data.viewers,
  )
  return [name, viewer => graph.getMe(tokenOf(viewer), { fields: WIDE })]
}

/** Hand-written code over Maps for this read and no other. */
export const createWideMaps = (data: SocialData): WideReader => {
  const { photosOf, commentsOf } = createMaps(data)
  const writePhotos = createPageWriter('photos', 'reverse_chronological')
  const writeComments = createPageWriter('comments', 'chronological')
  const commentsQuery = `fields=message&limit=${WIDTH}`
  const photosQuery = `fields=${encodeURIComponent(WIDE.slice(WIDE.indexOf('{') + 1, -1))}&limit=${WIDTH}`
  const answerComment = ({ message, id }: Comment) => ({ message, id })
  const endsOf = <TItem extends Photo | Comment>(page: readonly TItem[]) => {
    const positionOf = (item: TItem | undefined) => item && { target: item.id, time: item.time }
    return { first: positionOf(page[0]), last: positionOf(page.at(-1)) }
  }
  const commentsOn = (photo: string) => {
    const comments = commentsOf.get(photo) ?? []
    const page = comments.slice(0, WIDTH)
    const more = comments.length > WIDTH
    const data = page.map(answerComment)
    return writeComments({ source: photo, data, ...endsOf(page), more, query: commentsQuery })
  }
  const answerPhoto = ({ name, id }: Photo) => ({ name, comments: commentsOn(id), id })
  return [
    'by hand over Maps',
    viewer => {
      const photos = photosOf.get(viewer) ?? []
      const page = photos.slice(0, WIDTH)
      const more = photos.length > WIDTH
      const data = page.map(answerPhoto)
      return {
        photos: writePhotos({ source: viewer, data, ...endsOf(page), more, query: photosQuery }),
        id: viewer,
      }
    },
  ]
}
