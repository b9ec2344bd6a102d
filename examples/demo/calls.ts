import type { Demo } from './graph.ts'
import { idOf } from './novel.ts'

/** A call and what it shows. The code of `ask` is printed as it stands here, so that what is shown is what ran. */
export type DemoCall = { readonly title: string; readonly ask: () => unknown }

/** The calls of the demo, in the order in which they are best read. */
export const createCalls = ({ graph, token, bareToken }: Demo): readonly DemoCall[] => [
  {
    title: 'Whom the token stands for, with the default fields',
    ask: () => graph.getMe(token),
  },
  {
    title: 'Fields by name: an age range is computed, a picture chosen among its sizes',
    ask: () => graph.getMe(token, { fields: 'name,birthday,age_range,picture.type(large)' }),
  },
  {
    title: 'Nested: the latest posts, and below each its comments with their authors',
    ask: () => graph.getMe(token, { fields: 'posts.limit(2){message,comments.limit(2){message,from}}' }),
  },
  {
    title: 'A page of an edge, and how many there are: "chapters" belongs to the connection itself',
    ask: () =>
      graph.getEdge(token, { id: 'me', edge: 'friends', fields: 'name,chapters', limit: 3, summary: true }),
  },
  {
    title: 'The next page, by the cursor of the first',
    ask: async () => {
      const friends = { id: 'me', edge: 'friends', fields: 'name', limit: 3 } as const
      const first = await graph.getEdge(token, friends)
      return graph.getEdge(token, { ...friends, after: first.paging?.cursors.after })
    },
  },
  {
    title: 'What was posted between two points in time',
    ask: () =>
      graph.getEdge(token, { id: 'me', edge: 'posts', since: '1832-06-01', until: '1832-06-05T17:30:00Z' }),
  },
  {
    title: 'Does the viewer like it, and how many do?',
    ask: () =>
      graph.getEdge(token, {
        id: '3001',
        edge: 'feed',
        fields: 'message,viewer_likes,likes.limit(1).summary(true)',
      }),
  },
  {
    title: 'Several nodes at once, keyed by id',
    ask: () =>
      graph.getNodes(token, { ids: ['Valjean', 'Javert', 'Gavroche'].map(idOf), fields: 'name,birthday' }),
  },
  {
    title: 'A group, and the first of its members',
    ask: () => graph.getNode(token, { id: '2009', fields: 'name,members.limit(2).summary(true){name}' }),
  },
  {
    title: 'Is there an edge between two nodes?',
    ask: () => graph.hasEdge(token, { id: 'me', edge: 'friends', target: idOf('Cosette') }),
  },
  {
    title: 'What a node has: its fields with their types, and its edges',
    ask: () => graph.getNode(token, { id: '3002', metadata: true }),
  },
  {
    title: 'A name that does not exist: the compiler knows, and so does the graph',
    // @ts-expect-error: no field or edge 'nmae' on user
    ask: () => graph.getMe(token, { fields: 'nmae' }),
  },
  {
    title: 'Without its scope a field is left out, and "debug" says so',
    ask: () => graph.getMe(bareToken, { fields: 'name,email', debug: 'all' }),
  },
  {
    title: 'Without its scope an edge is refused',
    ask: () => graph.getEdge(bareToken, { id: 'me', edge: 'friends' }),
  },
  {
    title: 'What a query would take, before anything is read',
    ask: () => graph.explain({ type: 'user', fields: 'friends.limit(10){name,photos.limit(5)}' }),
  },
]
