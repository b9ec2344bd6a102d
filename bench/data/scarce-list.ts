import type { Mutation } from '../../src/store/contract.ts'

/** A list of photos by many authors, of whom the viewer knows one. */
export const SCARCE = { size: 100_000, authors: 1000 }

export const VIEWER = '1'
export const ALBUM = '2'
const FIRST_AUTHOR = 1000
const FIRST_PHOTO = 1_000_000

const putNode = (id: string, type: string, fields = {}): Mutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (source: string, name: string, target: string, time: number): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

/** Every thousandth photo is by somebody whom the viewer knows. */
export function* scarceList(): Generator<Mutation> {
  yield putNode(VIEWER, 'person')
  yield putNode(ALBUM, 'album')
  for (let author = 0; author < SCARCE.authors; author++) yield putNode(`${FIRST_AUTHOR + author}`, 'person')
  yield putEdge(VIEWER, 'friends', `${FIRST_AUTHOR}`, 0)
  for (let place = 0; place < SCARCE.size; place++) {
    const id = `${FIRST_PHOTO + place}`
    yield putNode(id, 'photo', { author: `${FIRST_AUTHOR + (place % SCARCE.authors)}` })
    yield putEdge(ALBUM, 'photos', id, place)
  }
}
