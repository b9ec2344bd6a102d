import { ALBUM_COUNT, PLAYLIST_COUNT, TRACK_COUNT } from './catalogue.ts'
import type { Names } from './names.ts'
import { CUSTOMER_COUNT } from './people.ts'
import type { Random } from './random.ts'
import { createRows, type TableRows } from './rows.ts'
import { DAY_MS, formatTime, NOW } from './times.ts'

const INVOICE_COUNT = 400
const REVIEW_COUNT = 600
const SHARED_PLAYLIST_COUNT = 40
const MAX_LINES = 8
const MAX_MEMBERS = 9
const CENTS = 100
const PRICE_CENTS = [99, 129, 199] as const

const createInvoices = (random: Random, names: Names): readonly TableRows[] => {
  const lines: [number, number, number, number, number][] = []
  const invoices = createRows(INVOICE_COUNT, key => {
    const { street, city, state, country, postalCode } = names.address()
    let total = 0
    for (let count = random.int(1, MAX_LINES); count > 0; count--) {
      const [price, quantity] = [random.pick(PRICE_CENTS), random.int(1, 2)]
      total += price * quantity
      lines.push([lines.length + 1, key, random.int(1, TRACK_COUNT), price / CENTS, quantity])
    }
    const time = formatTime(NOW - (INVOICE_COUNT - key) * 4 * DAY_MS)
    return [key, random.int(1, CUSTOMER_COUNT), time, street, city, state, country, postalCode, total / CENTS]
  })
  return [
    {
      table: 'invoice',
      columns: [
        'invoice_id',
        'customer_id',
        'invoice_date',
        'billing_address',
        'billing_city',
        'billing_state',
        'billing_country',
        'billing_postal_code',
        'total',
      ],
      rows: invoices,
    },
    {
      table: 'invoice_line',
      columns: ['invoice_line_id', 'invoice_id', 'track_id', 'unit_price', 'quantity'],
      rows: lines,
    },
  ]
}

/** Creates details, in the order of names that Postgres gives to the members of a jsonb: the shortest name first. */
const createDetails = (random: Random): string => {
  const device = random.pick(['phone', 'desktop'])
  return JSON.stringify({ edits: random.int(0, 3), device })
}

const createReviews = (random: Random, names: Names): TableRows => ({
  table: 'review',
  columns: ['review_id', 'album_id', 'customer_id', 'state', 'rating', 'body', 'details', 'created_at'],
  rows: createRows(REVIEW_COUNT, key => [
    random.uuid(),
    // The first album has many reviews.
    random.oneIn(5) ? 1 : random.int(1, ALBUM_COUNT),
    random.int(1, CUSTOMER_COUNT),
    random.pick(['published', 'published', 'published', 'draft', 'hidden']),
    random.oneIn(8) ? null : random.int(1, 5),
    names.review(),
    random.oneIn(4) ? null : createDetails(random),
    // Each ten reviews have one millisecond, but not one time: an import wrote them some microseconds apart.
    formatTime(NOW - Math.ceil((REVIEW_COUNT - key) / 10) * DAY_MS, (key % 10) * 7),
  ]),
})

const ROLES = ['editor', 'listener'] as const

const createSharedPlaylists = (random: Random, names: Names): readonly TableRows[] => {
  const memberships: [number, number, string, string][] = []
  const playlists = createRows(SHARED_PLAYLIST_COUNT, key => {
    const owner = random.int(1, CUSTOMER_COUNT)
    const created = NOW - random.int(10, 900) * DAY_MS
    const others = Array.from({ length: random.int(0, MAX_MEMBERS) }, () => random.int(1, CUSTOMER_COUNT))
    memberships.push([key, owner, 'owner', formatTime(created)])
    for (const member of new Set(others))
      if (member !== owner)
        memberships.push([key, member, random.pick(ROLES), formatTime(created + random.int(1, 9) * DAY_MS)])
    const visibility = random.pick(['public', 'members'])
    const deleted = random.oneIn(5) ? formatTime(NOW - DAY_MS) : null
    return [
      key,
      random.int(1, PLAYLIST_COUNT),
      owner,
      names.sharedPlaylist(),
      visibility,
      formatTime(created),
      deleted,
    ]
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

/** Creates what customers do: invoices, reviews, and the playlists that they share. */
export const createActivity = (random: Random, names: Names): readonly TableRows[] => [
  ...createInvoices(random, names),
  createReviews(random, names),
  ...createSharedPlaylists(random, names),
]
