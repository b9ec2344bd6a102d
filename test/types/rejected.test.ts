import { describe, expect, it } from 'vitest'
import { compile } from './compiler.ts'

const PRELUDE = [
  `import { actionsOf } from '../../src/actions/index.ts'`,
  `import { fieldEquals, isViewer } from '../../src/access/rules/rules.ts'`,
  `import { not } from '../../src/access/rules/composed-rules.ts'`,
  `import type { Graph } from '../../src/graph-interface.ts'`,
  `import { edge } from '../../src/schema/edge.ts'`,
  `import { defineSchema } from '../../src/schema/define-schema.ts'`,
  `import { field } from '../../src/schema/field-builders.ts'`,
  `import { node } from '../../src/schema/node.ts'`,
  `import { parameter } from '../../src/schema/parameter-builders.ts'`,
  `import type { socialSchema } from '../../src/schema/social/social-schema.ts'`,
  `declare const graph: Graph<typeof socialSchema>`,
  `const photo = { id: '4', type: 'photo' } as const`,
  `const photos = edge('photo', { parameters: { type: parameter.enum(['tagged', 'uploaded']) } })`,
  `const search = edge('user', { parameters: { q: parameter.string({ required: true }) } })`,
  `const types = { user: node({ edges: { photos, search, friends: edge('user') } }), photo: node({ edges: { photos } }) }`,
  `const schema = defineSchema(types)`,
  `declare const events: Graph<typeof schema>`,
  `const user = { id: '4', type: 'user' } as const`,
  `const action = actionsOf(schema)`,
]

