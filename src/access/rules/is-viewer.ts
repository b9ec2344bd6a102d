import type { Rule } from '../../schema/policy.ts'
import { type RuleOptions, readOfOption, subjectOf } from './subject.ts'

/**
 * Creates a rule that allows if the viewer is the record, or the node that the ref `of` of the record refers
 * to. It skips otherwise, also if the ref is not set or the token has no viewer.
 *
 * @throws TypeError for an unknown option.
 * @example
 * ```ts
 * import { field, isViewer, node } from 'kithgraph'
 *
 * const diary = node({ policy: [isViewer({ of: 'author' })], fields: { author: field.ref('user') } })
 * console.log(diary.policy?.map(rule => rule.name)) // [ 'isViewer(of author)' ]
 * ```
 */
export const isViewer = (options?: RuleOptions): Rule => {
  const subjectField = readOfOption('isViewer', options)
  const name = subjectField === undefined ? 'isViewer' : `isViewer(of ${subjectField})`
  return Object.freeze({
    name,
    decide: (record, { viewer }) =>
      viewer !== undefined && viewer === subjectOf(record, subjectField) ? 'allow' : 'skip',
    '~refers': Object.freeze([{ rule: name, kind: 'node', subjectField }]),
  } satisfies Rule)
}
