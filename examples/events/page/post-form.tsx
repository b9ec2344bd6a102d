import { client, type FeedGroup } from './queries.ts'
import { useAction } from './use-action.ts'
import { tokenOf, type Viewer } from './viewers.ts'

/** The form for a post in a group, for its admins and members. */
export const PostForm = ({ viewer, group }: { viewer: Viewer; group: FeedGroup }) => {
  const { mutate, isPending } = useAction((text: string, idempotencyKey) =>
    client.callAction(tokenOf(viewer), {
      type: 'group',
      id: group.id,
      action: 'posts.add',
      parameters: { text },
      idempotencyKey,
    }),
  )
  if (group.viewer_role !== 'admin' && group.viewer_role !== 'member') return null
  return (
    <form action={form => mutate(String(form.get('text')))}>
      <input name="text" aria-label={`Post in ${group.name}`} required />{' '}
      <button type="submit" disabled={isPending}>
        Post
      </button>
    </form>
  )
}
