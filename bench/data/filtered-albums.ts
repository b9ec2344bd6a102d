import type { StoreMutation } from '../../src/store/mutations.ts'
import { createRandom } from './random.ts'

/** The parameters of the albums. The same parameters create the same albums. */
export const ALBUMS = { seed: 1, albums: 100, photos: 400, authors: 1000, share: 0.25 }

const START = Date.UTC(2014, 0)
const SECOND = 1000
const AUTHOR_IDS = 100_000_000_000
const ALBUM_IDS = 200_000_000_000
const PHOTO_IDS = 300_000_000_000

export const VIEWER = '1'

const ids = (count: number, first: number): string[] =>
  Array.from({ length: count }, (_, index) => `${first + index}`)

const putNode = (id: string, type: string, author?: string): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields: author === undefined ? {} : { author } },
})

const putEdge = (source: string, name: string, target: string, time: number): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

/**
 * Creates two sets of albums. The first set has all photos. The second set has only the photos that the
 * viewer may see: one of four, because the viewer knows one of four authors. The pages of both sets must have
 * the same bytes.
 */
export const createFilteredAlbums = () => {
  const random = createRandom(ALBUMS.seed)
  const authors = ids(ALBUMS.authors, AUTHOR_IDS)
  const known = new Set(authors.filter(() => random() < ALBUMS.share))
  const albums = ids(ALBUMS.albums, ALBUM_IDS)
  const photos = ids(ALBUMS.albums * ALBUMS.photos, PHOTO_IDS).map((id, index) => ({
    id,
    album: albums[Math.floor(index / ALBUMS.photos)] ?? '',
    author: authors[Math.floor(random() * ALBUMS.authors)] ?? '',
    time: START - index * SECOND,
  }))
  const people = [VIEWER, ...authors].map(id => putNode(id, 'person'))
  const friends = [...known].map(id => putEdge(VIEWER, 'friends', id, START))
  const withPhotos = (shown: typeof photos): StoreMutation[] => [
    ...people,
    ...friends,
    ...albums.map(id => putNode(id, 'album')),
    ...shown.flatMap(({ id, album, author, time }) => [
      putNode(id, 'photo', author),
      putEdge(album, 'photos', id, time),
    ]),
  ]
  return {
    albums,
    all: withPhotos(photos),
    visible: withPhotos(photos.filter(({ author }) => known.has(author))),
  }
}
