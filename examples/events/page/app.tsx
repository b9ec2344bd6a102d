import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type FeedGroup, feedQuery } from './queries.ts'
import { VIEWERS, type Viewer } from './viewers.ts'
import { useWrite } from './write.ts'

const REPLIES = ['going', 'maybe', 'no'] as const

const Event = ({ viewer, event }: { viewer: Viewer; event: FeedGroup['events']['data'][number] }) => {
  const { mutate, isPending } = useWrite(viewer)
  const { id, title, status, viewer_reply } = event
  const reply = (state: string) =>
    mutate({ method: 'PUT', path: `/events/${id}/attendance`, body: { state } })
  return (
    <li aria-label={title}>
      {title}
      {status === 'draft' && ' (draft)'}
      {REPLIES.map(state => (
        <button
          key={state}
          type="button"
          aria-pressed={state === viewer_reply}
          disabled={isPending}
          onClick={() => reply(state)}
        >
          {state}
        </button>
      ))}
    </li>
  )
}

const Post = ({ post }: { post: FeedGroup['posts']['data'][number] }) => (
  <li>
    {post.from?.name}: {post.text}
    <ul>
      {post.comments.data.map(({ id, from, text }) => (
        <li key={id}>
          {from?.name}: {text}
        </li>
      ))}
    </ul>
  </li>
)

const GroupButton = ({ viewer, group }: { viewer: Viewer; group: FeedGroup }) => {
  const { mutate, isPending } = useWrite(viewer)
  const path = `/groups/${group.id}`
  const { privacy, viewer_role } = group
  const button = (label: string, onClick: () => void) => (
    <button type="button" disabled={isPending} onClick={onClick}>
      {label}
    </button>
  )
  if (viewer_role === 'admin') {
    const next = privacy === 'private' ? 'open' : 'private'
    return button(`Make ${next}`, () => mutate({ method: 'PATCH', path, body: { privacy: next } }))
  }
  if (viewer_role !== undefined || privacy !== 'open') return null
  return button('Join', () => mutate({ method: 'PUT', path: `${path}/membership`, body: {} }))
}

const Group = ({ viewer, group }: { viewer: Viewer; group: FeedGroup }) => (
  <section aria-label={group.name}>
    <h2>{group.name}</h2>
    <p>
      {group.privacy}, your role: {group.viewer_role ?? 'none'} <GroupButton viewer={viewer} group={group} />
    </p>
    <ul>
      {group.events.data.map(event => (
        <Event key={event.id} viewer={viewer} event={event} />
      ))}
    </ul>
    <ul>
      {group.posts.data.map(post => (
        <Post key={post.id} post={post} />
      ))}
    </ul>
  </section>
)

const Feed = ({ viewer }: { viewer: Viewer }) => {
  const { data, error } = useQuery(feedQuery(viewer))
  if (error) return <p role="alert">Something went wrong.</p>
  if (data === undefined) return <p>Loading…</p>
  return data.data.map(group => <Group key={group.id} viewer={viewer} group={group} />)
}

export const App = () => {
  const [viewer, setViewer] = useState<Viewer>('ada')
  const queries = useQueryClient()
  const pick = (name: string) => {
    // The cache contains what the previous viewer saw.
    queries.clear()
    setViewer(VIEWERS.find(viewer => viewer === name) ?? 'ada')
  }
  return (
    <main>
      <label>
        Viewer{' '}
        <select value={viewer} onChange={event => pick(event.target.value)}>
          {VIEWERS.map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <Feed viewer={viewer} />
    </main>
  )
}
