import fc, { type Arbitrary } from 'fast-check'
import {
  canSee,
  fieldEquals,
  hasEdgeToViewer,
  hasScope,
  isViewer,
  type Policy,
  type Rule,
  viewerHasEdge,
} from 'kithgraph'
import type { WorldPolicies } from './graph.ts'
import { STATES } from './rows.ts'

/** The scope that some sessions have. */
export const SCOPE = 'all'

const ROLES = ['owner', 'member']
const MEMBERSHIP = [undefined, ...ROLES.map(role => ({ role })), { role: ROLES }]
/** Texts of notes are inexact in some collations. */
const FOLLOWING = [
  undefined,
  undefined,
  { muted: false },
  { muted: true },
  { note: ['a', 'A'] },
  { note: 'b', muted: false },
]

/** Creates a rule about an account: that of the record, or of a ref. */
type AccountRule = (of?: string) => Rule

/** Rules about the edges between the viewer and an account. */
const accountEdges: Arbitrary<AccountRule> = fc
  .record({
    rule: fc.constantFrom(viewerHasEdge, hasEdgeToViewer),
    edge: fc.constantFrom('following', 'following', 'followers', 'reports'),
    where: fc.constantFrom(...FOLLOWING),
  })
  .map(
    ({ rule, edge, where }) =>
      of =>
        rule(edge, { of, ...(edge === 'following' && { where }) }),
  )

const edgesOfAccounts = (of?: string): Arbitrary<Rule> => accountEdges.map(create => create(of))

const edgesOfPhotos = (of?: string): Arbitrary<Rule> =>
  fc.constantFrom(...STATES).map(state => viewerHasEdge('photos', { of, parameters: { state } }))

const edgesOfTeams: Arbitrary<Rule> = fc
  .constantFrom(...MEMBERSHIP)
  .chain(where =>
    fc.constantFrom(viewerHasEdge('teams', { where }), hasEdgeToViewer('members', where && { where })),
  )

/** A rule of which the store cannot evaluate everything, or `undefined`. */
const rarely = (...rules: readonly Rule[]): Arbitrary<Rule | undefined> =>
  fc.option(fc.constantFrom(...rules), { nil: undefined, freq: 5 })

/** The rules of the types: first those that a store can evaluate, in any order, and then one that it mostly cannot. */
const RULES: {
  readonly [type: string]: {
    readonly rules: readonly Arbitrary<Rule>[]
    readonly rare: Arbitrary<Rule | undefined>
  }
} = {
  account: {
    rules: [
      edgesOfAccounts(),
      edgesOfAccounts(),
      edgesOfAccounts('boss'),
      fc.constantFrom(
        isViewer(),
        isViewer({ of: 'boss' }),
        fieldEquals('mood', 'calm'),
        fieldEquals('active', true),
      ),
    ],
    rare: rarely(fieldEquals('name', 'a'), fieldEquals('price', '1.50')),
  },
  photo: {
    rules: [
      edgesOfAccounts('owner'),
      edgesOfAccounts('owner'),
      edgesOfPhotos(),
      fc.constantFrom(isViewer({ of: 'owner' }), fieldEquals('state', 'public')),
    ],
    rare: rarely(fieldEquals('title', 'a'), fieldEquals('rating', 2)),
  },
  comment: {
    rules: [
      edgesOfAccounts('author'),
      edgesOfAccounts('author'),
      edgesOfPhotos('photo'),
      fc.constantFrom(isViewer({ of: 'author' }), fieldEquals('body', 'a')),
    ],
    rare: rarely(canSee('photo')),
  },
  team: { rules: [edgesOfTeams], rare: rarely(fieldEquals('name', 'a')) },
  revision: {
    rules: [
      edgesOfAccounts('editor'),
      edgesOfPhotos('photo'),
      fc.constantFrom(isViewer({ of: 'editor' }), fieldEquals('caption', 'a')),
    ],
    rare: rarely(canSee('photo'), canSee('previous')),
  },
}

const MAX_RULES = 4

const policyOf = (type: string): Arbitrary<Policy> => {
  const { rules = [], rare = fc.constant(undefined) } = RULES[type] ?? {}
  return fc
    .tuple(
      fc.array(fc.oneof(...rules), { minLength: 1, maxLength: MAX_RULES, size: 'max' }),
      rare,
      fc.nat(MAX_RULES),
    )
    .map(([common, other = hasScope(SCOPE), index]) =>
      // Every viewer sees its own node, from which most calls begin.
      [...(type === 'account' ? [isViewer()] : []), ...common].toSpliced(index, 0, other),
    )
}

/** Policies of most types, of ready-made rules in any order. */
const independentPolicies: Arbitrary<WorldPolicies> = fc.record(
  Object.fromEntries(
    Object.keys(RULES).map(type => [type, fc.option(policyOf(type), { nil: undefined, freq: 3 })]),
  ),
)

/** Policies that show a record to those who see the account of its ref, by the same rules. */
const policiesOfRefs: Arbitrary<WorldPolicies> = fc
  .array(accountEdges, { minLength: 1, maxLength: MAX_RULES })
  .map(edges => {
    const rules: readonly AccountRule[] = [of => isViewer({ of }), ...edges]
    const policyOfRef = (of?: string): Policy => rules.map(create => create(of))
    return {
      account: policyOfRef(),
      photo: policyOfRef('owner'),
      comment: policyOfRef('author'),
      revision: policyOfRef('editor'),
    }
  })

/** Policies of types of worlds, of ready-made rules. */
export const worldPolicies: Arbitrary<WorldPolicies> = fc.oneof(
  { weight: 3, arbitrary: independentPolicies },
  { weight: 1, arbitrary: policiesOfRefs },
)
