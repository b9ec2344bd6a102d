import {
  allOf,
  anyOf,
  canSee,
  type Decision,
  type EdgeKey,
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
const appSession: Session = { ...session, viewer: undefined }

const createRecord = (id: string, fields: JsonObject = {}): NodeRecord => ({ id, type: 'photo', fields })

/** Returns the decision of a rule in a world that has only the given edges. */
const decideRule = (
  rule: Rule,
  record: NodeRecord,
  caller: Session,
  ...edges: readonly EdgeKey[]
): Decision => {
  const checks = rule.checks?.(record, caller) ?? []
  const exists = (check: EdgeKey) =>
    edges.some(
      ({ source, name, target }) => source === check.source && name === check.name && target === check.target,
    )
  return rule.decide(record, caller, checks.map(exists))
}

const createConstantRule = (decision: Decision): Rule => ({ name: decision, decide: () => decision })
const brokenRule: Rule = {
  name: 'broken',
  decide: () => {
    throw new Error('out of order')
  },
}
const brokenChecksRule: Rule = {
  ...createConstantRule('skip'),
  checks: () => {
    throw new Error('out of order')
  },
}

/** Fields whose ref does not name a node. */
const FIELDS_WITHOUT_REF: readonly JsonObject[] = [
  {},
  { from: null },
  { from: '' },
  { from: 4 },
  { from: ['4'] },
  { from: 'ann' },
]

describe('canSee', () => {
  it('allows if the node is visible, and skips otherwise', () => {
    const record = createRecord('7', { from: BEN })
    expect(canSee('from').checks?.(record, session)).toMatchObject([
      { source: '7', name: 'from', target: BEN },
    ])
    expect(canSee('from').decide(record, session, [true])).toBe('allow')
    expect(canSee('from').decide(record, session, [false])).toBe('skip')
  })

  it('skips without a node, for every kind of caller', () => {
    for (const fields of FIELDS_WITHOUT_REF) {
      const record = createRecord('7', fields)
      expect(canSee('from').checks?.(record, session)).toEqual([])
      expect(canSee('from').decide(record, appSession, [])).toBe('skip')
    }
  })

  it.each([[''], [undefined], [4]])('rejects a name that is no text: %j', name => {
    expect(() => canSee(name as never)).toThrow('canSee: "ref" must be a string that is not empty; received')
  })
})

describe('isViewer', () => {
  it('allows the viewer and skips other nodes', () => {
    expect(isViewer().decide(createRecord(ANN), session, [])).toBe('allow')
    expect(isViewer().decide(createRecord(BEN), session, [])).toBe('skip')
  })

  it('allows a record whose ref names the viewer', () => {
    const rule = isViewer({ of: 'from' })
    expect(rule.decide(createRecord('7', { from: ANN }), session, [])).toBe('allow')
    expect(rule.decide(createRecord(ANN, { from: BEN }), session, [])).toBe('skip')
  })

  it('skips every record if the session has no viewer', () => {
    expect(isViewer().decide(createRecord(ANN), appSession, [])).toBe('skip')
    for (const fields of [...FIELDS_WITHOUT_REF, { from: ANN }]) {
      expect(isViewer({ of: 'from' }).decide(createRecord('7', fields), appSession, [])).toBe('skip')
    }
  })

  it.each(FIELDS_WITHOUT_REF)('skips a record whose ref does not name a node: %j', fields => {
    expect(isViewer({ of: 'from' }).decide(createRecord(ANN, fields), session, [])).toBe('skip')
  })
})

describe.each([
  {
    make: viewerHasEdge,
    name: 'viewerHasEdge',
    to: (subject: string): EdgeKey => ({ source: ANN, name: 'friends', target: subject }),
  },
  {
    make: hasEdgeToViewer,
    name: 'hasEdgeToViewer',
    to: (subject: string): EdgeKey => ({ source: subject, name: 'friends', target: ANN }),
  },
])('$name', ({ make, to }) => {
  it('allows a record if the edge exists and skips it if not', () => {
    expect(decideRule(make('friends'), createRecord(BEN), session, to(BEN))).toBe('allow')
    expect(decideRule(make('friends'), createRecord(BEN), session)).toBe('skip')
  })

  it('ignores the reverse edge and edges of other names', () => {
    const { source, target } = to(BEN)
    const others = [
      { source: target, name: 'friends', target: source },
      { source, name: 'likes', target },
    ]
    expect(decideRule(make('friends'), createRecord(BEN), session, ...others)).toBe('skip')
  })

  it('checks the node that the ref names instead of the record', () => {
    const rule = make('friends', { of: 'from' })
    const photo = createRecord('7', { from: BEN })
    expect(rule.checks?.(photo, session)).toEqual([to(BEN)])
    expect(decideRule(rule, photo, session, to(BEN))).toBe('allow')
    expect(decideRule(rule, photo, session, to('7'))).toBe('skip')
  })

  it('checks no edge and skips every record if the session has no viewer', () => {
    expect(make('friends').checks?.(createRecord(BEN), appSession)).toEqual([])
    expect(decideRule(make('friends'), createRecord(BEN), appSession)).toBe('skip')
  })

  it.each(FIELDS_WITHOUT_REF)('checks no edge and skips if the ref does not name a node: %j', fields => {
    const rule = make('friends', { of: 'from' })
    expect(rule.checks?.(createRecord(BEN, fields), session)).toEqual([])
    expect(decideRule(rule, createRecord(BEN, fields), session)).toBe('skip')
  })
})

describe('hasScope', () => {
  it('allows a record if the scope is granted, with or without a viewer, and skips it otherwise', () => {
    expect(hasScope('photos').decide(createRecord(BEN), session, [])).toBe('allow')
    expect(hasScope('photos').decide(createRecord(BEN), appSession, [])).toBe('allow')
    expect(hasScope('photo').decide(createRecord(BEN), session, [])).toBe('skip')
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
  ] as const)('compares %j with the stored value %j: %s', (value, stored, decision) => {
    expect(fieldEquals('privacy', value).decide(createRecord('7', { privacy: stored }), appSession, [])).toBe(
      decision,
    )
  })

  it('skips a record without a value', () => {
    expect(fieldEquals('privacy', false).decide(createRecord('7'), session, [])).toBe('skip')
  })
})

describe('a composed rule', () => {
  const decisions: readonly Decision[] = ['allow', 'deny', 'skip']
  const pairs = decisions.flatMap(a => decisions.map(b => [a, b] as const))

  it.each(pairs)(
    'allows in anyOf if one member allows, and in allOf if both members allow: %s, %s',
    (a, b) => {
      const decide = (rule: Rule) => rule.decide(createRecord('7'), session, [])
      const some = a === 'allow' || b === 'allow'
      const all = a === 'allow' && b === 'allow'
      expect(decide(anyOf(createConstantRule(a), createConstantRule(b)))).toBe(some ? 'allow' : 'skip')
      expect(decide(allOf(createConstantRule(a), createConstantRule(b)))).toBe(all ? 'allow' : 'skip')
      expect(decide(not(anyOf(createConstantRule(a), createConstantRule(b))))).toBe(some ? 'deny' : 'allow')
    },
  )

  it.each([
    ['allow', 'deny'],
    ['deny', 'allow'],
    ['skip', 'allow'],
  ] as const)('turns the decision %s into %s in not(rule)', (inner, outer) => {
    expect(not(createConstantRule(inner)).decide(createRecord('7'), session, [])).toBe(outer)
  })

  it('requests the checks of all members and passes each member only its own results', () => {
    const friends = viewerHasEdge('friends')
    const member = hasEdgeToViewer('members')
    const mutual: Rule = {
      name: 'mutual',
      checks: ({ id }) => [
        { source: ANN, name: 'follows', target: id },
        { source: id, name: 'follows', target: ANN },
      ],
      decide: (_record, _session, found) => (found.length === 2 && found.every(Boolean) ? 'allow' : 'skip'),
    }
    const rule = anyOf(allOf(friends, isViewer()), not(member), mutual, hasScope('none'))
    const toBen = (name: string): EdgeKey => ({ source: ANN, name, target: BEN })
    const toAnn = (name: string): EdgeKey => ({ source: BEN, name, target: ANN })
    const checks = [toBen('friends'), toAnn('members'), toBen('follows'), toAnn('follows')]
    expect(rule.checks?.(createRecord(BEN), session)).toEqual(checks)
    const decide = (...edges: readonly EdgeKey[]) => decideRule(rule, createRecord(BEN), session, ...edges)
    expect(decide()).toBe('allow')
    expect(decide(toAnn('members'))).toBe('skip')
    expect(decide(toAnn('members'), toBen('friends'))).toBe('skip')
    expect(decide(toAnn('members'), toBen('follows'))).toBe('skip')
    expect(decide(toAnn('members'), toBen('follows'), toAnn('follows'))).toBe('allow')
  })

  it('passes each member only its own results even if another member has no checks', () => {
    const rule = allOf(hasEdgeToViewer('members', { of: 'group' }), viewerHasEdge('friends'))
    const friends = { source: ANN, name: 'friends', target: BEN }
    expect(rule.checks?.(createRecord(BEN), session)).toEqual([friends])
    expect(decideRule(rule, createRecord(BEN), session, friends)).toBe('skip')
    expect(rule.checks?.(createRecord(BEN), appSession)).toEqual([])
  })

  it('calls the methods of a rule with the rule as `this`', () => {
    class AgeAtMost implements Rule {
      readonly name = 'ageAtMost'
      readonly #limit = 2
      decide(record: NodeRecord): Decision {
        return Number(record.fields.age) <= this.#limit ? 'allow' : 'skip'
      }
    }
    expect(anyOf(new AgeAtMost()).decide(createRecord('7', { age: 1 }), session, [])).toBe('allow')
  })

  const throwing = [
    ['anyOf', (rule: Rule) => anyOf(createConstantRule('allow'), rule)],
    ['anyOf, in first position', (rule: Rule) => anyOf(rule, createConstantRule('allow'))],
    ['allOf', (rule: Rule) => allOf(createConstantRule('skip'), rule)],
    ['not', not],
    ['not of a composition', (rule: Rule) => not(allOf(createConstantRule('skip'), rule))],
  ] as const

  it.each(throwing)('throws what a member throws: %s', (_, around) => {
    expect(() => around(brokenRule).decide(createRecord('7'), session, [])).toThrow('out of order')
    expect(() => around(brokenChecksRule).checks?.(createRecord('7'), session)).toThrow('out of order')
  })

  it.each(throwing)(
    'throws if a member returns an invalid decision, so that nobody gets access: %s',
    (_, around) => {
      for (const decision of [undefined, true, 'alow', Promise.resolve('allow')]) {
        const careless: Rule = { name: 'careless', decide: Object(() => decision) }
        expect(() => around(careless).decide(createRecord('7'), session, [])).toThrow(
          'careless.decide: the result must be "allow", "deny" or "skip"; received ',
        )
      }
    },
  )

  it('throws if a member returns its checks as a promise', () => {
    const slow: Rule = { ...createConstantRule('skip'), checks: Object(async () => []) }
    expect(() => not(slow).checks?.(createRecord('7'), session)).toThrow(TypeError)
  })
})

describe('every built-in rule', () => {
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
    ['allOf(allow, not(skip))', allOf(createConstantRule('allow'), not(createConstantRule('skip')))],
  ]

  it.each(rules)('is frozen and has a name that contains its arguments: %s', (name, rule) => {
    expect(rule.name).toBe(name)
    expect(Object.isFrozen(rule)).toBe(true)
  })
})
