import { field } from '../field-builders.ts'

/** The fields that several types of the social schema share. */
export const createdTime = field.datetime({ default: true, description: 'When it was published.' })
export const updatedTime = field.datetime({ description: 'When it last changed.' })
export const link = field.url({ description: 'Where it can be seen on the web.' })
export const picture = field.picture({
  description: 'The picture, in the size that width, height or type choose.',
})
export const from = field.ref(['user', 'page'], { description: 'The person or page that published it.' })
export const message = field.string({ default: true, description: 'The text of it.' })
export const viewerLikes = field.viewerEdge('likes', { description: 'Whether the viewer likes it.' })
export const displayName = field.string({
  default: true,
  required: true,
  description: 'The name it goes by.',
})
