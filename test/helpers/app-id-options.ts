import { createAppIds } from 'kithgraph/app-ids'
import type { World } from './naive-graph/world.ts'
import type { OpenWorldOptions } from './open-world.ts'

/** Creates the options of a graph with app-scoped ids. */
export const createAppIdOptions = (): OpenWorldOptions & {
  readonly appIds: ReturnType<typeof createAppIds>
} => ({
  appIds: createAppIds({ secrets: { 7: 'a secret for the tests of ids' }, current: 7 }),
  secret: 'a secret for the tests of cursors',
})

/**
 * Creates a function that returns the public id of a node whose type is app-scoped in one of the worlds. It
 * returns other ids unchanged.
 */
export const createIdMapper =
  (worlds: readonly World[], toPublic: (id: string) => string) =>
  (id: string): string => {
    const isScoped = worlds.some(({ schema, nodes }) =>
      nodes.some(node => node.id === id && schema.types[node.type]?.appScoped),
    )
    return isScoped ? toPublic(id) : id
  }
