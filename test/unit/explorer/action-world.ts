import { collection, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import type { ActionView } from '../../../src/explorer/action-view.ts'
import type { FormCall, SourceAction } from '../../../src/explorer/page/action/action-call.ts'
import { toSchemaView } from '../../../src/explorer/schema-view.ts'

const schema = defineSchema(
  {
    club: node({
      fields: { title: field.string({ default: true }) },
      edges: { members: edge('person'), posts: edge('post'), rooms: edge('room') },
    }),
    person: node({
      fields: { name: field.string({ default: true }) },
      edges: { friends: edge('person'), clubs: edge('club') },
    }),
    post: node({ fields: { message: field.string({ default: true }) }, edges: { likes: edge('person') } }),
    room: node({ fields: { size: field.int() } }),
  },
  {
    viewers: ['person'],
    collections: {
      people: collection('person'),
      named: collection('person', {
        parameters: { name: parameter.string({ required: true }) },
        where: () => true,
      }),
    },
  },
)
const action = actionsOf(schema)
const options = { policy: 'anyone', run: () => {} } as const

const actions = [
  action('club', 'update', options),
  action('club', 'delete', options),
  action('club', 'members.add', {
    ...options,
    parameters: { target: parameter.node('person', { required: true }), role: parameter.string() },
  }),
  action('club', 'members.remove', {
    ...options,
    parameters: { target: parameter.node('person', { required: true }), reason: parameter.string() },
  }),
  action('club', 'posts.add', { ...options, idempotent: false }),
  action('club', 'close', options),
  action('root', 'people.add', options),
]

/** The view of a schema with actions of all names. */
export const clubSchemaView = toSchemaView(schema, 'v1.0', type =>
  actions.filter(declared => declared.type === type),
)

/** Returns an action of the club 7, or of the root. */
export const findAction = (name: string): SourceAction => {
  for (const [type, id] of [
    ['club', '7'],
    ['root', 'root'],
  ] as const) {
    const views: readonly ActionView[] = clubSchemaView.types.find(view => view.name === type)?.actions ?? []
    const found = views.find(view => view.name === name)
    if (found !== undefined) return { id, type, action: found }
  }
  throw new Error(`No action ${name}`)
}

/** Creates a call of an action of the club 7, or of the root. */
export const createCall = (name: string, call: Partial<FormCall> = {}): FormCall => ({
  ...findAction(name),
  version: 'v1.0',
  values: {},
  fields: '',
  key: undefined,
  ...call,
})
