import { collection, edge, field, parameter, socialSchema } from 'kithgraph'

/** A time that every node of a type has, so that a collection can be ordered by it. */
const createdTime = field.datetime({
  default: true,
  required: true,
  description: 'The time of publication.',
})

/**
 * The social schema with the number of chapters in which two people appear together, an order by this number,
 * and collections.
 */
export const demoSchema = socialSchema.extend(
  {
    user: {
      edges: {
        friends: edge('user', {
          symmetric: true,
          scope: 'user_friends',
          description: 'The people who appear together with the person.',
          fields: {
            chapters: field.int({
              required: true,
              description: 'The number of chapters in which both appear.',
            }),
          },
          orders: { closest: { by: 'chapters' } },
        }),
      },
    },
    post: { fields: { created_time: createdTime } },
    photo: { fields: { created_time: createdTime } },
  },
  {
    collections: {
      people: collection('user', {
        order: 'chronological',
        description: 'The people of the novel.',
        parameters: {
          gender: parameter.enum(['female', 'male'], { description: 'Only people with this gender.' }),
        },
        where: ({ target }, { gender }) => target.fields.gender === gender,
        reads: ['gender'],
      }),
      pages: collection('page', {
        order: 'chronological',
        description: 'The pages, which people like.',
        defaults: ['name', 'category'],
      }),
      posts: collection('post', {
        by: 'created_time',
        description: 'What people wrote, newest first.',
        defaults: ['created_time', 'message', 'from'],
        parameters: { author: parameter.id({ description: 'Only posts of this person.' }) },
        where: ({ target }, { author }) => target.fields.from === author,
        reads: ['from'],
      }),
      photos: collection('photo', {
        by: 'created_time',
        description: 'The photos, newest first.',
        defaults: ['created_time', 'name', 'from'],
      }),
    },
  },
)
