import { createGraph, defineSchema, edge, field, type GraphOptions, node, type Policy } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import type { JsonObject } from '../../../src/base/json.ts'
import type { Mutation, Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'

/** Ann looks at two notes alike in all but what rules ask about: one that each of them lets her see, and one that none does. */

export const ANN = '1'
/** A friend of Ann. */
export const BOB = '2'
/** Nobody's friend. */
export const CEM = '3'
/** Open to everyone, written by Bob to Ann, saved and liked by her. */
export const SEEN = '11'
/** Only for himself, written by Cem to Bob. */
export const HIDDEN = '12'
/** Answers to both notes, under no policy. */
export const ANSWER = '21'

/** Where policies may stand. */
export type Policies = {
  readonly person?: Policy
  readonly note?: Policy
  readonly answers?: Policy
  readonly text?: Policy
  readonly words?: Policy
  readonly author?: Policy
  readonly liked?: Policy
}

const schemaOf = ({ person, note, answers, text, words, author, liked }: Policies) =>
  defineSchema(
    {
      person: node({
        policy: person,
        fields: { name: field.string({ default: true }), pinned: field.ref('note') },
        edges: {
          friends: edge('person'),
          saved: edge('note'),
          notes: edge('note'),
          diary: edge('note', { scope: 'diary' }),
        },
      }),
      note: node({
        policy: note,
        fields: {
          text: field.string({ default: true, policy: text }),
          words: field.int({
            policy: words,
            resolve: notes => notes.map(({ fields }) => `${fields.text}`.split(' ').length),
          }),
          privacy: field.enum(['everyone', 'self']),
          author: field.ref('person', { policy: author }),
          addressee: field.ref('person'),
          liked: field.viewerEdge('likes', { policy: liked }),
        },
        edges: { likes: edge('person'), answers: edge('answer', { policy: answers }) },
      }),
      answer: node({ fields: { text: field.string({ default: true }), to: field.ref('note') } }),
    },
    { viewers: ['person'] },
  )

const putNode = (type: string, id: string, fields: JsonObject): Mutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (source: string, name: string, target: string, time = 0): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

const putNote = (id: string, author: string, addressee: string, privacy: string): Mutation[] => [
  putNode('note', id, { text: `By ${author}`, privacy, author, addressee }),
  putNode('person', author, { name: author, pinned: id }),
  putNode('answer', `${Number(id) + 10}`, { text: 'Hear, hear', to: id }),
  putEdge(id, 'answers', `${Number(id) + 10}`),
  putEdge(BOB, 'notes', id, Number(id)),
]

const WORLD: readonly Mutation[] = [
  putNode('person', ANN, { name: ANN }),
  ...putNote(SEEN, BOB, ANN, 'everyone'),
  ...putNote(HIDDEN, CEM, BOB, 'self'),
  putEdge(ANN, 'friends', BOB),
  putEdge(BOB, 'friends', ANN),
  putEdge(ANN, 'saved', SEEN),
  putEdge(SEEN, 'likes', ANN),
]

type Opening = Omit<GraphOptions, 'schema'> & {
  /** Whether the hidden note is there at all. */
  readonly isHiddenThere?: boolean
  /** Stands in for the methods of the store. */
  readonly replaced?: (store: Store) => Partial<Store>
}

/** The world under some policies, seen by Ann. */
export const openNotes = async (
  policies: Policies,
  { isHiddenThere = true, replaced = () => ({}), ...options }: Opening = {},
) => {
  const memory = createMemoryStore()
  await memory.open()
  memory.write([...WORLD, ...(isHiddenThere ? [] : [{ op: 'deleteNode', id: HIDDEN } as const])])
  const store = countReads(delegateStore(memory, replaced(memory)))
  const graph = createGraph(store, { ...options, schema: schemaOf(policies) })
  const sessionOf = (viewer: string | undefined, ...scopes: string[]) =>
    graph.session({ viewer, app: 'demo', scopes })
  return { store, graph, sessionOf, ann: sessionOf(ANN) }
}
