import { createGraph, socialSchema, viewerHasEdge } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { ADA, EDSGER, SCOPES, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { ANN, BOB, CEM, HIDDEN, openNotes, SEEN } from './two-notes.ts'

const note = [viewerHasEdge('saved')]

/** Two worlds under one policy: in the one the hidden note is there, in the other it is not. */
const there = await openNotes({ note })
const gone = await openNotes({ note }, { isHiddenThere: false })

type Method = 'getNode' | 'getNodes' | 'getEdge' | 'getEdges' | 'hasEdge'

/** Everything that a caller gets of a fault, but for the trace id, which is random. */
const textOf = async (promise: Promise<unknown>): Promise<string> => {
  const { error } = (await faultOf(promise)).toJSON()
  return JSON.stringify({ ...error, fbtrace_id: 'T' })
}

const HIDDEN_CALLS: readonly [Method, object][] = [
  ['getNode', { id: HIDDEN }],
  ['getNode', { id: HIDDEN, type: 'note' }],
  ['getNode', { id: HIDDEN, type: 'person' }],
  ['getNode', { id: HIDDEN, fields: 'no_such_field' }],
  ['getNode', { id: HIDDEN, fields: 'answers.after(no cursor)' }],
  ['getNode', { id: HIDDEN, fields: 'diary' }],
  ['getNode', { id: HIDDEN, fields: 'author{diary}' }],
  ['getNode', { id: HIDDEN, fields: 'likes.limit(100){friends.limit(100){friends.limit(100)}}' }],
  ['getNode', { id: HIDDEN, metadata: true, debug: 'all' }],
  ['getNodes', { ids: [SEEN, HIDDEN] }],
  ['getNodes', { ids: [HIDDEN, SEEN], fields: 'text,no_such_field' }],
  ['getEdge', { id: HIDDEN, edge: 'answers' }],
  ['getEdge', { id: HIDDEN, edge: 'friends' }],
  ['getEdge', { id: HIDDEN, edge: 'no_such_edge' }],
  ['getEdge', { id: HIDDEN, edge: 'answers', fields: 'no_such_field' }],
  ['getEdge', { id: HIDDEN, edge: 'answers', summary: true, since: 0 }],
  ['getEdges', { ids: [SEEN, HIDDEN], edge: 'answers' }],
  ['getEdges', { ids: [HIDDEN, SEEN], edge: 'no_such_edge' }],
  ['hasEdge', { id: HIDDEN, edge: 'answers', target: '22' }],
  ['hasEdge', { id: HIDDEN, edge: 'no_such_edge', target: '22' }],
]

describe('a node that may not be seen', () => {
  it.each(HIDDEN_CALLS)(
    'is missing, in the same words as one that is not there: %s %j',
    async (method, call) => {
      const hidden = await textOf(loosely(there.graph[method], there.ann, call))
      expect(hidden).toBe(await textOf(loosely(gone.graph[method], gone.ann, call)))
      expect(hidden).toContain(`The node ${HIDDEN} does not exist, may not be seen`)
    },
  )

  it.each<readonly [Method, object]>([
    ['getNode', { id: HIDDEN, fields: 'text{' }],
    ['getNode', { id: HIDDEN, version: 'no version' }],
    ['getEdge', { id: HIDDEN, edge: 'answers', limit: 0 }],
    ['getEdge', { id: HIDDEN, edge: 'answers', after: 'no cursor' }],
    ['getEdge', { id: HIDDEN, edge: 'answers', since: 'no date' }],
    ['hasEdge', { id: HIDDEN, edge: 'answers', target: 'no id' }],
  ])('does not change what the text alone is at fault for: %s %j', async (method, call) => {
    const hidden = await textOf(loosely(there.graph[method], there.ann, call))
    expect(hidden).toBe(await textOf(loosely(gone.graph[method], gone.ann, call)))
    expect(hidden).not.toContain('does not exist')
  })

  it.each<readonly [Method, object]>([
    ['getNodes', { ids: [SEEN, HIDDEN], partial: true, debug: 'all' }],
    ['getEdges', { ids: [HIDDEN, SEEN], edge: 'answers', partial: true, summary: true }],
    ['getNode', { id: CEM, fields: 'name,pinned{text}', debug: 'all' }],
    ['getNode', { id: BOB, fields: 'notes.limit(1).summary(true){text}', metadata: true }],
    ['getEdge', { id: BOB, edge: 'notes', limit: 1, summary: true, debug: 'all' }],
    ['getEdge', { id: BOB, edge: 'notes', order: 'chronological', limit: 1 }],
    ['hasEdge', { id: BOB, edge: 'notes', target: HIDDEN }],
  ])('changes no answer: %s %j', async (method, call) => {
    const answer = JSON.stringify(await loosely(there.graph[method], there.ann, call))
    expect(answer).toBe(JSON.stringify(await loosely(gone.graph[method], gone.ann, call)))
  })

  it('is none to whom a rule tells: the same id is answered to another viewer', async () => {
    const { graph, sessionOf } = await openNotes({ note: [viewerHasEdge('notes')] })
    expect(await graph.getNode(sessionOf(BOB), { id: HIDDEN })).toEqual({ text: 'By 3', id: HIDDEN })
    expect((await faultOf(graph.getNode(sessionOf(ANN), { id: HIDDEN }))).data.reason).toBe('node_missing')
  })
})

describe('a node known by another id', () => {
  /** Ids of apps hide nothing that a policy does: missing, hidden, raw and foreign ids are one fault. */
  const openApps = async (isEdsgerThere: boolean) => {
    const store = await worldStore()
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
  ])('is missing in the same words whether it is there or not: %s, %s', async (kind, method, call) => {
    const [there, gone] = [await openApps(true), await openApps(false)]
    const ids: { readonly [kind: string]: string } = {
      raw: EDSGER,
      hidden: there.graph.ids.toPublic(EDSGER, 'demo'),
      'of another app': there.graph.ids.toPublic(EDSGER, 'other'),
      forged: '19999999999999999999',
    }
    const asked = { id: ids[kind], ...call }
    const text = await textOf(loosely(there.graph[method], there.ada, asked))
    expect(text).toBe(await textOf(loosely(gone.graph[method], gone.ada, asked)))
    expect(text).toContain('"code":100,"error_subcode":33')
    const raw = await textOf(loosely(there.graph[method], there.ada, { ...asked, id: EDSGER }))
    expect(text.replaceAll(asked.id ?? '', 'ID')).toBe(
      raw.replaceAll(`node ${EDSGER} `, 'node ID ').replace(`"id":"${EDSGER}"`, '"id":"ID"'),
    )
  })
})
