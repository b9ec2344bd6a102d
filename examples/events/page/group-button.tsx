import { client, type FeedGroup } from './queries.ts'
import { useAction } from './use-action.ts'
import { tokenOf, type Viewer } from './viewers.ts'

type Change = 'join' | 'open' | 'private'

/** Returns the change that the viewer may make to a group. */
const changeOf = ({ privacy, viewer_role }: FeedGroup): Change | undefined => {
  if (viewer_role === 'admin') return privacy === 'private' ? 'open' : 'private'
  return viewer_role === undefined && privacy === 'open' ? 'join' : undefined
}

/** The button that joins an open group, and for admins changes the privacy of the group. */
export const GroupButton = ({ viewer, group }: { viewer: Viewer; group: FeedGroup }) => {
  const { mutate, isPending } = useAction((change: Change, idempotencyKey) => {
    const call = { type: 'group', id: group.id, idempotencyKey } as const
    return change === 'join'
      ? client.callAction(tokenOf(viewer), { ...call, action: 'members.add' })
      : client.callAction(tokenOf(viewer), { ...call, action: 'update', parameters: { privacy: change } })
  })
  const change = changeOf(group)
  if (change === undefined) return null
  return (
    <button type="button" disabled={isPending} onClick={() => mutate(change)}>
      {change === 'join' ? 'Join' : `Make ${change}`}
    </button>
  )
}
