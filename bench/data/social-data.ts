import { createRandom } from './random.ts'

export type Person = { readonly id: string; readonly name: string }
/** A photo. `time` is milliseconds since the epoch. */
export type Photo = {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly time: number
}
export type Comment = {
  readonly id: string
  readonly photo: string
  readonly from: string
  readonly message: string
  readonly time: number
}

/** A social graph as plain data, which fills our store and the Maps of the other readers. */
export type SocialData = {
  readonly people: readonly Person[]
  readonly photos: readonly Photo[]
  readonly comments: readonly Comment[]
  /** People with at least ten photos with three comments each, so that the query returns 71 nodes. */
  readonly viewers: readonly string[]
}

/** The parameters of a graph. The same parameters create the same graph. */
export const SOCIAL = {
  seed: 1,
  people: 10_000,
  mostPhotos: 20,
  leastComments: 2,
  mostComments: 6,
  viewers: 64,
}

/** The page sizes of the read. Every viewer has enough photos and comments to fill the pages. */
export const READ = { photos: 10, comments: 3 }

const START = Date.UTC(2014, 0)
const YEAR = 365 * 24 * 3600 * 1000
const DAY = 24 * 3600 * 1000
const PERSON_IDS = 100_000_000_000_000
const PHOTO_IDS = 200_000_000_000_000
const COMMENT_IDS = 300_000_000_000_000

const personId = (index: number): string => `${PERSON_IDS + index * 17}`

/** Creates ten photos per person and on average four comments per photo, sorted by publication time. */
export const createSocialData = (size = SOCIAL.people): SocialData => {
  const random = createRandom(SOCIAL.seed)
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))
  const people: Person[] = []
  const photos: Photo[] = []
  const comments: Comment[] = []
  const viewers: string[] = []
  for (let index = 0; index < size; index++) {
    const owner = personId(index)
    people.push({ id: owner, name: `Person Number ${index}` })
    const counts = Array.from({ length: between(0, SOCIAL.mostPhotos) }, () =>
      between(SOCIAL.leastComments, SOCIAL.mostComments),
    )
    const published = counts.map(() => START + Math.floor(random() * YEAR)).sort((a, b) => a - b)
    for (const [position, count] of counts.entries()) {
      const photo = `${PHOTO_IDS + photos.length * 13}`
      const time = published[position] ?? START
      photos.push({ id: photo, owner, name: `Photo ${position} of person ${index}`, time })
      const times = Array.from({ length: count }, () => time + Math.floor(random() * DAY)).sort(
        (a, b) => a - b,
      )
      for (const commented of times) {
        const from = personId(Math.floor(random() * size))
        const id = `${COMMENT_IDS + comments.length * 11}`
        comments.push({ id, photo, from, message: `What a photo, number ${position}`, time: commented })
      }
    }
    const newest = counts.slice(-READ.photos)
    const isFull = newest.length === READ.photos && newest.every(count => count >= READ.comments)
    if (isFull && viewers.length < SOCIAL.viewers) viewers.push(owner)
  }
  return { people, photos, comments, viewers }
}
