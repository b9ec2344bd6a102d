import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEditor } from '../package/editor.ts'
import { readOptions } from './compiler.ts'

const editor = openEditor(resolve(import.meta.dirname, '../..'), readOptions())

const PRELUDE = `
  import { createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
  import { createMemoryStore } from 'kithgraph/memory'
  import { update, updateEdge } from 'kithgraph/update'
  const inferred = defineSchema({
    event: node({
      fields: { title: field.string({ default: true, required: true }) },
      edges: {
        attendees: edge('person', {
          parameters: { state: parameter.enum(['going', 'no']), since: parameter.datetime({ required: true }) },
          where: ({ data }, { state }) => data.state === state,
        }),
      },
    }),
    person: node({ fields: { name: field.string({ default: true }) } }),
  })
  type Inferred = typeof inferred
  interface EventSchema extends Inferred {}
  const schema: EventSchema = inferred
`
const ACTIONS = `
  import { actionsOf } from 'kithgraph/actions'
  const action = actionsOf(defineSchema(inferred.types, { viewers: ['person'] }))
  const run = () => undefined
  const actions = [
    action('event', 'move', { policy: 'anyone', parameters: { to: parameter.string({ required: true }) }, run }),
    action('person', 'rename', { policy: 'anyone', run }),
  ]
  const acting = createGraph(createMemoryStore(), { schema: defineSchema(inferred.types, { viewers: ['person'] }), actions })
`
const GRAPHS = `
  const ▮graph = createGraph(createMemoryStore())
  const ▮events = createGraph(createMemoryStore(), { schema })
`
const CALLS = [
  `graph.▮getMe('token')`,
  `graph.▮getMe('token', { fields: 'name,link,photos.limit(2){name,likes{name}}', debug: 'all' })`,
  `graph.▮getNode('token', { id: '4', type: 'photo', fields: 'name,from{name},comments{message}' })`,
  `graph.▮getNodes('token', { ids: ['4'] })`,
  `graph.▮getEdge('token', { id: '4', type: 'photo', edge: 'likes', summary: true })`,
  `graph.▮getEdges('token', { ids: ['4'], type: 'photo', edge: 'likes' })`,
  `graph.▮hasEdge('token', { id: '4', type: 'photo', edge: 'likes', target: 'me' })`,
  `graph.▮iterateEdge('token', { id: '4', type: 'photo', edge: 'likes', fields: 'name' })`,
  `graph.▮explain({ type: 'photo', fields: 'name' })`,
  `graph.▮write([{ op: 'deleteNode', id: '4' }])`,
  `graph.▮load([])`,
  `events.▮getMe('token')`,
  `events.▮getNode('token', { id: '4', type: 'event', fields: 'title,attendees{name}' })`,
  `events.▮getEdge('token', { id: '4', type: 'event', edge: 'attendees', parameters: { state: 'no', since: 0 } })`,
  `events.▮hasEdge('token', { id: '4', type: 'event', edge: 'attendees', target: '5', parameters: { since: 0 } })`,
  `events.▮write([{ op: 'deleteNode', id: '4' }])`,
]
const RESULTS = `
  const ▮me = await graph.▮getMe('token', { fields: 'name,about' })
  const ▮page = await graph.getEdge('token', { id: '4', type: 'photo', edge: 'likes' })
  void [me, page]
  await ▮update(graph, { type: 'user', id: '4' }, ▮draft => void draft.name)
  await ▮updateEdge(events, { source: '4', name: 'attendees', target: '5' }, ▮draft => void draft)
  await events.getEdge('token', { id: '4', type: 'event', edge: 'attendees', ▮parameters: { ▮state: 'no', since: 0 } })
  edge('person', { parameters: { big: parameter.bool() }, list: ▮values => 'a' + values.big })
`

const code = [PRELUDE, GRAPHS, ...CALLS, RESULTS].join('\n')
const errors = editor.errors(code.replaceAll('▮', ''))
const [graph = '', events = '', ...hovers] = editor.hovers(code)
const [me, getMe, page, ...otherHovers] = hovers.slice(CALLS.length).map(text => text.replaceAll(/\s+/g, ' '))
const updates = otherHovers.slice(0, 4)
const parameters = otherHovers.slice(4)

