import type { StoreMutation } from '../../src/store/mutations.ts'

/** A list of photos by many authors. The viewer knows one of these authors. */
export const SCARCE = { size: 100_000, authors: 1000 }

export const VIEWER = '1'
export const ALBUM = '2'
const FIRST_AUTHOR = 1000
const FIRST_PHOTO = 1_000_000

const putNode = (id: string, type: string, fields = {}): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (source: string, name: string, target: string, time: number): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

/** Generates the list. The viewer knows the author of every thousandth photo. */
export function* generateScarceList(): Generator<StoreMutation> {
  yield putNode(VIEWER, 'person')
  yield putNode(ALBUM, 'album')
  for (let author = 0; author < SCARCE.authors; author++) yield putNode(`${FIRST_AUTHOR + author}`, 'person')
  yield putEdge(VIEWER, 'friends', `${FIRST_AUTHOR}`, 0)
  for (let index = 0; index < SCARCE.size; index++) {
    const id = `${FIRST_PHOTO + index}`
    yield putNode(id, 'photo', { author: `${FIRST_AUTHOR + (index % SCARCE.authors)}` })
    yield putEdge(ALBUM, 'photos', id, index)
  }
}
