import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EventItem } from './event-item.tsx'
import { GroupButton } from './group-button.tsx'
import { PostForm } from './post-form.tsx'
import { type FeedGroup, feedQuery } from './queries.ts'
import { VIEWERS, type Viewer } from './viewers.ts'

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

const Group = ({ viewer, group }: { viewer: Viewer; group: FeedGroup }) => (
  <section aria-label={group.name}>
    <h2>{group.name}</h2>
    <p>
      {group.privacy}, your role: {group.viewer_role ?? 'none'} <GroupButton viewer={viewer} group={group} />
    </p>
    <ul>
      {group.events.data.map(event => (
        <EventItem key={event.id} viewer={viewer} event={event} />
      ))}
    </ul>
    <ul>
      {group.posts.data.map(post => (
        <Post key={post.id} post={post} />
      ))}
    </ul>
    <PostForm viewer={viewer} group={group} />
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
      <Feed key={viewer} viewer={viewer} />
    </main>
  )
}
