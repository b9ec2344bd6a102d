import type { Finding } from '../store/inspection.ts'

/**
 * The change that repairs a finding. `none`: the data does not show what is right, or nothing needs a repair.
 * Only `remove` needs the permission to remove.
 */
export type RepairAction = 'add' | 'correct' | 'complete' | 'remove' | 'none'

const ACTIONS: { readonly [kind in Exclude<Finding['kind'], 'halfMirror'>]: RepairAction } = {
  damagedNode: 'none',
  damagedEdge: 'none',
  danglingEdge: 'remove',
  staleEdge: 'remove',
  missingReverseEntry: 'add',
  staleReverseEntry: 'remove',
  wrongCount: 'correct',
  emptyCount: 'remove',
  unequalMirror: 'none',
  unfinishedMirror: 'complete',
  recentNote: 'none',
  damagedNote: 'remove',
  unfinishedDeletion: 'complete',
}

/**
 * Returns the change that repairs a finding. The missing side of a mirrored edge is added, unless the store
 * knows that it was deleted later: then the existing side is removed.
 */
export const repairActionOf = (finding: Finding): RepairAction => {
  if (finding.kind !== 'halfMirror') return ACTIONS[finding.kind]
  return finding.isDeleted ? 'remove' : 'add'
}
