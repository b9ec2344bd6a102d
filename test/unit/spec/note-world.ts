import { createGraph, defineSchema, edge, field, type GraphOptions, node, type Policy } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import type { JsonObject } from '../../../src/base/json.ts'
import type { Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'

/** Two notes that differ only in what rules check: each rule lets Ann see the first and not the second. */

export const ANN = '1'
/** A friend of Ann. */
export const BOB = '2'
/** A person without friends. */
export const EVE = '3'
/** A public note from Bob to Ann, which Ann has saved and likes. */
export const VISIBLE_NOTE = '11'
/** A private note from Eve to Bob. */
export const HIDDEN_NOTE = '12'
/** The note that replies to the visible note. */
export const ANSWER_ID = '21'

/** The parts of the schema that may have a policy. */
export type NotePolicies = {
  readonly person?: Policy
  readonly note?: Policy
  readonly answers?: Policy
  readonly text?: Policy
  readonly words?: Policy
  readonly author?: Policy
  readonly liked?: Policy
}

const createSchema = ({ person, note, answers, text, words, author, liked }: NotePolicies) =>
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

const putNode = (type: string, id: string, fields: JsonObject): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (source: string, name: string, target: string, time = 0): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data: undefined },
})

const putNote = (id: string, author: string, addressee: string, privacy: string): StoreMutation[] => [
  putNode('note', id, { text: `By ${author}`, privacy, author, addressee }),
  putNode('person', author, { name: author, pinned: id }),
  putNode('answer', `${Number(id) + 10}`, { text: 'Hear, hear', to: id }),
  putEdge(id, 'answers', `${Number(id) + 10}`),
  putEdge(BOB, 'notes', id, Number(id)),
]

const WORLD: readonly StoreMutation[] = [
  putNode('person', ANN, { name: ANN }),
  ...putNote(VISIBLE_NOTE, BOB, ANN, 'everyone'),
  ...putNote(HIDDEN_NOTE, EVE, BOB, 'self'),
  putEdge(ANN, 'friends', BOB),
  putEdge(BOB, 'friends', ANN),
  putEdge(ANN, 'saved', VISIBLE_NOTE),
  putEdge(VISIBLE_NOTE, 'likes', ANN),
]

type OpenNotesOptions = Omit<GraphOptions, 'schema'> & {
  /** Whether the hidden note exists. */
  readonly hasHiddenNote?: boolean
  /** Replaces methods of the store. */
  readonly overrideStore?: (store: Store) => Partial<Store>
}

/** Opens the world with the given policies, and a session of Ann. */
export const openNotes = async (
  policies: NotePolicies,
  { hasHiddenNote = true, overrideStore = () => ({}), ...options }: OpenNotesOptions = {},
) => {
  const memory = createMemoryStore()
  await memory.open()
  memory.write([...WORLD, ...(hasHiddenNote ? [] : [{ op: 'deleteNode', id: HIDDEN_NOTE } as const])])
  const store = countReads(delegateStore(memory, overrideStore(memory)))
  const graph = createGraph(store, { ...options, schema: createSchema(policies) })
  const sessionOf = (viewer: string | undefined, ...scopes: string[]) =>
    graph.session({ viewer, app: 'demo', scopes })
  return { store, graph, sessionOf, ann: sessionOf(ANN) }
}
