import { hasScope, parameter } from 'kithgraph'
import {
  back,
  collection,
  defineTables,
  fromParameter,
  fromSession,
  notNull,
  ref,
  through,
} from 'kithgraph/tables'
import { studioDescription } from './studio-description.ts'

/**
 * A graph over the tables of a studio, with what tables may have: composite keys, keys of uuids and texts, soft
 * deletes, times with microseconds, orders that may be NULL, references to the own table, joins with fields, tenants,
 * parameters, enums, JSON, arrays, dates and decimals.
 */
export const studio = defineTables(
  studioDescription,
  {
    org: {
      over: 'org',
      where: { id: fromSession(session => session.claims?.org) },
      fields: { name: { default: true } },
      edges: {
        accounts: back('account', 'org_id', { by: 'name', order: 'chronological', count: 'exact' }),
        teams: back('team', 'org_id', { by: 'name', order: 'chronological' }),
      },
    },
    account: {
      over: 'account',
      where: { deleted_at: null, org_id: fromSession(session => session.claims?.org) },
      fields: {
        name: { default: true },
        email: { scope: 'email' },
        mood: true,
        settings: true,
        tags: true,
        birthday: true,
        balance: true,
        created_time: { column: 'created_at' },
        secret: { policy: [hasScope('admin')] },
        org: ref('org', 'org_id'),
        manager: ref('account', 'manager_id'),
      },
      edges: {
        reports: back('account', 'manager_id', { by: 'name' }),
        photos: back('photo', 'owner_id', {
          by: 'created_at',
          parameters: { state: parameter.enum(['draft', 'public']) },
          where: { state: fromParameter('state') },
          orders: {
            taken: { by: 'taken_at', nulls: 'end' },
            rated: { by: 'rating', nulls: 'skip', direction: 'descending' },
          },
        }),
        drafts: back('photo', 'owner_id', { where: { state: ['draft'], caption: notNull } }),
        following: through('follow', 'follower_id', 'account', 'followee_id', {
          by: 'created_at',
          fields: { note: true, muted: true, followed_time: { column: 'created_at' } },
        }),
        followers: through('follow', 'followee_id', 'account', 'follower_id', {
          by: 'created_at',
          count: { column: 'follower_count' },
        }),
        teams: through('membership', 'account_id', 'team', 'team_slug', {
          by: 'joined_at',
          fields: { role: true },
          count: 3,
        }),
      },
    },
    photo: {
      over: 'photo',
      where: { deleted_at: null },
      fields: {
        caption: { default: true },
        state: true,
        width: true,
        rating: true,
        hash: { as: 'text' },
        created_time: { column: 'created_at' },
        taken_time: { column: 'taken_at' },
        owner: ref('account', 'owner_id'),
      },
      edges: {
        comments: back('comment', 'photo_id', { by: 'created_at', order: 'chronological', count: 'exact' }),
        revisions: back('revision', 'photo_id', { by: 'number' }),
      },
    },
    comment: {
      over: 'comment',
      where: { deleted_at: null },
      timeZone: 'Europe/Paris',
      fields: {
        body: { default: true },
        created_time: { column: 'created_at' },
        seen_on: true,
        author: ref('account', 'author_id'),
        photo: ref('photo', 'photo_id'),
      },
    },
    team: {
      over: 'team',
      fields: { name: { default: true }, org: ref('org', 'org_id') },
      edges: {
        members: through('membership', 'team_slug', 'account', 'account_id', {
          by: 'joined_at',
          fields: { role: true },
        }),
      },
    },
    revision: {
      over: 'revision',
      fields: {
        number: true,
        caption: true,
        editor: ref('account', 'editor_id'),
        photo: ref('photo', 'photo_id'),
        previous: ref('revision', ['previous_photo_id', 'previous_number']),
      },
      edges: { next: back('revision', ['previous_photo_id', 'previous_number']) },
    },
  },
  {
    viewers: ['account'],
    collections: {
      photos: collection('photo', { by: 'created_at' }),
      accounts: collection('account', { count: 'exact' }),
    },
  },
)
