import { createRandom } from './random.ts'

export type Person = { readonly id: string; readonly name: string }
/** `time` is milliseconds since the epoch. */
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

/** A social graph as plain data: what our store and the contenders' Maps are both filled with. */
export type SocialData = {
  readonly people: readonly Person[]
  readonly photos: readonly Photo[]
  readonly comments: readonly Comment[]
  /** People whose read of ten photos with three comments each is full: 71 nodes. */
  readonly viewers: readonly string[]
}

/** What a graph is made from: the same numbers make the same graph. */
export const SOCIAL = {
  seed: 1,
  people: 10_000,
  mostPhotos: 20,
  leastComments: 2,
  mostComments: 6,
  viewers: 64,
}

/** The read that the viewers' answers are full for. */
export const READ = { photos: 10, comments: 3 }

const START = Date.UTC(2014, 0)
const YEAR = 365 * 24 * 3600 * 1000
const DAY = 24 * 3600 * 1000
const PERSON_IDS = 100_000_000_000_000
const PHOTO_IDS = 200_000_000_000_000
const COMMENT_IDS = 300_000_000_000_000

const personId = (index: number): string => `${PERSON_IDS + index * 17}`

/** Ten photos a person and four comments a photo on average, all in the order in which they were published. */
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
    for (const [place, count] of counts.entries()) {
      const photo = `${PHOTO_IDS + photos.length * 13}`
      const time = published[place] ?? START
      photos.push({ id: photo, owner, name: `Photo ${place} of person ${index}`, time })
      const times = Array.from({ length: count }, () => time + Math.floor(random() * DAY)).sort(
        (a, b) => a - b,
      )
      for (const commented of times) {
        const from = personId(Math.floor(random() * size))
        const id = `${COMMENT_IDS + comments.length * 11}`
        comments.push({ id, photo, from, message: `What a photo, number ${place}`, time: commented })
      }
    }
    const newest = counts.slice(-READ.photos)
    const isFull = newest.length === READ.photos && newest.every(count => count >= READ.comments)
    if (isFull && viewers.length < SOCIAL.viewers) viewers.push(owner)
  }
  return { people, photos, comments, viewers }
}
