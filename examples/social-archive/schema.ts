import { defineSchema, edge, field, node } from 'kithgraph'

const since = field.edgeTime({ description: 'When it came about.' })
const from = field.ref('person', { description: 'Who wrote it.' })
const comments = edge('comment', { inverse: 'parent', description: 'The replies, the newest first.' })
const likes = edge('person', {
  inverse: 'likes',
  fields: { since },
  description: 'The people who like it.',
})

/** What the archive tells of a social network. It has neither texts nor dates of messages. */
export const archiveSchema = defineSchema(
  {
    person: node({
      description: 'A member of the network.',
      fields: {
        first_name: field.string({ default: true, required: true }),
        last_name: field.string({ default: true, required: true }),
        gender: field.string(),
        birthday: field.birthday(),
        created_time: field.datetime({ description: 'When the person joined.' }),
        location_ip: field.string({ description: 'Where the person joined from.' }),
        browser: field.string({ description: 'What the person joined with.' }),
        viewer_knows: field.viewerEdge('friends', { description: 'Whether the viewer knows the person.' }),
      },
      edges: {
        city: edge('place', { description: 'Where the person lives: one place.' }),
        friends: edge('person', {
          symmetric: true,
          fields: { since },
          description: 'Whom the person knows.',
        }),
        messages: edge(['post', 'comment'], { description: 'What the person wrote, the newest first.' }),
        likes: edge(['post', 'comment'], {
          inverse: 'likes',
          fields: { since },
          description: 'The messages that the person likes.',
        }),
        moderates: edge('group', {
          inverse: 'moderator',
          description: 'The groups that the person looks after.',
        }),
      },
    }),
    group: node({
      description: 'A forum: a wall, an album or a group.',
      fields: {
        title: field.string({ default: true, required: true }),
        created_time: field.datetime({ description: 'When the group was made.' }),
      },
      edges: {
        moderator: edge('person', {
          inverse: 'moderates',
          description: 'Who looks after the group: one person.',
        }),
        posts: edge('post', { inverse: 'group', description: 'The posts in the group, the newest first.' }),
      },
    }),
    post: node({
      description: 'A message that begins a thread.',
      fields: { from },
      edges: {
        group: edge('group', { inverse: 'posts', description: 'Where it was posted: one group.' }),
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
          description: 'What it replies to: one message.',
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
