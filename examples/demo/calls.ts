import type { Demo } from './graph.ts'
import { findId } from './novel.ts'

/**
 * A call and its title. The code of `run` is printed as it is written here, so that the printed code is the
 * code that ran.
 */
export type DemoCall = { readonly title: string; readonly run: () => unknown }

/** The calls of the demo, in reading order. */
export const createCalls = ({ graph, token, unscopedToken }: Demo): readonly DemoCall[] => [
  {
    title: 'The viewer of the token, with the default fields',
    run: () => graph.getMe(token),
  },
  {
    title: 'Fields by name: a computed age range, and a picture in one of its sizes',
    run: () => graph.getMe(token, { fields: 'name,birthday,age_range,picture.type(large)' }),
  },
  {
    title: 'Nested: the latest posts, with their comments and their authors',
    run: () => graph.getMe(token, { fields: 'posts.limit(2){message,comments.limit(2){message,from}}' }),
  },
  {
    title: 'A page of an edge, with the total count: "chapters" is a field of the edge itself',
    run: () =>
      graph.getEdge(token, { id: 'me', edge: 'friends', fields: 'name,chapters', limit: 3, summary: true }),
  },
  {
    title: 'The next page, by the cursor of the first',
    run: async () => {
      const friends = { id: 'me', edge: 'friends', fields: 'name', limit: 3 } as const
      const first = await graph.getEdge(token, friends)
      return graph.getEdge(token, { ...friends, after: first.paging?.cursors.after })
    },
  },
  {
    title: 'Posts between two points in time',
    run: () =>
      graph.getEdge(token, { id: 'me', edge: 'posts', since: '1832-06-01', until: '1832-06-05T17:30:00Z' }),
  },
  {
    title: 'Does the viewer like it, and how many do?',
    run: () =>
      graph.getEdge(token, {
        id: '3001',
        edge: 'feed',
        fields: 'message,viewer_likes,likes.limit(1).summary(true)',
      }),
  },
  {
    title: 'Several nodes at once, keyed by id',
    run: () =>
      graph.getNodes(token, { ids: ['Valjean', 'Javert', 'Gavroche'].map(findId), fields: 'name,birthday' }),
  },
  {
    title: 'A group, and its first members',
    run: () => graph.getNode(token, { id: '2009', fields: 'name,members.limit(2).summary(true){name}' }),
  },
  {
    title: 'Is there an edge between two nodes?',
    run: () => graph.hasEdge(token, { id: 'me', edge: 'friends', target: findId('Cosette') }),
  },
  {
    title: 'The metadata of a node: its fields with their types, and its edges',
    run: () => graph.getNode(token, { id: '3002', metadata: true }),
  },
  {
    title: 'A name that does not exist: an error of the compiler, and of the graph',
    // @ts-expect-error: no field or edge 'nmae' on user
    run: () => graph.getMe(token, { fields: 'nmae' }),
  },
  {
    title: 'Without its scope a field is omitted, and "debug" reports it',
    run: () => graph.getMe(unscopedToken, { fields: 'name,email', debug: 'all' }),
  },
  {
    title: 'Without its scope an edge is an error',
    run: () => graph.getEdge(unscopedToken, { id: 'me', edge: 'friends' }),
  },
  {
    title: 'The cost of a query, before anything is read',
    run: () => graph.explain({ type: 'user', fields: 'friends.limit(10){name,photos.limit(5)}' }),
  },
]
