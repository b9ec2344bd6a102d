import { createRandom } from './random.ts'

/** A message by `author`, written at `time` in milliseconds. */
export type Message = {
  readonly id: string
  readonly author: string
  readonly message: string
  readonly time: number
}
export type Post = Message & { readonly comments: readonly Message[] }

/** The parameters of the feeds. The same parameters create the same feeds. */
const FEED = { seed: 1, people: 2_000, groups: 20, posts: 400, mostComments: 8, viewers: 32, friends: 0.4 }

const START = Date.UTC(2014, 0)
const MINUTE = 60_000
const PERSON_IDS = 100_000_000_000
const GROUP_IDS = 200_000_000_000
const POST_IDS = 300_000_000_000
const COMMENT_IDS = 400_000_000_000

const nameOf = (index: number): string => `Person Number ${index}`

/** Creates groups in which everyone can post, and viewers who are friends with two of five people. */
export const createFeeds = () => {
  const random = createRandom(FEED.seed)
  const people = Array.from({ length: FEED.people }, (_, index) => ({
    id: `${PERSON_IDS + index}`,
    name: nameOf(index),
  }))
  const someone = (): string => people[Math.floor(random() * people.length)]?.id ?? ''
  let posted = 0
  let commented = 0
  const postAt = (time: number): Post => ({
    id: `${POST_IDS + posted++}`,
    author: someone(),
    message: `What a day, number ${posted}`,
    time,
    comments: Array.from({ length: Math.floor(random() * FEED.mostComments) }, (_, index) => ({
      id: `${COMMENT_IDS + commented++}`,
      author: someone(),
      message: `What a post, number ${commented}`,
      time: time + (index + 1) * 1000,
    })),
  })
  /** Posts are sorted from new to old, and comments from old to new. */
  const groups = Array.from({ length: FEED.groups }, (_, group) => ({
    id: `${GROUP_IDS + group}`,
    posts: Array.from({ length: FEED.posts }, (_, index) => postAt(START - index * MINUTE)),
  }))
  const viewers = people.slice(0, FEED.viewers).map(({ id }) => ({
    id,
    friends: people.filter(other => other.id !== id && random() < FEED.friends).map(other => other.id),
  }))
  return { people, groups, viewers }
}

export type Feeds = ReturnType<typeof createFeeds>
