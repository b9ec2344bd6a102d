import { allOf, defineFieldType, field, fieldEquals, isViewer, socialSchema, viewerHasEdge } from 'kithgraph'

/** The possible audiences of a photo. */
export const AUDIENCES = ['public', 'friends', 'me'] as const

/** An http(s) URL. Pages render it as a link, so it must not be a `javascript:` URL. */
const webLink = defineFieldType({
  name: 'url',
  expected: 'a URL that begins with http: or https:',
  parse: (value: string) =>
    URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined,
  serialize: link => link,
})

/** The social schema, with an audience for each photo, and the policy that enforces the audience. */
export const schema = socialSchema.extend({
  photo: {
    fields: {
      audience: field.enum(AUDIENCES, { required: true, description: 'Who may see it.' }),
      link: field.of(webLink, { description: 'The URL of the picture.' }),
    },
    policy: [
      isViewer({ of: 'from' }),
      fieldEquals('audience', 'public'),
      allOf(fieldEquals('audience', 'friends'), viewerHasEdge('friends', { of: 'from' })),
    ],
  },
})
