import { PolicyEvaluator } from './policy-evaluator.ts'

/**
 * The evaluator of a call that skips policies: every policy allows, without an evaluation of its rules. Fields
 * that say whether a record has an edge to the viewer are read as in other calls.
 */
export class BypassingEvaluator extends PolicyEvaluator {
  override allows(): true {
    return true
  }

  override collectChecks(): void {}
}
