import { createGraph, socialSchema, viewerHasEdge } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { ADA, createWorldStore, EDSGER, SCOPES } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { ANN, BOB, EVE, HIDDEN_NOTE, openNotes, VISIBLE_NOTE } from './note-world.ts'

const note = [viewerHasEdge('saved')]

/** Two worlds under the same policy: the hidden note exists in the first and not in the second. */
const there = await openNotes({ note })
const gone = await openNotes({ note }, { hasHiddenNote: false })

type Method = 'getNode' | 'getNodes' | 'getEdge' | 'getEdges' | 'hasEdge'

/** Returns the JSON of the error of a call, without its random trace id. */
const errorTextOf = async (promise: Promise<unknown>): Promise<string> => {
  const { error } = (await expectGraphError(promise)).toJSON()
  return JSON.stringify({ ...error, fbtrace_id: 'T' })
}

const HIDDEN_CALLS: readonly [Method, object][] = [
  ['getNode', { id: HIDDEN_NOTE }],
  ['getNode', { id: HIDDEN_NOTE, type: 'note' }],
  ['getNode', { id: HIDDEN_NOTE, type: 'person' }],
  ['getNode', { id: HIDDEN_NOTE, fields: 'no_such_field' }],
  ['getNode', { id: HIDDEN_NOTE, fields: 'answers.after(no cursor)' }],
  ['getNode', { id: HIDDEN_NOTE, fields: 'diary' }],
  ['getNode', { id: HIDDEN_NOTE, fields: 'author{diary}' }],
  ['getNode', { id: HIDDEN_NOTE, fields: 'likes.limit(100){friends.limit(100){friends.limit(100)}}' }],
  ['getNode', { id: HIDDEN_NOTE, metadata: true, debug: 'all' }],
  ['getNodes', { ids: [VISIBLE_NOTE, HIDDEN_NOTE] }],
  ['getNodes', { ids: [HIDDEN_NOTE, VISIBLE_NOTE], fields: 'text,no_such_field' }],
  ['getEdge', { id: HIDDEN_NOTE, edge: 'answers' }],
  ['getEdge', { id: HIDDEN_NOTE, edge: 'friends' }],
  ['getEdge', { id: HIDDEN_NOTE, edge: 'no_such_edge' }],
  ['getEdge', { id: HIDDEN_NOTE, edge: 'answers', fields: 'no_such_field' }],
  ['getEdge', { id: HIDDEN_NOTE, edge: 'answers', summary: true, since: 0 }],
  ['getEdges', { ids: [VISIBLE_NOTE, HIDDEN_NOTE], edge: 'answers' }],
  ['getEdges', { ids: [HIDDEN_NOTE, VISIBLE_NOTE], edge: 'no_such_edge' }],
  ['hasEdge', { id: HIDDEN_NOTE, edge: 'answers', target: '22' }],
  ['hasEdge', { id: HIDDEN_NOTE, edge: 'no_such_edge', target: '22' }],
]

