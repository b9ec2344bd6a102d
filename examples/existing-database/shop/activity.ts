import type { Random } from './random.ts'
import { createRows, type TableRows } from './rows.ts'
import { DAY_MS, formatTime, NOW } from './times.ts'

/** The highest keys of Chinook. Each key from 1 exists. */
const ALBUM_COUNT = 347
const CUSTOMER_COUNT = 59
const PLAYLIST_COUNT = 18

const REVIEW_COUNT = 600
const SHARED_PLAYLIST_COUNT = 40
const MAX_MEMBERS = 9

const OPINIONS = [
  'I play it every day',
  'The second half is better',
  'Too quiet for me',
  'A good start',
  'Buy it for the last track',
] as const
const ENDINGS = ['.', '!', ', but it is short.', '. My neighbours agree.'] as const
const COLLECTIONS = ['Songs', 'Music', 'Tracks'] as const
const OCCASIONS = [
  'the Road',
  'the Kitchen',
  'a Rainy Day',
  'the Last Train',
  'a Long Run',
  'Sunday',
] as const
const ROLES = ['editor', 'listener'] as const

/** Creates details, in the order of names that Postgres gives to the members of a jsonb: the shortest name first. */
const createDetails = (random: Random): string => {
  const device = random.pick(['phone', 'desktop'])
  return JSON.stringify({ edits: random.int(0, 3), device })
}

const createReviews = (random: Random): TableRows => ({
  table: 'review',
  columns: ['review_id', 'album_id', 'customer_id', 'state', 'rating', 'body', 'details', 'created_at'],
  rows: createRows(REVIEW_COUNT, key => [
    random.uuid(),
    // The first album has many reviews.
    random.oneIn(5) ? 1 : random.int(1, ALBUM_COUNT),
    random.int(1, CUSTOMER_COUNT),
    random.pick(['published', 'published', 'published', 'draft', 'hidden']),
    random.oneIn(8) ? null : random.int(1, 5),
    `${random.pick(OPINIONS)}${random.pick(ENDINGS)}`,
    random.oneIn(4) ? null : createDetails(random),
    // Each ten reviews have one millisecond, but not one time: an import wrote them some microseconds apart.
    formatTime(NOW - Math.ceil((REVIEW_COUNT - key) / 10) * DAY_MS, (key % 10) * 7),
  ]),
})

const createSharedPlaylists = (random: Random): readonly TableRows[] => {
  const memberships: [number, number, string, string][] = []
  const playlists = createRows(SHARED_PLAYLIST_COUNT, key => {
    const owner = random.int(1, CUSTOMER_COUNT)
    const created = NOW - random.int(10, 900) * DAY_MS
    const others = Array.from({ length: random.int(0, MAX_MEMBERS) }, () => random.int(1, CUSTOMER_COUNT))
    memberships.push([key, owner, 'owner', formatTime(created)])
    for (const member of new Set(others))
      if (member !== owner)
        memberships.push([key, member, random.pick(ROLES), formatTime(created + random.int(1, 9) * DAY_MS)])
    const name = `${random.pick(COLLECTIONS)} for ${random.pick(OCCASIONS)}`
    const visibility = random.pick(['public', 'members'])
    const deleted = random.oneIn(5) ? formatTime(NOW - DAY_MS) : null
    return [key, random.int(1, PLAYLIST_COUNT), owner, name, visibility, formatTime(created), deleted]
  })
  return [
    {
      table: 'shared_playlist',
      columns: [
        'shared_playlist_id',
        'playlist_id',
        'owner_id',
        'name',
        'visibility',
        'created_at',
        'deleted_at',
      ],
      rows: playlists,
    },
    {
      table: 'membership',
      columns: ['shared_playlist_id', 'customer_id', 'role', 'joined_at'],
      rows: memberships,
    },
  ]
}

/** Creates the rows of the three tables that Chinook does not have: reviews, shared playlists and their members. */
export const createActivity = (random: Random): readonly TableRows[] => [
  createReviews(random),
  ...createSharedPlaylists(random),
]
