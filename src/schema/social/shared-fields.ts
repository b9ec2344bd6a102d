import { field } from '../field-builders.ts'

// The fields that several types of the social schema share.

export const createdTime = field.datetime({ default: true, description: 'The time of publication.' })
export const updatedTime = field.datetime({ description: 'The time of the last change.' })
export const link = field.url({ description: 'The URL to open in a browser.' })
export const picture = field.picture({
  description: 'The picture. The parameters width, height and type choose its size.',
})
export const from = field.ref(['user', 'page'], { description: 'The person or page that published it.' })
export const message = field.string({ default: true, description: 'The text.' })
export const viewerLikes = field.viewerEdge('likes', { description: 'Whether the viewer likes it.' })
export const displayName = field.string({
  default: true,
  required: true,
  description: 'The name.',
})
