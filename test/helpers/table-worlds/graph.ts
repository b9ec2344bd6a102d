import {
  canSee,
  fieldEquals,
  hasEdgeToViewer,
  isViewer,
  type Policy,
  parameter,
  viewerHasEdge,
} from 'kithgraph'
import {
  back,
  collection,
  type DatabaseDescription,
  defineTables,
  fromParameter,
  fromSession,
  ref,
  through,
  type Where,
} from 'kithgraph/tables'
import { STATES } from './rows.ts'

/** The policies of types by their names. */
export type WorldPolicies = { readonly [type: string]: Policy | undefined }

/** How the tables of worlds are declared. */
export type WorldGraphOptions = {
  /** Whether each type has a policy of ready-made rules. */
  readonly hasPolicies: boolean
  /** Other policies for these types. */
  readonly policies?: WorldPolicies
  /** Whether a row-level security of the database limits sessions to their tenants, instead of the declaration. */
  readonly hasRowSecurity?: boolean
  /** Whether accounts and photos have app-scoped ids. */
  readonly hasAppIds?: boolean
  /** Parts of the declaration that are left out, to test that the laws find it. */
  readonly without?: 'tenants' | 'deleted' | 'nulls' | undefined
}

const POLICIES: WorldPolicies = {
  account: [
    isViewer(),
    viewerHasEdge('following', { where: { muted: false } }),
    fieldEquals('name', 'a'),
    fieldEquals('mood', 'calm'),
  ],
  photo: [
    fieldEquals('state', 'public'),
    isViewer({ of: 'owner' }),
    viewerHasEdge('following', { of: 'owner' }),
  ],
  comment: [
    isViewer({ of: 'author' }),
    fieldEquals('body', 'a'),
    canSee('photo'),
    hasEdgeToViewer('following', { of: 'author' }),
  ],
  team: [hasEdgeToViewer('members', { where: { role: 'owner' } }), fieldEquals('name', 'a')],
  revision: [canSee('photo')],
}

/**
 * Defines the graph over the tables of worlds: with refs, joins with fields, composite keys, orders that may be NULL,
 * parameters, soft deletes, tenants and every kind of count.
 */
export const defineWorld = (
  db: DatabaseDescription,
  { hasPolicies, policies = POLICIES, hasRowSecurity = false, hasAppIds = false, without }: WorldGraphOptions,
) => {
  const isSqlite = db.dialect === 'sqlite'
  const iso: { readonly as?: 'iso' } = isSqlite ? { as: 'iso' } : {}
  const policyOf = (type: string) => (hasPolicies ? { policy: policies[type] } : {})
  const tenant: Where =
    hasRowSecurity || without === 'tenants' ? {} : { tenant: fromSession(session => session.claims?.tenant) }
  const alive: Where = without === 'deleted' ? tenant : { ...tenant, deleted_at: null }
  const end = { nulls: without === 'nulls' ? 'skip' : 'end' } as const
  const created = { by: 'created_at', ...iso } as const
  const time = { column: 'created_at', ...iso } as const
  return defineTables(
    db,
    {
      account: {
        over: 'account',
        where: alive,
        appScoped: hasAppIds,
        ...policyOf('account'),
        fields: {
          name: { default: true },
          mood: true,
          price: true,
          active: true,
          boss: ref('account', 'boss_id'),
          created_time: time,
        },
        edges: {
          photos: back('photo', 'owner_id', {
            ...created,
            parameters: { state: parameter.enum(STATES) },
            where: { state: fromParameter('state') },
            orders: {
              taken: { by: 'taken_at', ...iso, ...end },
              rated: { by: 'rating', nulls: 'skip' },
              titled: { by: 'title', ...end, direction: 'ascending' },
            },
          }),
          reports: back('account', 'boss_id', { by: 'name', count: 'exact' }),
          following: through('follow', 'follower_id', 'account', 'followee_id', {
            ...created,
            where: tenant,
            count: 3,
            fields: { note: true, muted: true, followed_time: time },
          }),
          followers: through('follow', 'followee_id', 'account', 'follower_id', {
            ...created,
            where: tenant,
            count: { column: 'follower_count' },
          }),
          teams: through('membership', 'account_id', 'team', 'team_slug', {
            ...created,
            where: tenant,
            fields: { role: true },
          }),
        },
      },
      photo: {
        over: 'photo',
        where: alive,
        appScoped: hasAppIds,
        ...policyOf('photo'),
        fields: {
          title: { default: true },
          state: true,
          rating: true,
          owner: ref('account', 'owner_id'),
          taken_time: { column: 'taken_at', ...iso },
          created_time: time,
        },
        edges: {
          comments: back('comment', 'photo_id', { ...created, order: 'chronological', count: 'exact' }),
          revisions: back('revision', 'photo_id'),
        },
      },
      comment: {
        over: 'comment',
        where: alive,
        ...policyOf('comment'),
        fields: {
          body: { default: true },
          author: ref('account', 'author_id'),
          photo: ref('photo', 'photo_id'),
          created_time: time,
        },
      },
      team: {
        over: 'team',
        where: tenant,
        ...policyOf('team'),
        fields: { name: { default: true } },
        edges: {
          members: through('membership', 'team_slug', 'account', 'account_id', {
            where: tenant,
            fields: { role: true },
          }),
        },
      },
      revision: {
        over: 'revision',
        where: tenant,
        ...policyOf('revision'),
        fields: {
          caption: { default: true },
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
        photos: collection('photo', created),
        accounts: collection('account', { by: 'name', count: 'exact' }),
        teams: collection('team'),
      },
    },
  )
}

/** The graph over the tables of worlds. */
export type WorldTables = ReturnType<typeof defineWorld>
