import {
  allOf,
  anyOf,
  type Decision,
  type EdgeTest,
  fieldEquals,
  hasEdgeToViewer,
  hasScope,
  isViewer,
  type JsonObject,
  type NodeRecord,
  not,
  type Rule,
  type Session,
  viewerHasEdge,
} from 'kithgraph'
import { describe, expect, it } from 'vitest'

const ANN = '4'
const BEN = '5'

const session: Session = {
  viewer: ANN,
  app: '9',
  scopes: ['photos'],
  issuedAt: 0,
  expiresAt: undefined,
}
const nobody: Session = { ...session, viewer: undefined }

const recordOf = (id: string, fields: JsonObject = {}): NodeRecord => ({ id, type: 'photo', fields })

/** What a rule decides in a world where only the named edges are there. */
const decisionOf = (rule: Rule, record: NodeRecord, of: Session, ...there: readonly EdgeTest[]): Decision => {
  const tests = rule.tests?.(record, of) ?? []
  const isThere = (test: EdgeTest) =>
    there.some(
      ({ source, name, target }) => source === test.source && name === test.name && target === test.target,
    )
  return rule.decide(record, of, tests.map(isThere))
}

const always = (decision: Decision): Rule => ({ name: decision, decide: () => decision })
const broken: Rule = {
  name: 'broken',
  decide: () => {
    throw new Error('out of order')
  },
}
const brokenTests: Rule = {
  ...always('skip'),
  tests: () => {
    throw new Error('out of order')
  },
}

/** What does not name a node where a ref should. */
const NO_NODE: readonly JsonObject[] = [
  {},
  { from: null },
  { from: '' },
  { from: 4 },
  { from: ['4'] },
  { from: 'ann' },
]

describe('isViewer', () => {
  it('allows for the viewer, and skips for others', () => {
    expect(isViewer().decide(recordOf(ANN), session, [])).toBe('allow')
    expect(isViewer().decide(recordOf(BEN), session, [])).toBe('skip')
  })

  it('allows for what the viewer is named by', () => {
    const rule = isViewer({ of: 'from' })
    expect(rule.decide(recordOf('7', { from: ANN }), session, [])).toBe('allow')
    expect(rule.decide(recordOf(ANN, { from: BEN }), session, [])).toBe('skip')
  })

  it('skips without a viewer', () => {
    expect(isViewer().decide(recordOf(ANN), nobody, [])).toBe('skip')
    for (const fields of [...NO_NODE, { from: ANN }]) {
      expect(isViewer({ of: 'from' }).decide(recordOf('7', fields), nobody, [])).toBe('skip')
    }
  })

  it.each(NO_NODE)('skips where the ref names no node: %j', fields => {
    expect(isViewer({ of: 'from' }).decide(recordOf(ANN, fields), session, [])).toBe('skip')
  })
})

describe.each([
  {
    make: viewerHasEdge,
    name: 'viewerHasEdge',
    to: (subject: string): EdgeTest => ({ source: ANN, name: 'friends', target: subject }),
  },
  {
    make: hasEdgeToViewer,
    name: 'hasEdgeToViewer',
    to: (subject: string): EdgeTest => ({ source: subject, name: 'friends', target: ANN }),
  },
])('$name', ({ make, to }) => {
  it('allows where that one edge is there, and skips where it is not', () => {
    expect(decisionOf(make('friends'), recordOf(BEN), session, to(BEN))).toBe('allow')
    expect(decisionOf(make('friends'), recordOf(BEN), session)).toBe('skip')
  })

  it('reads no other edge: not its reverse, not one of another name', () => {
    const { source, target } = to(BEN)
    const others = [
      { source: target, name: 'friends', target: source },
      { source, name: 'likes', target },
    ]
    expect(decisionOf(make('friends'), recordOf(BEN), session, ...others)).toBe('skip')
  })

  it('asks of the node that the ref names, not of the record', () => {
    const rule = make('friends', { of: 'from' })
    const photo = recordOf('7', { from: BEN })
    expect(rule.tests?.(photo, session)).toEqual([to(BEN)])
    expect(decisionOf(rule, photo, session, to(BEN))).toBe('allow')
    expect(decisionOf(rule, photo, session, to('7'))).toBe('skip')
  })

  it('asks nothing and skips without a viewer', () => {
    expect(make('friends').tests?.(recordOf(BEN), nobody)).toEqual([])
    expect(decisionOf(make('friends'), recordOf(BEN), nobody)).toBe('skip')
  })

  it.each(NO_NODE)('asks nothing and skips where the ref names no node: %j', fields => {
    const rule = make('friends', { of: 'from' })
    expect(rule.tests?.(recordOf(BEN, fields), session)).toEqual([])
    expect(decisionOf(rule, recordOf(BEN, fields), session)).toBe('skip')
  })
})

