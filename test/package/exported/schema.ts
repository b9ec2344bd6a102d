import {
  allOf,
  anyOf,
  canSee,
  collection,
  defineFieldType,
  defineSchema,
  edge,
  field,
  fieldEquals,
  hasEdgeToViewer,
  hasScope,
  isViewer,
  node,
  not,
  parameter,
  socialSchema,
  viewerHasEdge,
} from 'kithgraph'

export const rules = [
  allOf(isViewer(), hasScope('email')),
  anyOf(canSee('author'), viewerHasEdge('friends')),
  not(hasEdgeToViewer('friends')),
  fieldEquals('enum', 'public'),
]

export const color = defineFieldType({
  name: 'color',
  expected: 'a color such as "#ff0000"',
  parse: value => (typeof value === 'string' ? value : undefined),
  serialize: stored => stored,
})

export const parameters = {
  enum: parameter.enum(['small', 'large'], { default: 'small' }),
  int: parameter.int({ required: true }),
  float: parameter.float(),
  bool: parameter.bool(),
  string: parameter.string(),
  datetime: parameter.datetime(),
  id: parameter.id(),
}

export const fields = {
  string: field.string({ required: true, default: true, policy: [isViewer()] }),
  numericString: field.numericString(),
  bool: field.bool({ present: true }),
  int: field.int({ scope: 'numbers' }),
  float: field.float(),
  url: field.url(),
  datetime: field.datetime({ required: true }),
  unixtime: field.unixtime({ since: 'v1.0' }),
  date: field.date(),
  birthday: field.birthday(),
  picture: field.picture(),
  ageRange: field.ageRange(),
  enum: field.enum(['draft', 'public'], { required: true }),
  list: field.list(field.string()),
  map: field.map(field.int()),
  object: field.object({ width: field.int({ required: true }), height: field.int() }),
  json: field.json<{ theme: string }>(),
  color: field.of(color),
  computed: field.string({ parameters, resolve: records => records.map(({ id }) => id) }),
  is_friend: field.viewerEdge('friends'),
  friend_since: field.viewerEdge('friends', { field: 'since' }),
}

export const user = node({
  policy: [isViewer(), viewerHasEdge('friends')],
  fields,
  edges: {
    friends: edge('user', {
      fields: { since: field.edgeTime(), note: field.string() },
      defaults: ['string'],
      symmetric: true,
    }),
    posts: edge(['post'], {
      parameters: { kind: parameter.enum(['draft', 'public'], { default: 'public' }) },
      list: ({ kind }) => `posts_${kind}`,
      orders: { newest: 'time', title: { by: 'title' } },
      order: 'newest',
    }),
    found: edge('post', {
      parameters: { q: parameter.string({ required: true }) },
      resolve: users => users.map(() => ({ entries: [], hasMore: false })),
    }),
  },
})

export const post = node({
  fields: {
    title: field.string({ default: true, required: true }),
    author: field.ref('user', { required: true }),
    subject: field.ref(['user', 'post']),
  },
})

export const schema = defineSchema(
  { user, post },
  { viewers: ['user'], collections: { posts: collection('post', { by: 'title' }) } },
)

export const extendedSchema = socialSchema.extend({
  user: { fields: { nickname: field.string() }, edges: { posts_read: edge('post') } },
})
