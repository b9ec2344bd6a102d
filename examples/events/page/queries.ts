import { queryOptions } from '@tanstack/react-query'
import { createClient } from 'kithgraph/client'
import type { EventActions } from '../actions.ts'
import type { EventSchema } from '../schema.ts'
import { tokenOf, type Viewer } from './viewers.ts'

/** Reads and calls the actions. Only types are imported from the service. */
export const client = createClient<EventSchema, EventActions>('/graph')

const readFeed = (viewer: Viewer, signal?: AbortSignal) =>
  client.getEdge(tokenOf(viewer), {
    id: 'root',
    edge: 'groups',
    limit: 10,
    fields: [
      'name,privacy,viewer_role',
      'events.limit(3){title,status,viewer_reply,places_left}',
      'posts.limit(3){text,from{name},comments.limit(2){text,from{name}}}',
    ],
    signal,
  })

/** A group with all that the feed shows of it. */
export type FeedGroup = Awaited<ReturnType<typeof readFeed>>['data'][number]

/** The feed of all groups that the viewer may see, in one request. */
export const feedQuery = (viewer: Viewer) =>
  queryOptions({
    queryKey: ['graph', viewer, 'groups'],
    queryFn: ({ signal }) => readFeed(viewer, signal),
  })
