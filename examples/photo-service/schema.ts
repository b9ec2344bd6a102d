import { allOf, defineFieldType, field, fieldEquals, isViewer, socialSchema, viewerHasEdge } from 'kithgraph'

/** Whom a photo may be for. */
export const AUDIENCES = ['public', 'friends', 'me'] as const

/** Pages make links of these: a `javascript:` URL must not become one. */
const webLink = defineFieldType({
  name: 'url',
  expected: 'a URL that begins with http: or https:',
  parse: (value: string) =>
    URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined,
  serialize: link => link,
})

/** The social schema, with an audience for each photo, and the policy that keeps it. */
export const schema = socialSchema.extend({
  photo: {
    fields: {
      audience: field.enum(AUDIENCES, { required: true, description: 'Whom it is for.' }),
      link: field.of(webLink, { description: 'Where it lies.' }),
    },
    policy: [
      isViewer({ of: 'from' }),
      fieldEquals('audience', 'public'),
      allOf(fieldEquals('audience', 'friends'), viewerHasEdge('friends', { of: 'from' })),
    ],
  },
})
