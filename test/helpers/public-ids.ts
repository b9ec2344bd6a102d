import { createAppIds } from 'kithgraph/app-ids'
import type { World } from './naive-graph/world.ts'
import type { OpenOptions } from './open-world.ts'

/** What opens a graph with app-scoped ids. */
export const scopedOptions = (): OpenOptions & { readonly appIds: ReturnType<typeof createAppIds> } => ({
  appIds: createAppIds({ secrets: { 7: 'a secret for the tests of ids' }, current: 7 }),
  secret: 'a secret for the tests of cursors',
})

/** Names nodes as an app knows them: those of app-scoped types in one of the worlds by their public ids. */
export const nameIn =
  (worlds: readonly World[], toPublic: (id: string) => string) =>
  (id: string): string => {
    const isScoped = worlds.some(({ schema, nodes }) =>
      nodes.some(node => node.id === id && schema.types[node.type]?.appScoped),
    )
    return isScoped ? toPublic(id) : id
  }
