import { ME_QUERY, PHOTOS, PHOTOS_QUERY } from '../data/expressions.ts'
import { POPULAR } from './popular.ts'

/** The number of entries on a page. */
export const PAGE = 25

/** The HTTP requests. All servers get the same read, each in its own syntax. */
export const WORKLOADS = {
  me: { title: 'GET /me', path: '/me', graphql: ME_QUERY },
  edge: {
    title: 'an edge with 25 entries',
    path: `/${POPULAR.id}/likes?limit=${PAGE}`,
    graphql: `{ likes(limit: ${PAGE}) { name id } }`,
  },
  photos: {
    title: '71 nodes in 4 levels',
    path: `/me?fields=${encodeURIComponent(PHOTOS)}`,
    graphql: PHOTOS_QUERY,
  },
} as const

/** The name of a workload. */
export type Workload = keyof typeof WORKLOADS

/** The measured servers. */
export const SERVERS = ['kithgraph', 'fastify', 'fastify, same headers', 'mercurius', 'constant'] as const

/** The name of a server. */
export type ServerName = (typeof SERVERS)[number]
