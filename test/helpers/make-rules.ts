import {
  allOf,
  anyOf,
  canSee,
  fieldEquals,
  hasEdgeToViewer,
  hasScope,
  isViewer,
  not,
  type Rule,
  viewerHasEdge,
} from 'kithgraph'
import type { EdgeRuleSpec, OwnRuleSpec, PolicySpec, RuleSpec } from './naive-graph/policies.ts'

/** A rule that reads a field that its type does not declare cannot name it. It receives all fields. */
const readsOf = ({ field, isDeclared }: { readonly field: string; readonly isDeclared?: boolean }) =>
  isDeclared === true ? [field] : undefined

const createOwnRule = (spec: OwnRuleSpec): Rule => {
  const { rule: name } = spec
  switch (spec.rule) {
    case 'everyone':
      return { name, reads: [], decide: () => 'allow' }
    case 'listed':
      return { name, reads: [], decide: ({ id }) => (spec.ids.includes(id) ? spec.decision : 'skip') }
    case 'denied':
      return {
        name,
        reads: readsOf(spec),
        decide: ({ fields }) => (fields[spec.field] === spec.value ? 'deny' : 'skip'),
      }
    case 'mutual':
      return {
        name,
        reads: [],
        checks: ({ id }, { viewer }) =>
          viewer === undefined
            ? []
            : [
                { source: viewer, name: spec.edge, target: id },
                { source: id, name: spec.edge, target: viewer },
              ],
        decide: (_record, _session, found) => (found.length === 2 && found.every(Boolean) ? 'allow' : 'skip'),
      }
    case 'broken': {
      const fail: NonNullable<Rule['checks']> = ({ fields }) => {
        if (fields[spec.field] === spec.value) throw new Error('This rule is broken')
        return []
      }
      const decide: Rule['decide'] = () => 'skip'
      return spec.when === 'checks'
        ? { name, reads: readsOf(spec), checks: fail, decide }
        : {
            name,
            reads: readsOf(spec),
            decide: (record, session) => {
              fail(record, session)
              return 'skip'
            },
          }
    }
  }
}

const withoutUndefined = <T>(
  members: { readonly [name: string]: T | undefined } = {},
): { [name: string]: T } =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )

const optionsOf = ({ of, where, parameters }: EdgeRuleSpec) => ({
  of,
  where: where && withoutUndefined(where),
  parameters: parameters && withoutUndefined(parameters),
})

const createRule = (spec: RuleSpec): Rule => {
  switch (spec.rule) {
    case 'isViewer':
      return isViewer({ of: spec.of })
    case 'viewerHasEdge':
      return viewerHasEdge(spec.edge, optionsOf(spec))
    case 'hasEdgeToViewer':
      return hasEdgeToViewer(spec.edge, optionsOf(spec))
    case 'hasScope':
      return hasScope(spec.scope)
    case 'fieldEquals':
      return fieldEquals(spec.field, spec.value)
    case 'canSee':
      return canSee(spec.ref)
    case 'anyOf':
      return anyOf(...spec.members.map(createRule))
    case 'allOf':
      return allOf(...spec.members.map(createRule))
    case 'not':
      return not(createRule(spec.member))
    default:
      return createOwnRule(spec)
  }
}

/** Creates the rules of a policy from their specs. */
export const createPolicy = (spec: PolicySpec | undefined): readonly Rule[] | undefined =>
  spec?.map(createRule)
