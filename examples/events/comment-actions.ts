import { parameter } from 'kithgraph'
import type { ActionContext, DefineAction } from 'kithgraph/actions'
import { retryConflicts, viewerOf } from './run-helpers.ts'
import { type EventSchema, isSignedIn } from './schema.ts'

const COMMENT_PARAMETERS = { text: parameter.string({ required: true, maxLength: 2000 }) }

type CommentContext = ActionContext<EventSchema, 'event' | 'post', typeof COMMENT_PARAMETERS>

const addComment = async ({ source, parameters, session, newId, write, now }: CommentContext) => {
  const id = newId('comment')
  const fields = { ...parameters, from: viewerOf(session), subject: source.id, created_time: now, score: 0 }
  const { revision } = await write([
    { op: 'putNode', node: { id, type: 'comment', fields } },
    {
      op: 'putEdge',
      edge: { source: source.id, name: 'comments', target: id, time: now, data: { rank: 0 } },
    },
  ])
  return { id, revision }
}

/** The options of the actions that comment on an event or on a post. */
const ADD_COMMENT = {
  policy: [isSignedIn],
  parameters: COMMENT_PARAMETERS,
  returns: 'comment',
  run: addComment,
} as const

type VoteContext = ActionContext<EventSchema, 'comment', Record<never, never>>

/** Adds or removes the vote of the viewer, and moves the comment in the order `top`. A repeated call changes nothing. */
const setVote = ({ source: { id, fields }, session, graph, write }: VoteContext, isVote: boolean) =>
  retryConflicts(async () => {
    const options = { id, type: 'comment', fields: 'score,viewer_voted', minRevision: 'newest' } as const
    const { score, viewer_voted } = await graph.getNode(session, options)
    if (viewer_voted === isVote) return { id }
    const vote = { source: id, name: 'votes', target: viewerOf(session) } as const
    const rank = isVote ? score + 1 : score - 1
    // Without a subject, the record is broken, and the write fails.
    const { subject = '', created_time: time } = fields
    const { revision } = await write([
      isVote
        ? { op: 'putEdge', edge: vote, when: { exists: false } }
        : { op: 'deleteEdge', edge: vote, when: { exists: true } },
      { op: 'patchNode', id, fields: { score: rank }, when: { fields: { score } } },
      { op: 'putEdge', edge: { source: subject, name: 'comments', target: id, time, data: { rank } } },
    ])
    return { id, revision }
  })

/** Declares the actions of comments. Everyone who sees an event or a post may comment on it. */
export const createCommentActions = (action: DefineAction<EventSchema>) => [
  action('event', 'comments.add', ADD_COMMENT),
  action('post', 'comments.add', ADD_COMMENT),

  action('comment', 'votes.add', {
    description: 'Likes a comment. Each person has one vote.',
    policy: [isSignedIn],
    returns: 'comment',
    run: context => setVote(context, true),
  }),

  action('comment', 'votes.remove', {
    description: 'Takes the vote back.',
    policy: [isSignedIn],
    returns: 'comment',
    run: context => setVote(context, false),
  }),
]
