import { describe, expect, it } from 'vitest'
import { compile } from './compiler.ts'

const PRELUDE = [
  `import { createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'`,
  `import { createHandler } from 'kithgraph/http'`,
  `import { createMemoryStore } from 'kithgraph/memory'`,
  `import { update, updateEdge } from 'kithgraph/update'`,
  `const store = createMemoryStore()`,
  `const graph = createGraph(store)`,
  `const search = edge('event', { parameters: { q: parameter.string({ required: true }) } })`,
  `const event = node({ fields: { title: field.string() }, edges: { attendees: edge('person'), search } })`,
  `const schema = defineSchema({ event, person: node({ fields: { name: field.string() } }) })`,
  `const events = createGraph(store, { schema })`,
  `const photo = { id: '4', type: 'photo' } as const`,
  `const user = { id: '4', type: 'user' } as const`,
]

/** A mistake, code with this mistake, and a word that the first line of its error contains. */
const MISTAKES: readonly (readonly [mistake: string, code: string, word: string])[] = [
  ['a misspelt field', `graph.getNode('t', { ...photo, fields: 'name,widht' })`, `'widht'`],
  ['a misspelt field of viewers', `graph.getMe('t', { fields: 'nmae' })`, `'nmae'`],
  [
    'a misspelt field of entries',
    `graph.getEdge('t', { ...photo, edge: 'likes', fields: 'nmae' })`,
    `'nmae'`,
  ],
  ['a misspelt edge', `graph.getEdge('t', { ...photo, edge: 'liks' })`, `"liks"`],
  ['a misspelt edge of any type', `graph.getEdge('t', { id: '4', edge: 'liks' })`, `"liks"`],
  ['a misspelt modifier', `graph.getNode('t', { ...photo, fields: 'likes.limt(2)' })`, `'limt'`],
  ['a misspelt type', `graph.getNode('t', { id: '4', type: 'phto' })`, `"phto"`],
  ['an unknown option of getMe', `graph.getMe('t', { feilds: 'name' })`, `'feilds'`],
  ['an unknown option of getNode', `graph.getNode('t', { ...photo, feilds: 'name' })`, `'feilds'`],
  ['an unknown option of getNodes', `graph.getNodes('t', { ids: ['4'], feilds: 'name' })`, `'feilds'`],
  ['an unknown option of getEdge', `graph.getEdge('t', { ...photo, edge: 'likes', limt: 2 })`, `'limt'`],
  [
    'an unknown option of iterateEdge',
    `graph.iterateEdge('t', { ...photo, edge: 'likes', limt: 2 })`,
    `'limt'`,
  ],
  ['an unknown option of explain', `graph.explain({ type: 'photo', feilds: 'name' })`, `'feilds'`],
  ['an unknown option of write', `graph.write([], { signl: undefined })`, `'signl'`],
  ['an unknown option of load', `graph.load([], { batchSize: 5 })`, `'batchSize'`],
  ['an unknown option of createGraph', `createGraph(store, { appId: undefined })`, `'appId'`],
  ['an unknown limit of createGraph', `createGraph(store, { limits: { deadline: 5 } })`, `'deadline'`],
  ['an unknown option of createHandler', `createHandler(graph, { basepath: '' })`, `'basepath'`],
  ['an unknown limit of createHandler', `createHandler(graph, { limits: { bodyTime: 5 } })`, `'bodyTime'`],
  ['an unknown option of issue', `graph.tokens.issue({ app: 'demo', expiresIn: 5 })`, `'expiresIn'`],
  ['a limit of another type', `graph.getEdge('t', { ...photo, edge: 'likes', limit: '2' })`, `'PageLimit'`],
  [
    'a misspelt parameter of an edge',
    `graph.getEdge('t', { ...user, edge: 'photos', parameters: { typ: 'uploaded' } })`,
    `'typ'`,
  ],
  [
    'a value that a parameter does not have',
    `graph.iterateEdge('t', { ...user, edge: 'photos', parameters: { type: 'upload' } })`,
    `"upload"`,
  ],
  [
    'a missing parameter',
    `events.getEdge('t', { id: '4', type: 'event', edge: 'search' })`,
    `'GetEdgeOptions<`,
  ],
  [
    'a parameter in a write that the edge does not have',
    `graph.write([{ op: 'putEdge', edge: { source: '4', name: 'likes', target: '5', parameters: {} } }])`,
    `'parameters'`,
  ],
  ['a missing id', `graph.getNode('t', { type: 'photo' })`, `'GetNodeOptions<`],
  ['a misspelt op', `graph.write([{ op: 'putNde', id: '4' }])`, `"putNde"`],
  [
    'a misspelt field of putNode',
    `graph.write([{ op: 'putNode', node: { ...photo, fields: { widht: 4 } } }])`,
    `'widht'`,
  ],
  [
    'a misspelt member of a node',
    `graph.write([{ op: 'putNode', node: { ...photo, feilds: {}, fields: {} } }])`,
    `'feilds'`,
  ],
  [
    'a misspelt field of patchNode',
    `graph.write([{ op: 'patchNode', id: '4', fields: { nmae: 'Ada' } }])`,
    `'nmae'`,
  ],
  [
    'a misspelt edge of putEdge',
    `graph.write([{ op: 'putEdge', edge: { source: '4', name: 'liks', target: '5' } }])`,
    `"liks"`,
  ],
  ['a misspelt type of update', `update(graph, { type: 'phto', id: '4' }, () => {})`, `"phto"`],
  ['an unknown option of update', `update(graph, { ...photo, feilds: [] }, () => {})`, `'feilds'`],
  ['a misspelt field of a draft', `update(graph, photo, draft => void draft.widht)`, `'widht'`],
  [
    'a misspelt edge of updateEdge',
    `updateEdge(graph, { source: '4', name: 'liks', target: '5' }, () => {})`,
    `"liks"`,
  ],
  // A schema other than the social schema.
  [
    'a misspelt field of another schema',
    `events.getNode('t', { id: '4', type: 'event', fields: 'titel' })`,
    `'titel'`,
  ],
  [
    'an unknown option with another schema',
    `events.getEdge('t', { id: '4', type: 'event', edge: 'attendees', limt: 2 })`,
    `'limt'`,
  ],
]

const { errors } = compile({ 'mistakes.ts': [...PRELUDE, ...MISTAKES.map(([, code]) => code)].join('\n') })

describe('the first line of a compile error', () => {
  it.each(MISTAKES.map(([mistake, , word], index) => [mistake, word, PRELUDE.length + index + 1] as const))(
    'for %s has at most 400 characters and contains %s',
    (_mistake, word, line) => {
      const firstLines = errors
        .filter(error => error.line === line)
        .map(({ text }) => text.split('\n')[0] ?? '')
      expect(firstLines).toEqual([expect.stringContaining(word)])
      expect(firstLines[0]?.length).toBeLessThanOrEqual(400)
    },
  )

  it('is never about the declarations before the mistakes', () => {
    expect(errors.filter(({ line }) => line <= PRELUDE.length)).toEqual([])
  })
})
