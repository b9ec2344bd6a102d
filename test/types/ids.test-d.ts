import {
  createGraph,
  defineSchema,
  type EdgeResolver,
  edge,
  type FieldResolver,
  field,
  type NodeRecord,
  node,
  type PublicId,
  type RawId,
  type Rule,
  type Session,
} from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { createMemoryStore } from 'kithgraph/memory'
import { update, updateEdge } from 'kithgraph/update'
import { describe, expectTypeOf, it } from 'vitest'

const schema = defineSchema({
  person: node({
    appScoped: true,
    fields: { name: field.string({ default: true }), mentor: field.ref('person') },
    edges: {
      friends: edge('person', { symmetric: true }),
      notes: edge('person', { fields: { text: field.string() } }),
    },
  }),
})
const graph = createGraph(createMemoryStore(), { schema })
const client = createClient<typeof schema>('https://api.example')
const token = 'token'

declare const raw: RawId
declare const shown: PublicId
declare const text: string
declare const record: NodeRecord
declare const session: Session

/** Checks types only. Nothing is called. */
const check = (_run: () => unknown): void => undefined

describe('the id in a result', () => {
  it('is a public id in every read, at every level, in the client too', () => {
    check(async () => {
      for (const reads of [graph, client]) {
        const fields = 'mentor{id},friends{mentor}'
        const person = await reads.getNode(token, { id: '1', type: 'person', fields })
        expectTypeOf(person.id).toEqualTypeOf<PublicId>()
        expectTypeOf(person.mentor?.id).toEqualTypeOf<PublicId | undefined>()
        expectTypeOf(person.friends.data[0]?.mentor?.id).toEqualTypeOf<PublicId | undefined>()
        const page = await reads.getEdge(token, { id: '1', edge: 'friends' })
        expectTypeOf(page.data[0]?.id).toEqualTypeOf<PublicId | undefined>()
        const untyped = await reads.getNode(token, { id: '1', fields: text })
        expectTypeOf(untyped.id).toEqualTypeOf<PublicId>()
      }
    })
  })

  it('is text, which is accepted where text is expected', () => {
    const accept = (value: string): string => value
    expectTypeOf(accept(shown)).toEqualTypeOf<string>()
    expectTypeOf(accept(raw)).toEqualTypeOf<string>()
  })
})

describe('the id in a record, a session, a rule or a resolve', () => {
  it('is a raw id', () => {
    expectTypeOf(record.id).toEqualTypeOf<RawId>()
    expectTypeOf(session.viewer).toEqualTypeOf<RawId | undefined>()
    expectTypeOf<Parameters<Rule['decide']>[0]['id']>().toEqualTypeOf<RawId>()
    expectTypeOf<Parameters<FieldResolver<string>>[0][number]['id']>().toEqualTypeOf<RawId>()
    expectTypeOf<Parameters<EdgeResolver>[0][number]['id']>().toEqualTypeOf<RawId>()
  })
})

describe('the conversion of ids', () => {
  it('takes and returns ids of the right kind', () => {
    expectTypeOf(graph.ids.toPublic).returns.toEqualTypeOf<PublicId>()
    expectTypeOf(graph.ids.toRaw).returns.toEqualTypeOf<RawId | undefined>()
    check(() => graph.ids.toRaw(graph.ids.toPublic(raw, 'app'), 'app'))
    // @ts-expect-error -- a public id is not converted again
    check(() => graph.ids.toPublic(shown, 'app'))
    // @ts-expect-error -- a raw id is not a public id
    check(() => graph.ids.toRaw(raw, 'app'))
  })
})

describe('a plain string', () => {
  it('is accepted where a raw id or a public id is needed', () => {
    expectTypeOf(text).toExtend<RawId>()
    expectTypeOf(text).toExtend<PublicId>()
    check(() => graph.session({ viewer: text, app: 'app' }))
    check(() => graph.write([{ op: 'deleteNode', id: text }]))
    check(() => [graph.ids.toPublic(text, 'app'), graph.ids.toRaw(text, 'app')])
    check(() => graph.hasEdge(token, { id: text, edge: 'friends', target: text }))
  })
})

describe('a public id', () => {
  it('is accepted by reads', () => {
    check(() => graph.getNode(token, { id: shown }))
    check(() => graph.getNodes(token, { ids: [shown] }))
    check(() => graph.hasEdge(token, { id: shown, edge: 'friends', target: shown }))
    check(() => client.getEdge(token, { id: shown, edge: 'friends' }))
  })

  it('is a compile error in a write, in the place of a raw id', () => {
    const fields = { name: 'Ada' }
    check(() => graph.write([{ op: 'putNode', node: { id: raw, type: 'person', fields } }]))
    check(() => graph.write([{ op: 'patchNode', id: raw, fields: { mentor: raw } }]))
    check(() => graph.write([{ op: 'putEdge', edge: { source: raw, name: 'friends', target: raw } }]))
    check(() => graph.write([{ op: 'deleteEdge', edge: { source: raw, name: 'friends', target: raw } }]))
    check(() => update(graph, { type: 'person', id: raw }, () => undefined))
    check(() => updateEdge(graph, { source: raw, name: 'notes', target: raw }, () => undefined))
    // @ts-expect-error -- a public id
    check(() => graph.write([{ op: 'putNode', node: { id: shown, type: 'person', fields } }]))
    // @ts-expect-error -- a public id as a ref
    check(() => graph.write([{ op: 'patchNode', id: raw, fields: { mentor: shown } }]))
    // @ts-expect-error -- a public id
    check(() => graph.write([{ op: 'deleteNode', id: shown }]))
    // @ts-expect-error -- a public id as a target
    check(() => graph.write([{ op: 'putEdge', edge: { source: raw, name: 'friends', target: shown } }]))
    // @ts-expect-error -- a public id as a source
    check(() => graph.write([{ op: 'deleteEdge', edge: { source: shown, name: 'friends', target: raw } }]))
    // @ts-expect-error -- a public id
    check(() => update(graph, { type: 'person', id: shown }, () => undefined))
    // @ts-expect-error -- a public id as a target
    check(() => updateEdge(graph, { source: raw, name: 'notes', target: shown }, () => undefined))
  })

  it('is a compile error as the viewer of a session or a token', () => {
    // @ts-expect-error -- a public id
    check(() => graph.session({ viewer: shown, app: 'app' }))
    // @ts-expect-error -- a public id
    check(() => graph.tokens.issue({ viewer: shown, app: 'app' }))
    // @ts-expect-error -- a public id
    check(() => graph.tokens.revokeAll({ viewer: shown }))
  })

  it('is a compile error in the checks of a rule and in the entries of a resolve', () => {
    const rule: Rule = {
      name: 'knows',
      // @ts-expect-error -- a public id as a target
      checks: ({ id }) => [{ source: id, name: 'friends', target: shown }],
      decide: () => 'skip',
    }
    const resolve: EdgeResolver = sources =>
      // @ts-expect-error -- a public id of an entry
      sources.map(() => ({ entries: [{ id: shown, position: 'a' }], hasMore: false }))
    void [rule, resolve]
  })
})
