import type { SeenGraph } from '../response/seen-graph.ts'

/** All edges between two nodes, as one line. */
export type Line = {
  readonly key: string
  readonly ends: readonly [string, string]
  readonly names: readonly string[]
}

/** Returns the lines of a drawing: one per pair of nodes, for all edges between them in both directions. */
export const toLines = ({ edges }: SeenGraph): readonly Line[] => {
  const lines = new Map<string, { ends: readonly [string, string]; names: Set<string> }>()
  for (const { source, name, target } of edges.values()) {
    if (source === target) continue
    const ends = source < target ? ([source, target] as const) : ([target, source] as const)
    const line = lines.get(ends.join()) ?? { ends, names: new Set() }
    line.names.add(name)
    lines.set(ends.join(), line)
  }
  return [...lines].map(([key, { ends, names }]) => ({ key, ends, names: [...names] }))
}
