import { edge, node, defineSchema, field, parameter, type Graph, type AnyGraph } from 'kithgraph'
const schema = defineSchema({
  user: node({ fields: { name: field.string() }, edges: {
    photos: edge('photo', { parameters: { type: parameter.enum(['tagged', 'uploaded'], { default: 'tagged' }), big: parameter.bool() }, list: ({ type }) => `photos_${type}` }),
    friends: edge('user'),
    search: edge('user', { parameters: { q: parameter.string({ required: true }), at: parameter.datetime(), me: parameter.id(), n: parameter.int({ default: 4 }) }, where: () => true }),
  } }),
  photo: node({ edges: { photos: edge('photo', { parameters: { near: parameter.float() }, where: () => true }), friends: edge('user') } }),
})
declare const graph: Graph<typeof schema>
declare const any: AnyGraph
declare const un: Graph
const u = { id: '4', type: 'user' } as const
graph.getEdge('t', { ...u, edge: 'photos', parameters: { type: 'uploaded' } })
graph.getEdge('t', { ...u, edge: 'photos' })
graph.getEdge('t', { ...u, edge: 'photos', parameters: undefined })
graph.getEdge('t', { ...u, edge: 'photos', parameters: { type: 'uploadd' } }) // E
graph.getEdge('t', { ...u, edge: 'photos', parameters: { typ: 'uploaded' } }) // E
graph.getEdge('t', { ...u, edge: 'friends', parameters: { typ: 'uploaded' } }) // E
graph.getEdge('t', { ...u, edge: 'friends', parameters: undefined })
graph.getEdge('t', { ...u, edge: 'search' }) // E
graph.getEdge('t', { ...u, edge: 'search', parameters: undefined }) // E
graph.getEdge('t', { ...u, edge: 'search', parameters: {} }) // E
graph.getEdge('t', { ...u, edge: 'search', parameters: { q: 'x', at: new Date(), me: 'me', n: undefined } })
graph.getEdge('t', { id: '4', edge: 'photos', parameters: { type: 'uploaded' } })
graph.getEdge('t', { id: '4', edge: 'photos', parameters: { near: 4 } })
graph.getEdge('t', { id: '4', edge: 'photos', parameters: { nea: 4 } }) // E
graph.getEdge('t', { id: '4', edge: 'photos', parameters: { near: 'x' } }) // E
graph.getEdge('t', { id: '4', edge: 'photos' })
graph.getEdges('t', { ids: ['4'], edge: 'photos', parameters: { type: 'tagged' } })
graph.hasEdge('t', { ...u, edge: 'search', target: '5', parameters: { q: 'x' } })
graph.hasEdge('t', { ...u, edge: 'search', target: '5' }) // E
graph.iterateEdge('t', { ...u, edge: 'search', fields: 'name', parameters: { q: 'x' } })
graph.iterateEdge('t', { ...u, edge: 'search', fields: 'nme', parameters: { q: 'x' } }) // E
graph.getEdge('t', { ...u, edge: 'seach', parameters: { q: 'x' } }) // E
graph.getEdge('t', { ...u, edge: 'search', parameters: { q: 'x' }, limt: 2 }) // E
graph.getEdge('t', { ...u, edge: 'search', parameters: { q: 'x' }, limit: '2' }) // E
graph.getNode('t', { ...u, fields: 'photos.type(uploaded).limit(2){photos.near(2)}' })
graph.getNode('t', { ...u, fields: 'photos.typ(uploaded).limit(2){photos.nea(2)}' }) // E
graph.getEdge('t', { ...u, edge: 'search', fields: 'photos.type(x)', summary: true, parameters: { q: 'x' } }).then(x => x.summary)
any.getEdge('t', { ...u, edge: 'x', parameters: { a: 4 } })
any.getEdge('t', { ...u, edge: 'x' })
any.getEdge('t', { ...u, edge: 'x', parameters: 5 }) // E
un.getEdge('t', { ...u, edge: 'x', parameters: { a: 4 } })
un.getEdge('t', { ...u, edge: 'x' })
const g: AnyGraph = graph
void g
import type { EdgeInput, Mutation, Schema } from 'kithgraph'
const k = { source: '4', target: '5' }
graph.write([{ op: 'putEdge', edge: { ...k, name: 'photos', parameters: { type: 'uploaded' } } }])
graph.write([{ op: 'putEdge', edge: { ...k, name: 'photos' } }, { op: 'deleteEdge', edge: { ...k, name: 'photos' } }])
graph.write([{ op: 'putEdge', edge: { ...k, name: 'photos', parameters: { type: 'uploade' } } }]) // E
graph.write([{ op: 'putEdge', edge: { ...k, name: 'photos', parameters: { near: 4 } } }]) // E
graph.write([{ op: 'putEdge', edge: { ...k, name: 'friends', parameters: { type: 'uploaded' } } }]) // E
graph.write([{ op: 'putEdge', edge: { ...k, name: 'search', parameters: { q: 'uploaded' } } }]) // E
graph.write([{ op: 'deleteEdge', edge: { ...k, name: 'photos', parameters: { type: 'uploaded', big: true } } }])
graph.write([{ op: 'deleteEdge', edge: { ...k, name: 'photos', parameters: { type: 'uploade' } } }]) // E
graph.write([{ op: 'deleteEdge', edge: { ...k, name: 'photos', parameters: { typ: 'uploaded' } } }]) // E
graph.write([{ op: 'deleteEdge', edge: { ...k, name: 'friends', parameters: { type: 'uploaded' } } }]) // E
graph.write([{ op: 'deleteEdge', edge: { ...k, name: 'photo' } }]) // E
graph.load([{ edge: { ...k, name: 'photos', time: 4, parameters: { type: 'uploaded' } } }])
graph.load([{ edge: { ...k, name: 'photos', time: 4, parameters: { type: 'uploade' } } }]) // E
const nm = 'photos' as EdgeInput<typeof schema>['name']
graph.write([{ op: 'deleteEdge', edge: { ...k, name: nm } }])
any.write([{ op: 'deleteEdge', edge: { ...k, name: 'x', parameters: { a: 1 } } }, { op: 'putEdge', edge: { ...k, name: 'x', parameters: { a: 1 } } }])
const q: 4 = 1 as unknown as Extract<Mutation<Schema>, { op: 'deleteEdge' }>['edge']
const r: 4 = 1 as unknown as Extract<Mutation<Schema>, { op: 'putEdge' }>['edge']
const s: 4 = 1 as unknown as EdgeInput<typeof schema>
void [q, r, s]
