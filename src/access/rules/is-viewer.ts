import type { Rule } from '../../schema/policy.ts'
import { ofOption, type RuleOptions, subjectOf } from './subject.ts'

/**
 * Allows where the viewer is the record, or the node that the ref `of` of the record names. Skips where it is not,
 * where the ref names none, and where the token has no viewer.
 *
 * @throws TypeError for options that there are not.
 * @example
 * ```ts
 * import { field, isViewer, node } from 'kithgraph'
 *
 * const diary = node({ policy: [isViewer({ of: 'author' })], fields: { author: field.ref('user') } })
 * console.log(diary.policy?.map(rule => rule.name)) // [ 'isViewer(of author)' ]
 * ```
 */
export const isViewer = (options?: RuleOptions): Rule => {
  const of = ofOption('isViewer', options)
  const name = of === undefined ? 'isViewer' : `isViewer(of ${of})`
  return Object.freeze({
    name,
    decide: (record, { viewer }) =>
      viewer !== undefined && viewer === subjectOf(record, of) ? 'allow' : 'skip',
    '~refers': Object.freeze([{ rule: name, kind: 'node', of }]),
  } satisfies Rule)
}
