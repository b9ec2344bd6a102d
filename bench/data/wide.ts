import type { Comment, Person, Photo, SocialData } from './social-data.ts'

/** The number of photos that a read returns, and the number of comments per photo. */
export const WIDTH = 100

export const WIDE = `photos.limit(${WIDTH}){name,comments.limit(${WIDTH}){message}}`

export const WIDE_QUERY = `{ me { photos(limit: ${WIDTH}) { name comments(limit: ${WIDTH}) { message id } id } id } }`

const VIEWERS = 4
const START = Date.UTC(2014, 0)
const MINUTE = 60_000
const PERSON_IDS = 100_000_000_000
const PHOTO_IDS = 200_000_000_000
const COMMENT_IDS = 300_000_000_000

/**
 * Creates people with photos and comments. There is one more photo and one more comment than a read returns.
 */
export const createWideData = (): SocialData => {
  const people: Person[] = []
  const photos: Photo[] = []
  const comments: Comment[] = []
  for (let index = 0; index < VIEWERS; index++) {
    const owner = `${PERSON_IDS + index}`
    people.push({ id: owner, name: `Person Number ${index}` })
    for (let position = 0; position <= WIDTH; position++) {
      const photo = `${PHOTO_IDS + photos.length}`
      const time = START + position * MINUTE
      photos.push({ id: photo, owner, name: `Photo ${position} of person ${index}`, time })
      for (let turn = 1; turn <= WIDTH + 1; turn++) {
        const id = `${COMMENT_IDS + comments.length}`
        const message = `What a photo, number ${turn}`
        comments.push({ id, photo, from: owner, message, time: time + turn * 100 })
      }
    }
  }
  return { people, photos, comments, viewers: people.map(({ id }) => id) }
}
