import { edge } from '../edge.ts'
import { field } from '../field-builders.ts'
import { node } from '../node.ts'
import { parameter } from '../parameter.ts'
import { createdTime, from, link, message, picture, updatedTime, viewerLikes } from './shared-fields.ts'

const comments = edge('comment', {
  order: 'chronological',
  description: 'The comments on it, oldest first.',
  parameters: {
    filter: parameter.enum(['toplevel', 'stream'], {
      default: 'toplevel',
      description: 'Whether the list has the comments on it only (toplevel), or all replies too (stream).',
    }),
  },
  /** The list with all replies is separate, and an application writes to both lists. */
  list: ({ filter }) => (filter === 'stream' ? 'comments_stream' : 'comments'),
})
const likes = edge('user', { description: 'The people who like it.' })

export const post = node({
  description: 'A post on a profile or a page, or in a group.',
  fields: {
    created_time: createdTime,
    message,
    from,
    to: field.ref(['page', 'group'], { description: 'The page or group that it was posted to.' }),
    link,
    picture,
    type: field.string({ description: 'The kind of post: status, link, photo, video and so on.' }),
    updated_time: updatedTime,
    viewer_likes: viewerLikes,
  },
  edges: {
    comments,
    likes,
    photos: edge('photo', { defaults: ['created_time'], description: 'The photos that belong to the post.' }),
  },
})

export const photo = node({
  description: 'A photo.',
  fields: {
    created_time: createdTime,
    name: field.string({ description: 'The caption.' }),
    from,
    height: field.int({ description: 'The height of the original, in pixels.' }),
    width: field.int({ description: 'The width of the original, in pixels.' }),
    icon: field.url({ description: 'An icon for the kind of photo.' }),
    images: field.list(
      field.object({
        source: field.url({ required: true }),
        width: field.int({ required: true }),
        height: field.int({ required: true }),
      }),
      { description: 'The photo in all sizes.' },
    ),
    link,
    picture,
    updated_time: updatedTime,
    viewer_likes: viewerLikes,
  },
  edges: { comments, likes },
})

export const comment = node({
  description: 'A comment on a post, a photo or another comment.',
  fields: {
    created_time: createdTime,
    message,
    from,
    parent: field.ref(['post', 'photo', 'comment'], {
      description: 'The post, photo or comment that it replies to.',
    }),
    viewer_likes: viewerLikes,
  },
  edges: { comments, likes },
})
