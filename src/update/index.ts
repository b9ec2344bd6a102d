export type { EdgeDraft, NodeDraft, RecipeResult, UpdateEdgeOptions, UpdateOptions } from './draft-types.ts'
export { update } from './update.ts'
export { updateEdge } from './update-edge.ts'
