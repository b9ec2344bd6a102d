import { client, type FeedGroup } from './queries.ts'
import { useAction } from './use-action.ts'
import { tokenOf, type Viewer } from './viewers.ts'

const REPLIES = ['going', 'maybe', 'no'] as const

type FeedEvent = FeedGroup['events']['data'][number]
type Reply = { readonly state: (typeof REPLIES)[number] }

/** An event with the reply of the viewer. It shows a new reply at once, and the old one again if the action fails. */
export const EventItem = ({ viewer, event }: { viewer: Viewer; event: FeedEvent }) => {
  const { id, title, status, viewer_reply, places_left } = event
  const { mutate, isPending, variables, error } = useAction<Reply>(input =>
    client.callAction(tokenOf(viewer), { type: 'event', id, action: 'attendees.add', ...input }),
  )
  const shownReply = isPending ? variables.parameters.state : viewer_reply
  return (
    <li aria-label={title}>
      {title}
      {status === 'draft' && ' (draft)'}
      {places_left !== undefined && `, free places: ${places_left}`}
      {REPLIES.map(state => (
        <button
          key={state}
          type="button"
          aria-pressed={state === shownReply}
          disabled={isPending}
          onClick={() => mutate({ parameters: { state }, idempotencyKey: crypto.randomUUID() })}
        >
          {state}
        </button>
      ))}
      {error && <span role="alert"> {error.message}</span>}
    </li>
  )
}
