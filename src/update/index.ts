export type { EdgeDraft, NodeDraft, UpdateEdgeOptions, UpdateOptions } from './draft-types.ts'
export { update } from './update.ts'
export { updateEdge } from './update-edge.ts'
