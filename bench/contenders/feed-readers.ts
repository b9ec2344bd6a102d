import { createGraph, isViewer, socialSchema, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { StoreMutation } from '../../src/store/mutations.ts'
import type { Feeds, Message, Post } from '../data/feed.ts'
import { fillStore } from './graph.ts'
import { createPageWriter } from './pages-by-hand.ts'

/** A read of one group's feed by one viewer. */
export type FeedRead = { readonly viewer: string; readonly group: string }
export type FeedReader = { readonly name: string; readFeed(read: FeedRead): unknown }

const PAGE = { posts: 25, comments: 3 }
const COMMENT = 'message,from'
const FIELDS = `message,from,comments.limit(${PAGE.comments}){${COMMENT}}`

const ofFriends = [viewerHasEdge('friends', { of: 'from' })]
const schema = socialSchema.extend({
  user: { policy: [isViewer(), viewerHasEdge('friends')] },
  post: { policy: ofFriends },
  comment: { policy: ofFriends },
})

const putMessage = (type: string, source: string, name: string, message: Message): StoreMutation[] => {
  const { id, author, message: text, time } = message
  return [
    { op: 'putNode', node: { id, type, fields: { message: text, from: author, created_time: time } } },
    { op: 'putEdge', edge: { source, name, target: id, time } },
  ]
}

function* generateMutations({ people, groups, viewers }: Feeds): Generator<StoreMutation> {
  for (const { id, name } of people) yield { op: 'putNode', node: { id, type: 'user', fields: { name } } }
  for (const { id, friends } of viewers)
    for (const target of friends)
      yield { op: 'putEdge', edge: { source: id, name: 'friends', target, time: 0 } }
  for (const { id: group, posts } of groups) {
    yield { op: 'putNode', node: { id: group, type: 'group', fields: { name: 'A group' } } }
    for (const post of posts) {
      yield* putMessage('post', group, 'feed', post)
      for (const comment of post.comments) yield* putMessage('comment', post.id, 'comments', comment)
    }
  }
}

/** Our implementation, with policies in the schema and a token for each viewer. */
export const createFeedGraph = async (feeds: Feeds): Promise<FeedReader> => {
  const store = createMemoryStore()
  await fillStore(store, generateMutations(feeds))
  const { getEdge, tokens } = createGraph(store, { schema })
  const issued = new Map<string, string>()
  for (const { id } of feeds.viewers) issued.set(id, await tokens.issue({ viewer: id, app: 'bench' }))
  return {
    name: 'kithgraph',
    readFeed: ({ viewer, group }) =>
      getEdge(issued.get(viewer) ?? '', {
        id: group,
        type: 'group',
        edge: 'feed',
        limit: PAGE.posts,
        fields: FIELDS,
      }),
  }
}

type MessageList<TMessage extends Message> = {
  readonly source: string
  readonly items: readonly TMessage[]
  readonly limit: number
  readonly query: string
  readonly write: ReturnType<typeof createPageWriter>
  format(item: TMessage): object
}

/** Returns the first page of messages by friends, and whether there are more such messages. */
const createVisiblePage = <TMessage extends Message>(
  friends: ReadonlySet<string>,
  list: MessageList<TMessage>,
) => {
  const { source, items, limit, query, write } = list
  const data: object[] = []
  let first: TMessage | undefined
  let last: TMessage | undefined
  let hasMore = false
  for (const item of items) {
    if (!friends.has(item.author)) continue
    if (data.length === limit) {
      hasMore = true
      break
    }
    data.push(list.format(item))
    first ??= item
    last = item
  }
  const positionOf = (item: TMessage | undefined) => item && { target: item.id, time: item.time }
  return write({ source, data, first: positionOf(first), last: positionOf(last), hasMore, query })
}

/** Hand-written code over Maps that does the same checks. */
export const createFeedMaps = ({ people, groups, viewers }: Feeds): FeedReader => {
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const friendsOf = new Map(viewers.map(({ id, friends }) => [id, new Set(friends)]))
  const postsIn = new Map(groups.map(({ id, posts }) => [id, posts]))
  const writeFeed = createPageWriter('feed', 'reverse_chronological')
  const writeComments = createPageWriter('comments', 'chronological')
  const feedQuery = `fields=${encodeURIComponent(FIELDS)}&limit=${PAGE.posts}`
  const commentsQuery = `fields=${encodeURIComponent(COMMENT)}&limit=${PAGE.comments}`
  const authorOf = ({ author }: Message) => ({ name: names.get(author), id: author })
  const formatComment = (comment: Message) => ({
    message: comment.message,
    from: authorOf(comment),
    id: comment.id,
  })
  const commentsOn = ({ id, comments }: Post, friends: ReadonlySet<string>) =>
    createVisiblePage(friends, {
      source: id,
      items: comments,
      limit: PAGE.comments,
      query: commentsQuery,
      write: writeComments,
      format: formatComment,
    })
  return {
    name: 'hand-written code over Maps',
    readFeed({ viewer, group }) {
      const friends = friendsOf.get(viewer) ?? new Set()
      return createVisiblePage(friends, {
        source: group,
        items: postsIn.get(group) ?? [],
        limit: PAGE.posts,
        query: feedQuery,
        write: writeFeed,
        format: post => ({
          message: post.message,
          from: authorOf(post),
          comments: commentsOn(post, friends),
          id: post.id,
        }),
      })
    },
  }
}
