import { edge, field, socialSchema } from 'kithgraph'

/** The social schema, with one more field: the number of chapters in which two people appear together. */
export const demoSchema = socialSchema.extend({
  user: {
    edges: {
      friends: edge('user', {
        symmetric: true,
        scope: 'user_friends',
        description: 'The people who appear together with the person.',
        fields: { chapters: field.int({ description: 'The number of chapters in which both appear.' }) },
      }),
    },
  },
})
