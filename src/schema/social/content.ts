import { edge } from '../edge.ts'
import { field } from '../field-builders.ts'
import { node } from '../node.ts'
import { parameter } from '../parameter-builders.ts'
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
    full_picture: field.url({ description: 'The URL of the picture in full size.' }),
    permalink_url: field.url({ description: 'The permanent URL of the post.' }),
    shares: field.object(
      { count: field.int({ required: true }) },
      { description: 'How often the post was shared.' },
    ),
    story: field.string({ description: 'A text about what happened, such as a changed profile picture.' }),
    type: field.string({ description: 'The kind of post: status, link, photo, video and so on.' }),
    updated_time: updatedTime,
    viewer_likes: viewerLikes,
  },
  edges: {
    comments,
    likes,
    reactions: edge('user', {
      defaults: ['name', 'type'],
      fields: { type: field.string({ description: 'The kind of reaction: LIKE, LOVE, WOW and so on.' }) },
      description: 'The people who reacted to it.',
    }),
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

export const album = node({
  description: 'An album of photos.',
  fields: {
    name: field.string({ default: true, description: 'The title.' }),
    created_time: field.datetime({ default: true, description: 'The time at which the album was created.' }),
    count: field.int({ description: 'The number of photos in the album.' }),
    cover_photo: field.ref('photo', { description: 'The photo that represents the album.' }),
  },
  edges: {
    photos: edge('photo', { defaults: ['created_time'], description: 'The photos in the album.' }),
  },
})
