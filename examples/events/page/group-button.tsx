import { client, type FeedGroup } from './queries.ts'
import { useAction } from './use-action.ts'
import { tokenOf, type Viewer } from './viewers.ts'

type ButtonProps = { readonly viewer: Viewer; readonly group: FeedGroup }

const JoinButton = ({ viewer, group: { id } }: ButtonProps) => {
  const { mutate, isPending, error } = useAction<undefined>(input =>
    client.callAction(tokenOf(viewer), { type: 'group', id, action: 'members.add', ...input }),
  )
  const join = () => mutate({ parameters: undefined, idempotencyKey: crypto.randomUUID() })
  return (
    <>
      <button type="button" disabled={isPending} onClick={join}>
        Join
      </button>
      {error && <span role="alert"> {error.message}</span>}
    </>
  )
}

const PrivacyButton = ({ viewer, group: { id, privacy } }: ButtonProps) => {
  const { mutate, isPending, error } = useAction<{ readonly privacy: 'open' | 'private' }>(input =>
    client.callAction(tokenOf(viewer), { type: 'group', id, action: 'update', ...input }),
  )
  const next = privacy === 'private' ? 'open' : 'private'
  const change = () => mutate({ parameters: { privacy: next }, idempotencyKey: crypto.randomUUID() })
  return (
    <>
      <button type="button" disabled={isPending} onClick={change}>
        Make {next}
      </button>
      {error && <span role="alert"> {error.message}</span>}
    </>
  )
}

/** The button that joins an open group, and for admins changes the privacy of the group. */
export const GroupButton = ({ viewer, group }: ButtonProps) => {
  if (group.viewer_role === 'admin') return <PrivacyButton viewer={viewer} group={group} />
  if (group.viewer_role !== undefined || group.privacy !== 'open') return null
  return <JoinButton viewer={viewer} group={group} />
}
