import {
  allOf,
  anyOf,
  fieldEquals,
  hasEdgeToViewer,
  hasScope,
  isViewer,
  not,
  type Rule,
  viewerHasEdge,
} from 'kithgraph'
import type { OwnRuleSpec, PolicySpec, RuleSpec } from './naive-graph/policies.ts'

const ownRule = (spec: OwnRuleSpec): Rule => {
  const { rule: name } = spec
  switch (spec.rule) {
    case 'everyone':
      return { name, decide: () => 'allow' }
    case 'listed':
      return { name, decide: ({ id }) => (spec.ids.includes(id) ? spec.decision : 'skip') }
    case 'denied':
      return { name, decide: ({ fields }) => (fields[spec.field] === spec.value ? 'deny' : 'skip') }
    case 'mutual':
      return {
        name,
        tests: ({ id }, { viewer }) =>
          viewer === undefined
            ? []
            : [
                { source: viewer, name: spec.edge, target: id },
                { source: id, name: spec.edge, target: viewer },
              ],
        decide: (_record, _session, has) => (has.length === 2 && has.every(Boolean) ? 'allow' : 'skip'),
      }
    case 'broken': {
      const fail: NonNullable<Rule['tests']> = ({ fields }) => {
        if (fields[spec.field] === spec.value) throw new Error('This rule is broken')
        return []
      }
      const decide: Rule['decide'] = () => 'skip'
      return spec.when === 'tests'
        ? { name, tests: fail, decide }
        : {
            name,
            decide: (record, session) => {
              fail(record, session)
              return 'skip'
            },
          }
    }
  }
}

const ruleOf = (spec: RuleSpec): Rule => {
  switch (spec.rule) {
    case 'isViewer':
      return isViewer({ of: spec.of })
    case 'viewerHasEdge':
      return viewerHasEdge(spec.edge, { of: spec.of })
    case 'hasEdgeToViewer':
      return hasEdgeToViewer(spec.edge, { of: spec.of })
    case 'hasScope':
      return hasScope(spec.scope)
    case 'fieldEquals':
      return fieldEquals(spec.field, spec.value)
    case 'anyOf':
      return anyOf(...spec.members.map(ruleOf))
    case 'allOf':
      return allOf(...spec.members.map(ruleOf))
    case 'not':
      return not(ruleOf(spec.member))
    default:
      return ownRule(spec)
  }
}

/** The real rules of a policy. */
export const policyOf = (spec: PolicySpec | undefined): readonly Rule[] | undefined => spec?.map(ruleOf)