describe('a hidden node', () => {
  it.each(HIDDEN_CALLS)('gives the same error as a missing node: %s %j', async (method, call) => {
    const hidden = await errorTextOf(callUntyped(there.graph[method], there.ann, call))
    expect(hidden).toBe(await errorTextOf(callUntyped(gone.graph[method], gone.ann, call)))
    expect(hidden).toContain(`The node ${HIDDEN_NOTE} does not exist, is not visible`)
  })

  it.each<readonly [Method, object]>([
    ['getNode', { id: HIDDEN_NOTE, fields: 'text{' }],
    ['getNode', { id: HIDDEN_NOTE, version: 'no version' }],
    ['getEdge', { id: HIDDEN_NOTE, edge: 'answers', limit: 0 }],
    ['getEdge', { id: HIDDEN_NOTE, edge: 'answers', after: 'no cursor' }],
    ['getEdge', { id: HIDDEN_NOTE, edge: 'answers', since: 'no date' }],
    ['hasEdge', { id: HIDDEN_NOTE, edge: 'answers', target: 'no id' }],
  ])('gives the same error as a missing node for an invalid call: %s %j', async (method, call) => {
    const hidden = await errorTextOf(callUntyped(there.graph[method], there.ann, call))
    expect(hidden).toBe(await errorTextOf(callUntyped(gone.graph[method], gone.ann, call)))
    expect(hidden).not.toContain('does not exist')
  })

  it.each<readonly [Method, object]>([
    ['getNodes', { ids: [VISIBLE_NOTE, HIDDEN_NOTE], partial: true, debug: 'all' }],
    ['getEdges', { ids: [HIDDEN_NOTE, VISIBLE_NOTE], edge: 'answers', partial: true, summary: true }],
    ['getNode', { id: EVE, fields: 'name,pinned{text}', debug: 'all' }],
    ['getNode', { id: BOB, fields: 'notes.limit(1).summary(true){text}', metadata: true }],
    ['getEdge', { id: BOB, edge: 'notes', limit: 1, summary: true, debug: 'all' }],
    ['getEdge', { id: BOB, edge: 'notes', order: 'chronological', limit: 1 }],
    ['hasEdge', { id: BOB, edge: 'notes', target: HIDDEN_NOTE }],
  ])('gives the same result as a missing node: %s %j', async (method, call) => {
    const result = JSON.stringify(await callUntyped(there.graph[method], there.ann, call))
    expect(result).toBe(JSON.stringify(await callUntyped(gone.graph[method], gone.ann, call)))
  })

  it('is returned to a viewer that a rule allows', async () => {
    const { graph, sessionOf } = await openNotes({ note: [viewerHasEdge('notes')] })
    expect(await graph.getNode(sessionOf(BOB), { id: HIDDEN_NOTE })).toEqual({
      text: 'By 3',
      id: HIDDEN_NOTE,
    })
    expect((await expectGraphError(graph.getNode(sessionOf(ANN), { id: HIDDEN_NOTE }))).reason).toBe(
      'node_not_found',
    )
  })
})

describe('a hidden node with an app-scoped id', () => {
  /** Opens a graph with app-scoped ids under a policy. */
  const openApps = async (isEdsgerThere: boolean) => {
    const store = await createWorldStore()
    if (!isEdsgerThere) store.write([{ op: 'deleteNode', id: EDSGER }])
    const appIds = createAppIds({ secrets: { 1: 'a secret of sixteen' }, current: 1 })
    const schema = socialSchema.extend({ user: { policy: [viewerHasEdge('friends')] } })
    const graph = createGraph(store, { schema, appIds, secret: 'the secret of the cursors' })
    return { graph, ada: graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES }) }
  }

  it.each<readonly [string, 'getNode' | 'getEdge', object]>([
    ['raw', 'getNode', {}],
    ['hidden', 'getNode', { fields: 'no_such_field' }],
    ['of another app', 'getNode', { metadata: true }],
    ['forged', 'getNode', {}],
    ['raw', 'getEdge', { edge: 'friends' }],
    ['hidden', 'getEdge', { edge: 'friends' }],
    ['of another app', 'getEdge', { edge: 'no_such_edge' }],
    ['forged', 'getEdge', { edge: 'likes', summary: true }],
  ])('gives the same error as a missing node if its id in the call is %s: %s', async (kind, method, call) => {
    const [there, gone] = [await openApps(true), await openApps(false)]
    const ids: { readonly [kind: string]: string } = {
      raw: EDSGER,
      hidden: there.graph.ids.toPublic(EDSGER, 'demo'),
      'of another app': there.graph.ids.toPublic(EDSGER, 'other'),
      forged: '19999999999999999999',
    }
    const callOptions = { id: ids[kind], ...call }
    const text = await errorTextOf(callUntyped(there.graph[method], there.ada, callOptions))
    expect(text).toBe(await errorTextOf(callUntyped(gone.graph[method], gone.ada, callOptions)))
    expect(text).toContain('"code":100,"error_subcode":33')
    const raw = await errorTextOf(callUntyped(there.graph[method], there.ada, { ...callOptions, id: EDSGER }))
    expect(text.replaceAll(callOptions.id ?? '', 'ID')).toBe(
      raw.replaceAll(`node ${EDSGER} `, 'node ID ').replace(`"id":"${EDSGER}"`, '"id":"ID"'),
    )
  })
})
