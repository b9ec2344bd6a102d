import type { Finding } from '../store/inspection.ts'

/**
 * The change that repairs a finding. `derive`: the store derives the entry of a collection or order again. `none`:
 * the data does not show what is right, or nothing needs a repair. Only `remove` needs the permission to remove.
 * An entry that no record gives is derived too, because it has no value of its own.
 */
export type RepairAction = 'add' | 'correct' | 'derive' | 'complete' | 'remove' | 'none'

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
  unfinishedEntry: 'complete',
  recentNote: 'none',
  damagedNote: 'remove',
  unfinishedDeletion: 'complete',
  missingEntry: 'derive',
  wrongEntry: 'derive',
  strayEntry: 'derive',
  undeclaredEntry: 'none',
}

/**
 * Returns the change that repairs a finding. The missing side of a mirrored edge is added, unless the store
 * knows that it was deleted later: then the existing side is removed.
 */
export const repairActionOf = (finding: Finding): RepairAction => {
  if (finding.kind !== 'halfMirror') return ACTIONS[finding.kind]
  return finding.isDeleted ? 'remove' : 'add'
}
