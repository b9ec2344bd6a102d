import { createGraph, createStaticAuth } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createClient } from 'kithgraph/client'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createJwtAuth } from 'kithgraph/jwt'
import { createMemoryStore } from 'kithgraph/memory'
import { schema } from './schema.js'

export const auth = [createStaticAuth({}), createJwtAuth({ secret: 'x'.repeat(32) })]
export const appIds = createAppIds({ secrets: { 1: 'at least 16 characters' }, current: 1 })
export const graph = createGraph(createMemoryStore(), { schema, auth })
export const socialGraph = createGraph(createMemoryStore())
export const { tokens } = graph
export const handler = createHandler(graph)
export const listener = toNodeListener(handler)
export const explorer = createExplorer(graph, { graphPath: '/' })
export const client = createClient<typeof schema>('https://graph.example.org')
export const session = graph.session({ viewer: '1', app: 'web' })

export const readUser = () =>
  graph.getNode(session, {
    id: '1',
    type: 'user',
    fields: 'string,friends{since,string,posts{title,author}}',
  })
export const readUserRemotely = () => client.getNode('token', { id: '1', type: 'user', fields: 'enum,list' })
export const readMe = () => socialGraph.getMe(session, { fields: 'name,photos{created_time}' })
export const readPosts = () => graph.getEdge(session, { id: '1', type: 'user', edge: 'posts', summary: true })
export const readFriends = () => graph.iterateEdge(session, { id: '1', type: 'user', edge: 'friends' })
export const explainUser = () => graph.explain({ type: 'user', fields: 'friends' })
export const addPost = () =>
  graph.write([{ op: 'putNode', node: { id: '2', type: 'post', fields: { title: 'Notes', author: '1' } } }])
