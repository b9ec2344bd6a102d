/**
 * Prints all groups with their counts, and the posts and events that a visitor does not see. It reads past the
 * policies in its own process. No token over HTTP can do so.
 *
 *     npx tsx examples/events/admin.ts sqlite:./events.db
 */
import type { Session } from 'kithgraph'
import { openStore } from '../shared/open-store.ts'
import { openEvents } from './graph.ts'

const [storeUrl = 'memory:'] = process.argv.slice(2)
const graph = await openEvents(await openStore(storeUrl, 'events'), event => {
  if (event.kind !== 'query' || !event.bypassedPolicies) return
  // The event names no person. A real tool adds who runs it, and writes the line to a log.
  console.log(`audit: ${event.method} past the policies, with ${event.reads} store reads`)
})

/** Reads the newest groups, with their newest posts and events. */
const readGroups = async (session: Session) => {
  const { data } = await graph.getEdge(session, {
    id: 'root',
    edge: 'groups',
    order: 'reverse_chronological',
    fields: [
      'name,privacy,members.limit(0).summary(true)',
      'posts.summary(true){text,from{name}}',
      'events.summary(true){title,status}',
    ],
  })
  return data
}

type Group = Awaited<ReturnType<typeof readGroups>>[number]

const contentsOf = ({ posts, events }: Group) => [
  ...posts.data.map(({ id, from, text }) => ({ id, line: `post by ${from?.name}: ${text}` })),
  ...events.data.map(({ id, title, status }) => ({ id, line: `${status} event: ${title}` })),
]

const visible = await readGroups(graph.session({ app: 'admin' }))
const visibleIds = new Set(visible.flatMap(contentsOf).map(({ id }) => id))
for (const group of await readGroups(graph.session({ app: 'admin', bypassPolicies: true }))) {
  const [members, posts, events] = [group.members, group.posts, group.events].map(
    ({ summary }) => summary?.total_count,
  )
  console.log(`${group.name} (${group.privacy}), members: ${members}, posts: ${posts}, events: ${events}`)
  for (const { id, line } of contentsOf(group)) if (!visibleIds.has(id)) console.log(`  hidden ${line}`)
}
await graph.close()
