import { edge, field, socialSchema } from 'kithgraph'

/** The social schema, with a field of the novel for two people who appear together. */
export const demoSchema = socialSchema.extend({
  user: {
    edges: {
      friends: edge('user', {
        symmetric: true,
        scope: 'user_friends',
        description: 'Who appears together with the person.',
        fields: { chapters: field.int({ description: 'In how many chapters they appear together.' }) },
      }),
    },
  },
})
