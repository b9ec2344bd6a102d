import { describe, expect, it } from 'vitest'
import { compile } from './compiler.ts'

const PRELUDE = [
  `import { collection as collectionOf, createGraph, defineSchema, edge, field, isViewer, node, parameter } from 'kithgraph'`,
  `import { actionsOf } from 'kithgraph/actions'`,
  `import { createHandler } from 'kithgraph/http'`,
  `import { createMemoryStore } from 'kithgraph/memory'`,
  `import { back, collection, defineTables, fromParameter, ref, through } from 'kithgraph/tables'`,
  `import { update, updateEdge } from 'kithgraph/update'`,
  `const store = createMemoryStore()`,
  `const graph = createGraph(store)`,
  `const search = edge('event', { parameters: { q: parameter.string({ required: true }) } })`,
  `const event = node({ fields: { title: field.string() }, edges: { attendees: edge('person'), search } })`,
  `const schema = defineSchema({ event, person: node({ fields: { name: field.string() } }) })`,
  `const events = createGraph(store, { schema })`,
  `const photo = { id: '4', type: 'photo' } as const`,
  `const user = { id: '4', type: 'user' } as const`,
  `const action = actionsOf(schema)`,
  `const run = () => undefined`,
  `type Standard<TInput> = { version: 1; vendor: ''; validate: (value: unknown) => { value: unknown }; types?: { input: TInput } | undefined }`,
  `declare const validate: { '~standard': Standard<{ txt: string }> }`,
  `declare const validators: readonly [Standard<{ text: string }>, Standard<unknown>, Standard<{ [name: string]: string }>, Standard<any>]`,
  `const parameters = { text: parameter.string({ required: true }) }`,
  `const move = action('event', 'move', { policy: 'anyone', parameters, returns: 'event', run: () => ({ id: '4' }) })`,
  `for (const standard of validators) action('event', 'copy', { policy: 'anyone', parameters, validate: { '~standard': standard }, run })`,
  `const acting = createGraph(store, { schema, actions: [move, action('person', 'move', { policy: 'anyone', run })] })`,
  `const moving = { type: 'event', id: '4', action: 'move' } as const`,
  `declare const type: 'event' | 'person'`,
]

/** Declares tables: accounts, their photos, and the accounts that they follow. */
const TABLES = `const int8 = { type: 'int8' } as const;
const table = { key: ['id'], foreignKeys: [], uniques: [], indexes: [] } as const;
const db = { dialect: 'postgres', tables: {
  account: { ...table, name: 'account', columns: { id: int8, name: { type: 'text' }, followers: int8 } },
  photo: { ...table, name: 'photo', columns: { id: int8, owner_id: int8, caption: { type: 'text' } } },
  follow: { ...table, name: 'follow', columns: { source: int8, target: int8, note: { type: 'text' } } },
} } as const;`.replaceAll('\n', ' ')

/** A declaration of the two types, with one more member of an account or of a photo. */
const tables = (account: string, photo = 'fields: {}'): string =>
  `{ ${TABLES} defineTables(db, { account: { over: 'account', fields: {}, ${account} }, photo: { over: 'photo', ${photo} } }) }`