/** Code with an error, and a part of the compiler's message. */
const REJECTED: readonly (readonly [code: string, text: string])[] = [
  // Names.
  [`graph.getNode('t', { ...photo, fields: 'id,nmae' })`, `to type '"no field or edge 'nmae' on photo"'.`],
  [
    `graph.getNode('t', { ...photo, fields: ['id', 'nmae'] })`,
    `to type '"no field or edge 'nmae' on photo"'.`,
  ],
  [`graph.getNode('t', { ...photo, fields: ' nmae ' })`, `to type '"no field or edge 'nmae' on photo"'.`],
  [
    `graph.getNode('t', { ...photo, fields: 'likes{id,nmae}' })`,
    `to type '"no field or edge 'nmae' on user"'.`,
  ],
  [
    `graph.getNode('t', { ...photo, fields: 'likes.fields(id,nmae)' })`,
    `to type '"no field or edge 'nmae' on user"'.`,
  ],
  [
    `graph.getNode('t', { ...photo, fields: 'likes{photos.limit(2){comments{nmae}}}' })`,
    `to type '"no field or edge 'nmae' on comment"'.`,
  ],
  [
    `graph.getNode('t', { ...photo, fields: 'nmae.as(name)' })`,
    `to type '"no field or edge 'nmae' on photo"'.`,
  ],
  [`graph.getNode('t', { ...photo, fields: 'name,' })`, `to type '"no field or edge '' on photo"'.`],
  [
    `graph.getNode('t', { ...photo, fields: 'constructor' })`,
    `to type '"no field or edge 'constructor' on photo"'.`,
  ],
  // Several names, and several types.
  [
    `graph.getNode('t', { ...photo, fields: 'nmae,id,widht' })`,
    `to type '"no field or edge 'nmae' on photo" | "no field or edge 'widht' on photo"'.`,
  ],
  [
    `graph.getMe('t', { fields: 'nmae' })`,
    `to type '"no field or edge 'nmae' on user" | "no field or edge 'nmae' on page"'.`,
  ],
  [
    `graph.getNode('t', { ...photo, fields: 'from{gendr}' })`,
    `to type '"no field or edge 'gendr' on user" | "no field or edge 'gendr' on page"'.`,
  ],
  // Modifiers.
  [`graph.getNode('t', { ...photo, fields: 'likes.limt(2)' })`, `to type '"no modifier 'limt' on likes"'.`],
  [
    `graph.getNode('t', { ...photo, fields: 'likes.limit(2).ordr(chronological){id}' })`,
    `to type '"no modifier 'ordr' on likes"'.`,
  ],
  [`graph.getNode('t', { ...photo, fields: 'name.limit(2)' })`, `to type '"no modifier 'limit' on name"'.`],
  [
    `graph.getNode('t', { ...photo, fields: 'picture.widht(2)' })`,
    `to type '"no modifier 'widht' on picture"'.`,
  ],
  [`graph.getNode('t', { ...photo, fields: 'from.limit(2)' })`, `to type '"no modifier 'limit' on from"'.`],
  [
    `graph.getNode('t', { ...photo, fields: 'viewer_likes.limit(2)' })`,
    `to type '"no modifier 'limit' on viewer_likes"'.`,
  ],
  [`graph.getNode('t', { ...photo, fields: 'id.as(x)' })`, `to type '"no modifier 'as' on id"'.`],
  // Fields that have no fields.
  [`graph.getNode('t', { ...photo, fields: 'name{id}' })`, `to type '"no fields below 'name'"'.`],
  [`graph.getNode('t', { ...photo, fields: 'id{id}' })`, `to type '"no fields below 'id'"'.`],
  // Fields inside values.
  [`graph.getNode('t', { ...photo, fields: 'picture{ulr}' })`, `to type '"no 'ulr' in picture"'.`],
  [`graph.getNode('t', { ...photo, fields: 'picture{url{x}}' })`, `to type '"no fields below 'url'"'.`],
  [
    `graph.getNode('t', { ...photo, fields: 'images{source.limit(2)}' })`,
    `to type '"no modifier 'limit' on source"'.`,
  ],
  [
    `graph.getNode('t', { ...photo, fields: 'viewer_likes{x}' })`,
    `to type '"no fields below 'viewer_likes'"'.`,
  ],
  // Entries.
  [
    `graph.getEdge('t', { ...photo, edge: 'likes', fields: 'nmae' })`,
    `to type '"no field or edge 'nmae' on user"'.`,
  ],
  [
    `graph.getEdge('t', { id: '4', type: 'group', edge: 'members', fields: 'joind' })`,
    `to type '"no field or edge 'joind' on user"'.`,
  ],
  [
    `graph.getEdge('t', { id: '4', type: 'user', edge: 'friends', fields: 'joined' })`,
    `to type '"no field or edge 'joined' on user"'.`,
  ],
  [
    `graph.getEdge('t', { id: '4', edge: 'members', fields: 'joind' })`,
    `to type '"no field or edge 'joind' on user"'.`,
  ],
  [
    `graph.getEdges('t', { ids: ['4'], type: 'group', edge: 'members', fields: 'joind' })`,
    `to type '"no field or edge 'joind' on user"'.`,
  ],
  [
    `graph.iterateEdge('t', { ...photo, edge: 'likes', fields: 'nmae' })`,
    `to type '"no field or edge 'nmae' on user"'.`,
  ],
  [`graph.explain({ type: 'photo', fields: 'nmae' })`, `to type '"no field or edge 'nmae' on photo"'.`],
  [
    `graph.explain({ type: 'photo', edge: 'likes', fields: 'nmae' })`,
    `to type '"no field or edge 'nmae' on user"'.`,
  ],
  // Edges and types.
  [
    `graph.getEdge('t', { ...photo, edge: 'liks' })`,
    `"liks"' is not assignable to type '"likes" | "comments"'. Did you mean '"likes"'?`,
  ],
  [`graph.getEdge('t', { id: '4', edge: 'liks' })`, `Did you mean '"likes"'?`],
  [`graph.getEdge('t', { id: 'me', edge: 'members' })`, `"members"' is not assignable`],
  [`graph.hasEdge('t', { ...photo, edge: 'liks', target: '5' })`, `Did you mean '"likes"'?`],
  [`graph.iterateEdge('t', { ...photo, edge: 'liks' })`, `Did you mean '"likes"'?`],
  [`graph.explain({ type: 'photo', edge: 'liks' })`, `Did you mean '"likes"'?`],
  [`graph.getNode('t', { id: '4', type: 'phto' })`, `Did you mean '"photo"'?`],
  [`graph.explain({ type: 'phto' })`, `Did you mean '"photo"'?`],
  // Options.
  [`graph.getMe('t', { feilds: 'name' })`, `'feilds' does not exist`],
  [`graph.getNode('t', { id: '4', feilds: 'name' })`, `'feilds' does not exist`],
  [`graph.getNode('t', { fields: 'name' })`, `'id' is missing`],
  [
    `graph.getEdge('t', { ...photo, edge: 'likes', limit: '2' })`,
    `'string' is not assignable to type 'number'`,
  ],
  [`graph.getEdge('t', { ...photo, edge: 'likes', order: 'newest' })`, `"newest"' is not assignable`],
  [`graph.getEdge('t', { ...photo, edge: 'likes', limt: 2 })`, `'limt' does not exist`],
  [`graph.getMe({ viewer: '4' })`, `not assignable to parameter of type 'string | Session'`],
  // Parameters of edges. The user has photos with the parameter `type`, and search with the required `q`.
  [
    `events.getEdge('t', { ...user, edge: 'photos', parameters: { type: 'upload' } })`,
    `"upload"' is not assignable to type '"tagged" | "uploaded"'.`,
  ],
  [
    `events.getEdges('t', { ids: ['4'], type: 'user', edge: 'photos', parameters: { typ: 'uploaded' } })`,
    `'typ' does not exist in type '{ readonly type?: "tagged" | "uploaded" | undefined; }'`,
  ],
  [
    `events.getEdge('t', { ...user, edge: 'friends', parameters: { type: 'uploaded' } })`,
    `'{ type: string; }' is not assignable to type 'undefined'`,
  ],
  [`events.getEdge('t', { ...user, edge: 'search' })`, `Property 'parameters' is missing in type`],
  [
    `events.hasEdge('t', { ...user, edge: 'search', target: '5' })`,
    `Property 'parameters' is missing in type`,
  ],
  [
    `events.iterateEdge('t', { ...user, edge: 'search', parameters: {} })`,
    `Property 'q' is missing in type '{}'`,
  ],
  [
    `events.getEdge('t', { ...user, edge: 'search', parameters: { q: 5 } })`,
    `'number' is not assignable to type 'string'`,
  ],
  [
    `events.getEdge('t', { id: '4', edge: 'photos', parameters: { typ: 'uploaded' } })`,
    `'typ' does not exist in type`,
  ],
  [
    `events.getNode('t', { ...user, fields: 'photos.typ(uploaded)' })`,
    `to type '"no modifier 'typ' on photos"'.`,
  ],
  [
    `events.write([{ op: 'putEdge', edge: { source: '4', name: 'photos', target: '5', parameters: { type: 'upload' } } }])`,
    `"upload"' is not assignable to type '"tagged" | "uploaded"'.`,
  ],
  [
    `events.write([{ op: 'putEdge', edge: { source: '4', name: 'search', target: '5', parameters: { q: 'a' } } }])`,
    `'parameters' does not exist`,
  ],
  [
    `events.write([{ op: 'deleteEdge', edge: { source: '4', name: 'photos', target: '5', parameters: { typ: 'tagged' } } }])`,
    `'typ' does not exist in type '{ readonly type?: "tagged" | "uploaded" | undefined; }'`,
  ],
  [
    `events.write([{ op: 'deleteEdge', edge: { source: '4', name: 'friends', target: '5', parameters: {} } }])`,
    `'parameters' does not exist`,
  ],
  [
    `edge('photo', { parameters: { type: parameter.bool() }, list: values => String(values.typ) })`,
    `Property 'typ' does not exist on type '{ readonly type: boolean | undefined; }'`,
  ],
  // Policies.
  [`node({ policy: 'open' })`, `'string' is not assignable to type 'readonly Rule[]'`],
  [`node({ policy: isViewer() })`, `'Rule' is missing the following properties from type 'readonly Rule[]'`],
  [`node({ policy: [isViewer] })`, `is not assignable to type 'Rule'`],
  [`node({ policy: [{ name: 'x' }] })`, `'decide' is missing`],
  [`node({ policy: [{ name: 'x', decide: () => 'alow' }] })`, `"alow"' is not assignable to type 'Decision'`],
  [
    `field.string({ policy: [{ name: 'x', decide: () => true }] })`,
    `'boolean' is not assignable to type 'Decision'`,
  ],
  [
    `edge('user', { policy: [{ name: 'x', decide: async () => 'allow' as const }] })`,
    `'Promise<"allow">' is not assignable to type 'Decision'`,
  ],
  [
    `node({ policy: [{ name: 'x', checks: () => [{ source: '4' }], decide: () => 'skip' }] })`,
    `is missing the following properties from type 'EdgeKey': name, target`,
  ],
  [`field.edgeTime({ policy: [isViewer()] })`, `'policy' does not exist`],
  [`isViewer({ off: 'from' })`, `'off' does not exist`],
  [`fieldEquals('taken', new Date())`, `'Date' is not assignable`],
  [`not([isViewer()])`, `is missing the following properties from type 'Rule'`],
  // Actions.
  [
    `action('photo', 'copy', { policy: 'anyone', run: async ({ newId }) => ({ id: newId('photo') }) })`,
    `declare 'returns', the type of this node`,
  ],
  [
    `action('photo', 'copy', { policy: 'anyone', run: async ({ newId }) => { return { id: newId('photo') } } })`,
    `declare 'returns', the type of this node`,
  ],
  [
    `action('photo', 'copy', { policy: 'anyone', returns: 'photo', run: async () => {} })`,
    `Type 'void' is not assignable to type 'Revision & { readonly id: RawId; }'`,
  ],
  // Results.
  [`graph.getMe('t').then(me => me.about)`, `'about' does not exist`],
  [
    `graph.getNode('t', { ...photo, fields: 'from{name}' }).then(({ from }) => from.name)`,
    `'from' is possibly 'undefined'`,
  ],
  [
    `graph.getEdge('t', { ...photo, edge: 'likes' }).then(likes => likes.summary)`,
    `'summary' does not exist`,
  ],
  // Writes.
  [`graph.write([{ op: 'putNode', node: { id: '4', type: 'usr', fields: {} } }])`, `Did you mean '"user"'?`],
  [`graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: {} } }])`, `'name' is missing`],
  [
    `graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'A', gendr: 'x' } } }])`,
    `'gendr' does not exist`,
  ],
  [
    `graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'A', category: 'x' } } }])`,
    `'category' does not exist`,
  ],
  [
    `graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'A', age_range: { min: 21 } } } }])`,
    `'age_range' does not exist`,
  ],
  [
    `graph.write([{ op: 'putNode', node: { id: '4', type: 'photo', fields: { width: '5' } } }])`,
    `'string' is not assignable to type 'number'`,
  ],
  [`graph.write([{ op: 'patchNode', id: '4', fields: { nmae: 'A' } }])`, `'nmae' does not exist`],
  [
    `graph.write([{ op: 'patchNode', id: '4', fields: { width: '5' } }])`,
    `'string' is not assignable to type 'number'`,
  ],
  [
    `graph.write([{ op: 'patchNode', id: '4', fields: { viewer_likes: true } }])`,
    `'true' is not assignable to type 'undefined'`,
  ],
  [
    `graph.write([{ op: 'putEdge', edge: { source: '4', name: 'liks', target: '5' } }])`,
    `Did you mean '"likes"'?`,
  ],
  [
    `graph.write([{ op: 'putEdge', edge: { source: '4', name: 'likes', target: '5', data: { a: 1 } } }])`,
    `'data' does not exist`,
  ],
  [
    `graph.write([{ op: 'putEdge', edge: { source: '4', name: 'members', target: '5', data: { joined: 1 } } }])`,
    `'data' does not exist`,
  ],
  [
    `graph.write([{ op: 'deleteEdge', edge: { source: '4', name: 'liks', target: '5' } }])`,
    `Did you mean '"likes"'?`,
  ],
  [`graph.write([{ op: 'putToken', digest: '', token: {} }])`, `"putToken"' is not assignable`],
  [`graph.load([{ edge: { source: '4', name: 'likes', target: '5' } }])`, `'time' is missing`],
  // Weights.
  [`field.string({ weight: 2 })`, `Property 'resolve' is missing in type '{ weight: number; }'`],
  [
    `field.object({ a: field.int() }, { weight: 2 })`,
    `Property 'resolve' is missing in type '{ weight: number; }'`,
  ],
  [`field.list(field.int(), { weight: '2' })`, `'string' is not assignable to type 'number'`],
]

const { errors } = compile({ 'rejected.ts': [...PRELUDE, ...REJECTED.map(([code]) => code)].join('\n') })

describe('the compiler', () => {
  it.each(REJECTED.map((row, index) => [...row, PRELUDE.length + index + 1] as const))(
    'rejects %s with the error: %s',
    (_code, text, line) => {
      const messages = errors
        .filter(error => error.line === line)
        .map(error => error.text.replace(" | undefined'", "'"))
      expect(messages).toEqual([expect.stringContaining(text)])
    },
  )

  it('accepts the declarations before the rejected code', () => {
    expect(errors.filter(({ line }) => line <= PRELUDE.length)).toEqual([])
  })
})
