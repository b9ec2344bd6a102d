import type { Demo } from './graph.ts'
import { findId } from './novel.ts'

/** A call and its title. The tour prints the source code of `run`. */
export type DemoCall = { readonly title: string; readonly run: () => unknown }

/** The calls of the demo, in the order of the tour. */
export const createCalls = ({ graph, token, unscopedToken }: Demo): readonly DemoCall[] => [
  {
    title: 'The viewer of the token, with the default fields',
    run: () => graph.getMe(token),
  },
  {
    title: 'Selected fields, with a computed age range and a large picture',
    run: () => graph.getMe(token, { fields: 'name,birthday,age_range,picture.type(large)' }),
  },
  {
    title: 'Nested edges: the latest posts, with comments and the authors of the comments',
    run: () => graph.getMe(token, { fields: 'posts.limit(2){message,comments.limit(2){message,from}}' }),
  },
  {
    title: 'A page of an edge with the total count. "chapters" is a field of the edge',
    run: () =>
      graph.getEdge(token, { id: 'me', edge: 'friends', fields: 'name,chapters', limit: 3, summary: true }),
  },
  {
    title: 'The next page, read with the cursor of the first page',
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
    title: 'Posts with the number of likes, and whether the viewer likes them',
    run: () =>
      graph.getEdge(token, {
        id: '3001',
        edge: 'feed',
        fields: 'message,viewer_likes,likes.limit(1).summary(true)',
      }),
  },
  {
    title: 'Several nodes in one call',
    run: () =>
      graph.getNodes(token, { ids: ['Valjean', 'Javert', 'Gavroche'].map(findId), fields: 'name,birthday' }),
  },
  {
    title: 'A group and its first members',
    run: () => graph.getNode(token, { id: '2009', fields: 'name,members.limit(2).summary(true){name}' }),
  },
  {
    title: 'Whether an edge exists between two nodes',
    run: () => graph.hasEdge(token, { id: 'me', edge: 'friends', target: findId('Cosette') }),
  },
  {
    title: 'The metadata of a node: its fields with their types, and its edges',
    run: () => graph.getNode(token, { id: '3002', metadata: true }),
  },
  {
    title: 'A misspelt field: an error of TypeScript, and an error of the graph',
    // @ts-expect-error: no field or edge 'nmae' on user
    run: () => graph.getMe(token, { fields: 'nmae' }),
  },
  {
    title: 'A field without its scope is omitted. "debug" reports the omission',
    run: () => graph.getMe(unscopedToken, { fields: 'name,email', debug: 'all' }),
  },
  {
    title: 'An edge without its scope is an error',
    run: () => graph.getEdge(unscopedToken, { id: 'me', edge: 'friends' }),
  },
  {
    title: 'The cost of a query, computed without reading data',
    run: () => graph.explain({ type: 'user', fields: 'friends.limit(10){name,photos.limit(5)}' }),
  },
]
