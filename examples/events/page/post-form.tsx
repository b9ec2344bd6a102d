import type { SubmitEvent } from 'react'
import { client, type FeedGroup } from './queries.ts'
import { useAction } from './use-action.ts'
import { tokenOf, type Viewer } from './viewers.ts'

/** The form for a post in a group, for its admins and members. */
export const PostForm = ({ viewer, group }: { viewer: Viewer; group: FeedGroup }) => {
  const { id, name, viewer_role } = group
  const { mutate, isPending, error } = useAction<{ readonly text: string }>(input =>
    client.callAction(tokenOf(viewer), { type: 'group', id, action: 'posts.add', ...input }),
  )
  if (viewer_role !== 'admin' && viewer_role !== 'member') return null
  const post = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('text'))
    // A text that is not posted stays in the form.
    mutate({ parameters: { text }, idempotencyKey: crypto.randomUUID() }, { onSuccess: () => form.reset() })
  }
  return (
    <form onSubmit={post}>
      <input name="text" aria-label={`Post in ${name}`} required />{' '}
      <button type="submit" disabled={isPending}>
        Post
      </button>
      {error && <span role="alert"> {error.message}</span>}
    </form>
  )
}