/** A mistake, code with this mistake, and a word that the first line of its error contains. */
const MISTAKES: readonly (readonly [mistake: string, code: string, word: string])[] = [
  ['an action of a misspelt type', `action('evnt', 'move', { policy: 'anyone', run })`, `"evnt"`],
  [
    'an action of a misspelt edge',
    `action('event', 'atendees.add', { policy: 'anyone', run })`,
    `"attendees.add"`,
  ],
  [
    'an action of an edge on a type without edges',
    `action('person', 'events.add', { policy: 'anyone', run })`,
    `"person has no edges"`,
  ],
  [
    'an action with the name of an edge',
    `action('event', 'attendees', { policy: 'anyone', run })`,
    `'attendees' is an edge of event: use 'attendees.add' or 'attendees.remove'`,
  ],
  [
    'an action with the name of a field',
    `action('event', 'title', { policy: 'anyone', run })`,
    `'title' is a field of event: use 'update', or a name of your own`,
  ],
  [
    'a rule in place of the policy of an action',
    `action('event', 'copy', { policy: isViewer(), run })`,
    `put the rule into an array: policy: [rule]`,
  ],
  [
    'an action that returns an id without the option returns',
    `action('event', 'copy', { policy: 'anyone', run: ({ newId }) => ({ id: newId('event') }) })`,
    `declare 'returns', the type of this node`,
  ],
  [
    'an action that returns a result without the option result',
    `action('event', 'copy', { policy: 'anyone', run: () => ({ result: { count: 5 } }) })`,
    `declare 'result', the fields of this object`,
  ],
  [
    'a failure of an action that declares none',
    `action('event', 'copy', { policy: 'anyone', run: ({ fail }) => fail('full') })`,
    `list the word in 'failures' of the action`,
  ],
  [
    'a parameter with a node of a misspelt type',
    `action('event', 'copy', { policy: 'anyone', run, parameters: { to: parameter.node('prson') } })`,
    `'prson'`,
  ],
  ...[
    [`parameter.string({ required: true, minLength: 1, maxLength: 5 })`, `'minLength'`],
    [`parameter.int({ default: 2, maximum: 5 })`, `'maximum'`],
    [`parameter.float({ nullable: true, maxLength: 5 })`, `'maxLength'`],
    [`parameter.bool({ required: true, min: 1 })`, `'min'`],
    [`parameter.enum(['a', 'b'], { required: true, max: 1 })`, `'max'`],
    [`parameter.datetime({ required: true, min: 1 })`, `'min'`],
    [`parameter.id({ required: true, type: 'event' })`, `'type'`],
    [`parameter.node('event', { required: true, type: 'event' })`, `'type'`],
    [`parameter.list(parameter.int(), { required: true, max: 1 })`, `'max'`],
    [`parameter.object({}, { required: true, max: 1 })`, `'max'`],
  ].map(([code = '', word = '']) => [`the option ${word} of ${code.split('(')[0]}`, code, word] as const),
  ['a default that is no word of an enum', `parameter.enum(['a', 'b'], { default: 'c' })`, `"c"`],
  [
    'an action that returns a misspelt type',
    `action('event', 'copy', { policy: 'anyone', returns: 'evnt', run: ({ newId }) => ({ id: newId('event') }) })`,
    `"evnt"`,
  ],
  [
    'an action that returns a misspelt type in a list',
    `action('event', 'copy', { policy: 'anyone', returns: ['event', 'prson'], run: async () => ({ id: '4', type: 'event' }) })`,
    `"prson"`,
  ],
  [
    'a misspelt parameter in validate',
    `action('event', 'copy', { policy: 'anyone', parameters, validate, run })`,
    `"no parameter 'txt'"`,
  ],
  [
    'a misspelt parameter in run',
    `action('event', 'copy', { policy: 'anyone', parameters, run: ({ parameters: { txt } }) => void txt })`,
    `'txt'`,
  ],
  [
    'a misspelt action',
    `acting.callAction('t', { ...moving, action: 'mvoe', parameters: { text: 'a' } })`,
    `"mvoe"`,
  ],
  [
    'a misspelt parameter of an action',
    `acting.callAction('t', { ...moving, parameters: { txt: 'a' } })`,
    `'txt'`,
  ],
  ['a missing parameter of an action', `acting.callAction('t', { ...moving, parameters: {} })`, `'text'`],
  [
    'missing parameters of an action',
    `acting.callAction('t', { type: 'event', id: '4', action: 'move' })`,
    `parameters:`,
  ],
  [
    'a misspelt field of the node of an action',
    `acting.callAction('t', { ...moving, parameters: { text: 'a' }, fields: 'tilte' })`,
    `'tilte'`,
  ],
  [
    'an action without the type of its source',
    `acting.callAction('t', { id: '4', action: 'move' })`,
    `{ readonly type: unknown; }`,
  ],
  [
    'an action on a source of several types',
    `acting.callAction('t', { type, id: '4', action: 'move', parameters: { text: 'a' } })`,
    `one type, not several: narrow the value first`,
  ],
  [
    'partial for an action',
    `acting.callAction('t', { ...moving, parameters: { text: 'a' }, partial: true })`,
    `'partial'`,
  ],
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
  [
    'a ref as a field of an edge',
    `edge('person', { fields: { by: field.ref('person') } })`,
    `an edge stores only values: declare this field on a node instead`,
  ],
  // Targets of a schema.
  [
    'a misspelt target of an edge of a schema',
    `defineSchema({ event: node({ edges: { guests: edge('prson') } }), person: node({}) })`,
    `"no type 'prson' for 'guests'"`,
  ],
  [
    'a misspelt target of a ref of a schema',
    `defineSchema({ event: node({ fields: { by: field.ref(['event', 'prson']), name: field.string() } }) })`,
    `"no type 'prson' for 'by'"`,
  ],
  [
    'a misspelt target of a collection of a schema',
    `defineSchema({ person: node({}) }, { collections: { all: collectionOf('prson') } })`,
    `"no type 'prson' for 'all'"`,
  ],
  [
    'a misspelt target in a change of a type',
    `schema.extend({ person: { edges: { hosts: edge('evnt') } } })`,
    `"no type 'evnt' for 'hosts'"`,
  ],
  [
    'a misspelt target of a new type',
    `schema.extend({ place: node({ edges: { events: edge('evnt') } }) })`,
    `"no type 'evnt' for 'events'"`,
  ],
  [
    'a misspelt target of a new collection',
    `schema.extend({}, { collections: { all: collectionOf('evnt') } })`,
    `"no type 'evnt' for 'all'"`,
  ],
  ['changes of a misspelt type', `schema.extend({ evnt: { fields: { city: field.string() } } })`, `NodeType`],
  // Declarations over tables.
  [
    'a misspelt column as a field',
    tables('', 'fields: { captoin: true }'),
    'no column \\"captoin\\" in photo',
  ],
  [
    'a misspelt column of a field',
    tables('', `fields: { title: { column: 'captoin' } }`),
    'no column \\"captoin\\" in photo',
  ],
  [
    'a misspelt column of ref',
    tables('', `fields: { owner: ref('account', 'ownr_id') }`),
    'no column \\"ownr_id\\" in photo',
  ],
  [
    'a misspelt column of where',
    tables('', `fields: {}, where: { captoin: null }`),
    'no column \\"captoin\\" in photo',
  ],
  [
    'a misspelt column of back',
    tables(`edges: { photos: back('photo', 'ownr_id') }`),
    'no column \\"ownr_id\\" in photo',
  ],
  [
    'a misspelt column of by',
    tables(`edges: { photos: back('photo', 'owner_id', { by: 'captoin' }) }`),
    'no column \\"captoin\\" in photo',
  ],
  [
    'a misspelt column of where of an edge',
    tables(`edges: { photos: back('photo', 'owner_id', { where: { captoin: null } }) }`),
    'no column \\"captoin\\" in photo',
  ],
  [
    'a misspelt parameter in where of an edge',
    tables(
      `edges: { photos: back('photo', 'owner_id', { parameters: { open: parameter.bool() }, where: { caption: fromParameter('opn') } }) }`,
    ),
    `ParameterValue<"open">`,
  ],
  [
    'a misspelt column of an order',
    tables(`edges: { photos: back('photo', 'owner_id', { orders: { named: { by: 'captoin' } } }) }`),
    'no column \\"captoin\\" in photo',
  ],
  [
    'a misspelt column of count',
    tables(`edges: { photos: back('photo', 'owner_id', { count: { column: 'followrs' } }) }`),
    'no column \\"followrs\\" in account',
  ],
  [
    'a misspelt column of through',
    tables(`edges: { follows: through('follow', 'source', 'account', 'targt') }`),
    'no column \\"targt\\" in follow',
  ],
  [
    'a misspelt column as a field of an edge',
    tables(`edges: { follows: through('follow', 'source', 'account', 'target', { fields: { nte: true } }) }`),
    'no column \\"nte\\" in follow',
  ],
  [
    'a misspelt join table',
    tables(`edges: { follows: through('folow', 'source', 'account', 'target') }`),
    'no table \\"folow\\" in the description',
  ],
  [
    'a misspelt target of an edge',
    tables(`edges: { photos: back('phto', 'owner_id') }`),
    'no type \\"phto\\" in the declaration',
  ],
  [
    'a misspelt table of a type',
    `{ ${TABLES} defineTables(db, { photo: { over: 'phto', fields: {} } }) }`,
    'no table \\"phto\\" in the description',
  ],
  [
    'a misspelt column of a collection',
    `{ ${TABLES} defineTables(db, { photo: { over: 'photo', fields: {} } }, { collections: { all: collection('photo', { by: 'captoin' }) } }) }`,
    'no column \\"captoin\\" in photo',
  ],
  ['an unknown option of a type', tables('polcy: []'), `'polcy'`],
  ['an unknown filter option of a type', tables('', `wher: { caption: 'x' }, fields: {}`), `'wher'`],
  [
    'an unknown option of a declared key',
    `{ ${TABLES} defineTables(db, { photo: { over: { table: 'photo', key: 'id', polcy: [] }, fields: {} } }) }`,
    `'polcy'`,
  ],
  ['an unknown option of a field', tables('', 'fields: { caption: { polcy: [] } }'), `'polcy'`],
  [
    'an unknown option of a field next to a known one',
    tables('', `fields: { title: { column: 'caption', polcy: [] } }`),
    `'polcy'`,
  ],
  [
    'a computed value of a column',
    tables('', 'fields: { caption: { default: true, resolve: () => [] } }'),
    `'resolve'`,
  ],
  ['an option of a field of another type', tables('', 'fields: { caption: { default: 1 } }'), `'number'`],
  ['a misspelt member "fields" of a type', tables('', 'field: { caption: true }'), `'field'`],
  [
    'a type without fields',
    `{ ${TABLES} defineTables(db, { photo: { over: 'photo' } }) }`,
    `over: string; }'`,
  ],
  [
    'an unknown option of ref',
    tables('', `fields: { owner: ref('account', 'owner_id', { default: true, polcy: [] }) }`),
    `'polcy'`,
  ],
  [
    'a misspelt target of ref',
    tables('', `fields: { owner: ref('acount', 'owner_id') }`),
    'no type \\"acount\\" in the declaration',
  ],
  [
    'an unknown option of back',
    tables(`edges: { photos: back('photo', 'owner_id', { polcy: [] }) }`),
    `'polcy'`,
  ],
  [
    'an unknown option of back next to a known one',
    tables(`edges: { photos: back('photo', 'owner_id', { by: 'caption', polcy: [] }) }`),
    `'polcy'`,
  ],
  [
    'an unknown option of an order',
    tables(
      `edges: { photos: back('photo', 'owner_id', { orders: { named: { by: 'caption', nuls: 'end' } } }) }`,
    ),
    `'nuls'`,
  ],
  [
    'an unknown option of through next to a known one',
    tables(
      `edges: { follows: through('follow', 'source', 'account', 'target', { by: 'note', filelds: {} }) }`,
    ),
    `'filelds'`,
  ],
  [
    'an unknown option of a field of an edge',
    tables(
      `edges: { follows: through('follow', 'source', 'account', 'target', { fields: { text: { column: 'note', polcy: [] } } }) }`,
    ),
    `'polcy'`,
  ],
  [
    'an unknown option of a collection next to a known one',
    `{ ${TABLES} defineTables(db, { photo: { over: 'photo', fields: {} } }, { collections: { all: collection('photo', { by: 'caption', polcy: [] }) } }) }`,
    `'polcy'`,
  ],
  [
    'a misspelt target of a collection',
    `{ ${TABLES} defineTables(db, { photo: { over: 'photo', fields: {} } }, { collections: { all: collection('phto') } }) }`,
    'no type \\"phto\\" in the declaration',
  ],
  [
    'an unknown option of defineTables next to a known one',
    `{ ${TABLES} defineTables(db, { photo: { over: 'photo', fields: {} } }, { viewers: ['photo'], collctions: {} }) }`,
    `'collctions'`,
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
