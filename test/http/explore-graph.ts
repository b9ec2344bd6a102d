import { createGraph, defineSchema, edge, field, isViewer, node, parameter } from 'kithgraph'
import { createExplorer } from 'kithgraph/explorer'
import { createMemoryStore } from 'kithgraph/memory'
import type { AnyGraphOptions } from '../../src/graph-options.ts'

/** Creates a function that reads data from the Explorer of an empty graph. */
export const exploreGraph = (options?: AnyGraphOptions) => {
  const graph = createGraph(createMemoryStore(), options)
  const explorer = createExplorer(graph, { graphPath: '/graph' })
  const readExplorer = async (name: string, query: { readonly [name: string]: string } = {}) => {
    const response = await explorer(new Request(`http://explorer.test/${name}?${new URLSearchParams(query)}`))
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return { graph, readExplorer }
}

/** A schema with versions, a policy and scopes. */
export const library = defineSchema(
  {
    author: node({
      fields: {
        name: field.string({ default: true, required: true }),
        pen_name: field.string({ since: 'v2.0', deprecated: 'name' }),
        born: field.string({ removedIn: 'v2.0' }),
      },
      edges: {
        books: edge('book', { order: 'chronological', fields: { role: field.string({ since: 'v2.0' }) } }),
        reviews: edge('author', {
          parameters: {
            kind: parameter.enum(['short', 'long'], { default: 'short', description: 'The length.' }),
            after_day: parameter.datetime({ default: 0 }),
            by: parameter.id(),
            min: parameter.int({ required: true }),
          },
          list: ({ kind }) => `reviews_${kind}`,
        }),
        drafts: edge('author', { parameters: { q: parameter.string() }, where: () => true }),
      },
    }),
    book: node({
      description: 'What was printed.',
      policy: [isViewer()],
      fields: {
        title: field.string({ default: true }),
        writer: field.ref(['author', 'book'], { scope: 'writers' }),
        cover: field.url({
          description: 'Its picture.',
          parameters: { width: parameter.int(), format: parameter.enum(['png', 'jpeg']) },
          resolve: books => books.map(() => undefined),
        }),
      },
    }),
  },
  { versions: ['v1.0', 'v2.0', 'v2.10'], viewers: ['author'] },
)