describe('hasScope', () => {
  it('allows where the scope was granted, with a viewer or without, and skips else', () => {
    expect(hasScope('photos').decide(recordOf(BEN), session, [])).toBe('allow')
    expect(hasScope('photos').decide(recordOf(BEN), nobody, [])).toBe('allow')
    expect(hasScope('photo').decide(recordOf(BEN), session, [])).toBe('skip')
  })
})

describe('fieldEquals', () => {
  it.each([
    ['everyone', 'everyone', 'allow'],
    ['everyone', 'self', 'skip'],
    [0, 0, 'allow'],
    [0, '0', 'skip'],
    [0, false, 'skip'],
    [false, false, 'allow'],
    [true, 'true', 'skip'],
    ['everyone', ['everyone'], 'skip'],
    ['everyone', null, 'skip'],
  ] as const)('of %j compares with the stored %j: %s', (value, stored, decision) => {
    expect(fieldEquals('privacy', value).decide(recordOf('7', { privacy: stored }), nobody, [])).toBe(
      decision,
    )
  })

  it('skips where there is no value', () => {
    expect(fieldEquals('privacy', false).decide(recordOf('7'), session, [])).toBe('skip')
  })
})

describe('a composition', () => {
  const decisions: readonly Decision[] = ['allow', 'deny', 'skip']
  const pairs = decisions.flatMap(a => decisions.map(b => [a, b] as const))

  it.each(pairs)('of %s and %s: any holds where one allows, all where both do', (a, b) => {
    const decide = (rule: Rule) => rule.decide(recordOf('7'), session, [])
    const some = a === 'allow' || b === 'allow'
    const all = a === 'allow' && b === 'allow'
    expect(decide(anyOf(always(a), always(b)))).toBe(some ? 'allow' : 'skip')
    expect(decide(allOf(always(a), always(b)))).toBe(all ? 'allow' : 'skip')
    expect(decide(not(anyOf(always(a), always(b))))).toBe(some ? 'deny' : 'allow')
  })

  it.each([
    ['allow', 'deny'],
    ['deny', 'allow'],
    ['skip', 'allow'],
  ] as const)('not makes of %s: %s', (inner, outer) => {
    expect(not(always(inner)).decide(recordOf('7'), session, [])).toBe(outer)
  })

  it('joins what its members ask, and hands each its own answers', () => {
    const friends = viewerHasEdge('friends')
    const member = hasEdgeToViewer('members')
    const mutual: Rule = {
      name: 'mutual',
      tests: ({ id }) => [
        { source: ANN, name: 'follows', target: id },
        { source: id, name: 'follows', target: ANN },
      ],
      decide: (_record, _session, has) => (has.length === 2 && has.every(Boolean) ? 'allow' : 'skip'),
    }
    const rule = anyOf(allOf(friends, isViewer()), not(member), mutual, hasScope('none'))
    const toBen = (name: string): EdgeTest => ({ source: ANN, name, target: BEN })
    const toAnn = (name: string): EdgeTest => ({ source: BEN, name, target: ANN })
    const tests = [toBen('friends'), toAnn('members'), toBen('follows'), toAnn('follows')]
    expect(rule.tests?.(recordOf(BEN), session)).toEqual(tests)
    const decide = (...there: readonly EdgeTest[]) => decisionOf(rule, recordOf(BEN), session, ...there)
    expect(decide()).toBe('allow')
    expect(decide(toAnn('members'))).toBe('skip')
    expect(decide(toAnn('members'), toBen('friends'))).toBe('skip')
    expect(decide(toAnn('members'), toBen('follows'))).toBe('skip')
    expect(decide(toAnn('members'), toBen('follows'), toAnn('follows'))).toBe('allow')
  })

  it('keeps its answers in place where a member without a viewer asks nothing', () => {
    const rule = allOf(hasEdgeToViewer('members', { of: 'group' }), viewerHasEdge('friends'))
    const friends = { source: ANN, name: 'friends', target: BEN }
    expect(rule.tests?.(recordOf(BEN), session)).toEqual([friends])
    expect(decisionOf(rule, recordOf(BEN), session, friends)).toBe('skip')
    expect(rule.tests?.(recordOf(BEN), nobody)).toEqual([])
  })

  it('calls a method of a rule on the rule', () => {
    class AtMost implements Rule {
      readonly name = 'atMost'
      readonly #most = 2
      decide(record: NodeRecord): Decision {
        return Number(record.fields.age) <= this.#most ? 'allow' : 'skip'
      }
    }
    expect(anyOf(new AtMost()).decide(recordOf('7', { age: 1 }), session, [])).toBe('allow')
  })

  const throwing = [
    ['anyOf', (rule: Rule) => anyOf(always('allow'), rule)],
    ['anyOf, wherever it stands', (rule: Rule) => anyOf(rule, always('allow'))],
    ['allOf', (rule: Rule) => allOf(always('skip'), rule)],
    ['not', not],
    ['not of a composition', (rule: Rule) => not(allOf(always('skip'), rule))],
  ] as const

  it.each(throwing)('throws what a member throws: %s', (_, around) => {
    expect(() => around(broken).decide(recordOf('7'), session, [])).toThrow('out of order')
    expect(() => around(brokenTests).tests?.(recordOf('7'), session)).toThrow('out of order')
  })

  it.each(throwing)('throws where a member decides nothing, so that it lets nobody in: %s', (_, around) => {
    for (const decision of [undefined, true, 'alow', Promise.resolve('allow')]) {
      const careless: Rule = { name: 'careless', decide: Object(() => decision) }
      expect(() => around(careless).decide(recordOf('7'), session, [])).toThrow(
        'careless: expected allow, deny or skip, came',
      )
    }
  })

  it('throws where a member promises its tests', () => {
    const slow: Rule = { ...always('skip'), tests: Object(async () => []) }
    expect(() => not(slow).tests?.(recordOf('7'), session)).toThrow(TypeError)
  })
})

describe('every ready-made rule', () => {
  const rules: readonly (readonly [string, Rule])[] = [
    ['isViewer', isViewer()],
    ['isViewer(of from)', isViewer({ of: 'from' })],
    ['viewerHasEdge(friends)', viewerHasEdge('friends')],
    ['viewerHasEdge(friends, of from)', viewerHasEdge('friends', { of: 'from' })],
    ['hasEdgeToViewer(members)', hasEdgeToViewer('members', {})],
    ['hasEdgeToViewer(members, of to)', hasEdgeToViewer('members', { of: 'to' })],
    ['hasScope(user_photos)', hasScope('user_photos')],
    ['fieldEquals(privacy, everyone)', fieldEquals('privacy', 'everyone')],
    ['fieldEquals(draft, false)', fieldEquals('draft', false)],
    ['anyOf(isViewer, hasScope(x))', anyOf(isViewer(), hasScope('x'))],
    ['allOf(allow, not(skip))', allOf(always('allow'), not(always('skip')))],
  ]

  it.each(rules)('is frozen, and named as it is written: %s', (name, rule) => {
    expect(rule.name).toBe(name)
    expect(Object.isFrozen(rule)).toBe(true)
  })
})