describe('the text that an editor shows for a value', () => {
  it('comes from code without errors', () => {
    expect(errors).toEqual([])
  })

  it('is Graph<SocialSchema> for a graph of the social schema', () => {
    expect(graph).toBe('const graph: Graph<SocialSchema>')
  })

  it('is Graph with the interface of the schema for a graph of another schema', () => {
    expect(events).toBe('const events: Graph<EventSchema>')
  })

  it.each(CALLS.map((call, index) => [call.replace('▮', ''), hovers[index] ?? ''] as const))(
    'has names of types and at most 800 characters for a method: %s',
    (_call, text) => {
      expect(text).toMatch(/^\(method\) \w+<(?:Social|Event)Schema\b/)
      expect(text).not.toMatch(/NodeType|TypedValueField|\$\d/)
      expect(text.length).toBeLessThanOrEqual(800)
    },
  )

  it('has the parameters and the result of getMe', () => {
    expect(getMe).toBe(
      '(method) NodeReads<SocialSchema, string | Session>' +
        '.getMe<"name,about", undefined, undefined, undefined>(token: string | Session, ' +
        'options?: GetMeOptions<"name,about", undefined, undefined, undefined> | undefined): ' +
        'Promise<{ id: PublicId; name: string; about?: string; }>',
    )
  })

  it('has names of types for the functions of kithgraph/update and their drafts', () => {
    expect(updates).toEqual([
      '(alias) update<SocialSchema, "user">(graph: Graph<SocialSchema>, options: UpdateOptions<SocialSchema, "user">, ' +
        'recipe: (draft: NodeDraft<SocialSchema, "user">) => RecipeResult): Promise<WriteResult> import update',
      '(parameter) draft: NodeDraft<SocialSchema, "user">',
      '(alias) updateEdge<EventSchema, "attendees">(graph: Graph<EventSchema>, ' +
        'options: UpdateEdgeOptions<EventSchema, "attendees">, ' +
        'recipe: (draft: EdgeDraft<EventSchema, "attendees">) => RecipeResult): Promise<WriteResult> import updateEdge',
      '(parameter) draft: EdgeDraft<EventSchema, "attendees">',
    ])
  })

  it('has the names and values of parameters', () => {
    expect(parameters).toEqual([
      '(property) parameters: { readonly since: string | number | Date; readonly state?: "going" | "no" | undefined; }',
      '(property) state?: "going" | "no" | undefined',
      '(parameter) values: { readonly big: boolean | undefined; }',
    ])
  })

  it('has the members of a node, and the name Page for a page', () => {
    expect(me).toBe('const me: { id: PublicId; name: string; about?: string; }')
    expect(page).toBe('const page: Page<{ id: PublicId; name: string; }>')
  })
})

describe('the names that an editor offers', () => {
  const complete = (options: string): string[] =>
    editor.completions(`${PRELUDE}
      createGraph(createMemoryStore(), { schema }).getEdge('t', { id: '4', type: 'event', edge: 'attendees', ${options} })
    `)

  it('are the parameters of the edge, and the words of an enum', () => {
    expect(complete('parameters: { ▮ }')).toEqual(['since', 'state'])
    expect(complete(`parameters: { since: 0, state: '▮' }`)).toEqual(['going', 'no'])
  })

  it.each([
    [`action('▮')`, ['event', 'person']],
    [`action('event', 'copy', { policy: '▮', run })`, ['anyone']],
    [`action('event', 'copy', { policy: 'anyone', returns: '▮', run })`, ['event', 'person']],
    [
      `action('event', 'copy', { policy: 'anyone', failures: ['full'], run: ({ fail }) => fail('▮') })`,
      ['full'],
    ],
    [`acting.callAction('t', { type: '▮' })`, ['event', 'person']],
    [`acting.callAction('t', { type: 'event', id: '4', action: '▮' })`, ['move']],
    [`acting.callAction('t', { type: 'event', id: '4', action: 'move', parameters: { ▮ } })`, ['to']],
    [`acting.callAction('t', { id: 'me', action: '▮' })`, ['rename']],
  ])('are those of the declarations and calls of actions: %s', (code, names) => {
    expect(editor.completions(`${PRELUDE}${ACTIONS}${code}`).toSorted()).toEqual(names)
  })
})
