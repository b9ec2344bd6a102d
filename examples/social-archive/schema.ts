import { defineSchema, edge, field, node } from 'kithgraph'

const since = field.edgeTime({ description: 'The time of the connection.' })
const from = field.ref('person', { description: 'The author.' })
const comments = edge('comment', { inverse: 'parent', description: 'The replies, the newest first.' })
const likes = edge('person', {
  inverse: 'likes',
  fields: { since },
  description: 'The people who like it.',
})

/** The schema of the archive, which does not contain the texts and dates of messages. */
export const archiveSchema = defineSchema(
  {
    person: node({
      description: 'A member of the network.',
      fields: {
        first_name: field.string({ default: true, required: true }),
        last_name: field.string({ default: true, required: true }),
        gender: field.string(),
        birthday: field.birthday(),
        created_time: field.datetime({ description: 'The time when the person joined.' }),
        location_ip: field.string({ description: 'The IP address from which the person joined.' }),
        browser: field.string({ description: 'The browser with which the person joined.' }),
        viewer_knows: field.viewerEdge('friends', { description: 'Whether the viewer knows the person.' }),
      },
      edges: {
        city: edge('place', { description: 'The city of the person: one place.' }),
        friends: edge('person', {
          symmetric: true,
          fields: { since },
          description: 'The people that the person knows.',
        }),
        messages: edge(['post', 'comment'], { description: 'The messages of the person, the newest first.' }),
        likes: edge(['post', 'comment'], {
          inverse: 'likes',
          fields: { since },
          description: 'The messages that the person likes.',
        }),
        moderates: edge('group', {
          inverse: 'moderator',
          description: 'The groups that the person moderates.',
        }),
      },
    }),
    group: node({
      description: 'A forum: a wall, an album or a group.',
      fields: {
        title: field.string({ default: true, required: true }),
        created_time: field.datetime({ description: 'The time when the group was created.' }),
      },
      edges: {
        moderator: edge('person', {
          inverse: 'moderates',
          description: 'The moderator of the group: one person.',
        }),
        posts: edge('post', { inverse: 'group', description: 'The posts in the group, the newest first.' }),
      },
    }),
    post: node({
      description: 'A message that begins a thread.',
      fields: { from },
      edges: {
        group: edge('group', { inverse: 'posts', description: 'The group of the post: one group.' }),
        comments,
        likes,
      },
    }),
    comment: node({
      description: 'A message that replies to another.',
      fields: { from },
      edges: {
        parent: edge(['post', 'comment'], {
          inverse: 'comments',
          description: 'The message that it replies to: one message.',
        }),
        comments,
        likes,
      },
    }),
    place: node({
      description: 'A city, a country or a continent.',
      fields: { name: field.string({ default: true, required: true }), kind: field.string() },
    }),
  },
  { viewers: ['person'] },
)
