import { canSee, field, fieldEquals, hasEdgeToViewer, hasScope, isViewer, parameter } from 'kithgraph'
import { back, collection, fromParameter, ref, through } from 'kithgraph/tables'

/** Staff see all customers and their invoices. Customers see their own. */
const staff = hasScope('staff')
/** Only the customer, and staff, see these fields of a customer. */
const own = { policy: [isViewer(), staff] }

/**
 * Declares the types over the tables. Most graphs have one database, and pass such an object straight to `defineTables`. This one has
 * two, which differ only in their times: Postgres has types for them, and SQLite needs `as: 'iso'`.
 */
export const declareTypes = (time: { readonly as?: 'iso' }) =>
  ({
    artist: {
      over: 'artist',
      fields: { name: { default: true } },
      edges: { albums: back('album', 'artist_id', { by: 'title', order: 'chronological' }) },
    },
    album: {
      over: 'album',
      fields: { title: { default: true }, artist: ref('artist', 'artist_id') },
      edges: {
        tracks: back('track', 'album_id', { order: 'chronological' }),
        reviews: back('review', 'album_id', { by: 'created_at' }),
      },
    },
    track: {
      over: 'track',
      fields: {
        name: { default: true },
        composer: true,
        milliseconds: true,
        unit_price: true,
        album: ref('album', 'album_id'),
        genre: ref('genre', 'genre_id'),
        media_type: ref('media_type', 'media_type_id'),
      },
      edges: { playlists: through('playlist_track', 'track_id', 'playlist', 'playlist_id') },
    },
    genre: {
      over: 'genre',
      fields: { name: { default: true } },
      // The callers choose the order: genre_1/tracks?order=longest
      edges: { tracks: back('track', 'genre_id', { orders: { longest: { by: 'milliseconds' } } }) },
    },
    media_type: { over: 'media_type', fields: { name: { default: true } } },
    playlist: {
      over: 'playlist',
      fields: { name: { default: true } },
      edges: { tracks: through('playlist_track', 'playlist_id', 'track', 'track_id') },
    },
    employee: {
      over: 'employee',
      policy: [staff],
      fields: {
        first_name: { default: true },
        last_name: { default: true },
        title: true,
        hire_date: time,
        manager: ref('employee', 'reports_to'),
      },
      edges: {
        reports: back('employee', 'reports_to'),
        customers: back('customer', 'support_rep_id'),
      },
    },
    customer: {
      over: 'customer',
      fields: {
        first_name: { default: true },
        last_name: own,
        email: { ...own, scope: 'email' },
        city: own,
        support_rep: ref('employee', 'support_rep_id'),
      },
      edges: {
        invoices: back('invoice', 'customer_id', { by: 'invoice_date' }),
        // The callers choose entries: me/reviews?state=draft
        reviews: back('review', 'customer_id', {
          by: 'created_at',
          parameters: { state: parameter.enum(['draft', 'published', 'hidden']) },
          where: { state: fromParameter('state') },
        }),
        shared_playlists: through('membership', 'customer_id', 'shared_playlist', 'shared_playlist_id', {
          by: 'joined_at',
          ...time,
          fields: { role: true, joined_time: { column: 'joined_at', ...time } },
        }),
      },
    },
    invoice: {
      over: 'invoice',
      policy: [isViewer({ of: 'customer' }), staff],
      fields: {
        invoice_time: { column: 'invoice_date', default: true, ...time },
        total: { default: true },
        customer: ref('customer', 'customer_id'),
      },
      edges: { lines: back('invoice_line', 'invoice_id', { order: 'chronological' }) },
    },
    invoice_line: {
      over: 'invoice_line',
      // Who may see the invoice may see its lines.
      policy: [canSee('invoice')],
      fields: {
        quantity: { default: true },
        unit_price: { default: true },
        track: ref('track', 'track_id'),
        invoice: ref('invoice', 'invoice_id'),
      },
    },
    review: {
      over: 'review',
      policy: [fieldEquals('state', 'published'), isViewer({ of: 'customer' })],
      fields: {
        body: { default: true },
        rating: true,
        state: true,
        details: true,
        created_time: { column: 'created_at', ...time },
        customer: ref('customer', 'customer_id'),
        album: ref('album', 'album_id'),
      },
    },
    shared_playlist: {
      over: 'shared_playlist',
      // A deleted playlist is not in the graph: no list, count, ref or id leads to it.
      where: { deleted_at: null },
      policy: [fieldEquals('visibility', 'public'), hasEdgeToViewer('members')],
      fields: {
        name: { default: true },
        visibility: true,
        created_time: { column: 'created_at', ...time },
        owner: ref('customer', 'owner_id'),
        playlist: ref('playlist', 'playlist_id'),
        my_role: field.viewerEdge('members', { field: 'role' }),
      },
      edges: {
        members: through('membership', 'shared_playlist_id', 'customer', 'customer_id', {
          by: 'joined_at',
          ...time,
          fields: { role: true, joined_time: { column: 'joined_at', ...time } },
        }),
      },
    },
  }) as const

/** The options of the graph. */
export const options = {
  viewers: ['customer'],
  collections: {
    artists: collection('artist', { by: 'name', nulls: 'skip', order: 'chronological' }),
    albums: collection('album', { by: 'title', order: 'chronological', count: 'exact' }),
    reviews: collection('review', { by: 'created_at' }),
  },
} as const
