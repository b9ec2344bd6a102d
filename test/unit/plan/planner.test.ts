import fc from 'fast-check'
import { defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { parseFields } from '../../../src/fields/parse.ts'
import { printFields } from '../../../src/fields/print.ts'
import { limitsOf } from '../../../src/plan/limits.ts'
import type { Plan, Selection, Step } from '../../../src/plan/plan.ts'
import { Planner, type PlanPlace } from '../../../src/plan/planner.ts'
import { putValues, templateOf } from '../../../src/plan/slots.ts'
import { Registry } from '../../../src/schema/registry.ts'
import { expressions } from '../fields/expressions.ts'

const LIMITS = { ...limitsOf(undefined), length: Number.POSITIVE_INFINITY }

const registry = new Registry(socialSchema, undefined)
const newPlanner = () => new Planner(registry, limitsOf(undefined))

const place = (type: string, version = 'v1.0'): PlanPlace => ({ version, types: [type], edge: undefined })

describe('the plan of an expression', () => {
  it('is compiled once', () => {
    const planner = newPlanner()
    const first = planner.plan(planner.ask('name,photos{from}'), place('user'))
    expect(planner.plan(planner.ask('name,photos{from}'), place('user'))).toBe(first)
  })

  it('is its own for each type and version', () => {
    const planner = newPlanner()
    const asked = planner.ask('name')
    const plans = [place('user'), place('page'), place('user', 'v2.0')].map(where =>
      planner.plan(asked, where),
    )
    expect(new Set(plans).size).toBe(3)
  })

  it('is its own for each edge, even to the same type', () => {
    const planner = newPlanner()
    const asked = planner.ask(undefined)
    const planOf = (source: string, name: string) => {
      const type = registry.edge(source, name)
      if (type === undefined) throw new Error(`${source} has no ${name}`)
      return planner.plan(asked, { version: 'v1.0', types: type.targets, edge: { source, name, type } })
    }
    const plans = [
      planOf('user', 'friends'),
      planOf('group', 'members'),
      planOf('photo', 'likes'),
      planOf('user', 'photos'),
    ]
    expect(new Set(plans).size).toBe(4)
    expect(planOf('user', 'friends')).toBe(plans[0])
  })

  it('is shared by all pages of a list, each with its own values', () => {
    const planner = newPlanner()
    const asked = ['abc', 'def', ''].map(cursor =>
      planner.ask(`photos.limit(2).after(${cursor}){comments.since(7)}`),
    )
    const plans = asked.map(one => planner.plan(one, place('user')))
    expect(new Set(plans).size).toBe(1)
    expect(asked.map(({ values }) => values)).toEqual([
      ['abc', '7'],
      ['def', '7'],
      ['', '7'],
    ])
  })

  it('is not that of a page where the text has but the form of one', () => {
    const planner = newPlanner()
    const page = planner.plan(planner.ask('photos.after(abc)'), place('user'))
    expect(planner.plan(planner.ask('photos.after(0)'), place('user'))).toBe(page)
    expect(planner.plan(planner.ask('photos'), place('user'))).not.toBe(page)
    expect(planner.plan(planner.ask('photos.before(abc)'), place('user'))).not.toBe(page)
  })

  it('is forgotten when many others were asked since', () => {
    const planner = newPlanner()
    const planOf = (text: string) => planner.plan(planner.ask(text), place('user'))
    const first = planOf('name,email')
    for (let index = 0; index < 30_000; index++) planOf(`name.as(name_${index})`)
    expect(planOf('name,email')).not.toBe(first)
  })

  it('stays while it is asked again and again', () => {
    const planner = newPlanner()
    const planOf = (text: string) => planner.plan(planner.ask(text), place('user'))
    const first = planOf('name,email')
    for (let index = 0; index < 2000; index++) {
      planOf(`name.as(name_${index})`)
      expect(planOf('name,email')).toBe(first)
    }
  })

  it('is not remembered of a text that is at fault', () => {
    const planner = newPlanner()
    for (let round = 0; round < 2; round++) expect(() => planner.ask('name,')).toThrow('Syntax error')
  })

  it('holds its problems until it is asked with them', () => {
    const planner = newPlanner()
    const { problems } = planner.plan(planner.ask('nmae,photos.limit(0),shoe'), place('user'))
    expect(problems.map(({ soft, fault }) => [soft, fault().data.reason])).toEqual([
      [true, 'unknown_field'],
      [false, 'bad_parameter'],
      [true, 'unknown_field'],
    ])
    expect(problems[0]?.fault()).not.toBe(problems[0]?.fault())
  })

  it('is frozen', () => {
    const planner = newPlanner()
    const plan = planner.plan(planner.ask('photos'), place('user'))
    expect(Object.isFrozen(plan) && Object.isFrozen(plan.selection)).toBe(true)
  })
})

describe('what depends on the schema alone', () => {
  const stepsOf = (plan: Plan, type: string): readonly Step[] => plan.selection.types.get(type)?.steps ?? []
  const below = (step: Step | undefined): Selection | undefined => {
    if (step?.kind === 'edge') return step.edge.selection
    return step?.kind === 'ref' ? step.selection : undefined
  }

  it('is made once for all plans: what is answered where nothing is asked for', () => {
    const planner = newPlanner()
    const planOf = (text: string) => planner.plan(planner.ask(text), place('photo'))
    const [from] = stepsOf(planOf('from'), 'photo')
    const [, other] = stepsOf(planOf('name,from.as(author)'), 'photo')
    expect(below(from)?.types.size).toBe(2)
    expect(below(other)).toBe(below(from))
    expect(planOf('').selection).toBe(planner.plan(planner.ask(' '), place('photo')).selection)
  })

  it('is made once for all plans: the steps of fields as they are', () => {
    const planner = newPlanner()
    const planOf = (text: string) => planner.plan(planner.ask(text), place('photo'))
    const [link] = stepsOf(planOf('link,name'), 'photo')
    expect(link).toMatchObject({ kind: 'value', key: 'link' })
    expect(stepsOf(planOf('id,link'), 'photo')[1]).toBe(link)
    expect(stepsOf(planOf('link.as(url)'), 'photo')[0]).toMatchObject({ name: 'link', key: 'url' })
  })

  it('is its own in each version', () => {
    const versioned = new Planner(
      new Registry(
        defineSchema(
          { thing: node({ fields: { old: field.string({ default: true, removedIn: 'v2.0' }) } }) },
          { versions: ['v1.0', 'v2.0'] },
        ),
        undefined,
      ),
      limitsOf(undefined),
    )
    const keysIn = (version: string) =>
      stepsOf(versioned.plan(versioned.ask(''), place('thing', version)), 'thing').map(({ kind }) => kind)
    expect([keysIn('v1.0'), keysIn('v2.0'), keysIn('v1.0')]).toEqual([
      ['value', 'id'],
      ['id'],
      ['value', 'id'],
    ])
  })
})

describe('edges of one name that lead to the same types', () => {
  it('are read as one', () => {
    const planner = newPlanner()
    const { selection } = planner.plan(planner.ask('photos.limit(10){comments.limit(3){from}}'), {
      version: 'v1.0',
      types: socialSchema.viewers,
      edge: undefined,
    })
    const edges = [...selection.types.values()].flatMap(({ steps }) =>
      steps.flatMap(step => (step.kind === 'edge' ? step.edge : [])),
    )
    expect(edges).toHaveLength(2)
    expect(edges[1]).toBe(edges[0])
  })

  it('are read each in its order', () => {
    const schema = defineSchema({
      photo: node({ fields: { name: field.string() } }),
      user: node({ edges: { photos: edge('photo') } }),
      page: node({ edges: { photos: edge('photo', { order: 'chronological' }) } }),
    })
    const planner = new Planner(new Registry(schema, undefined), limitsOf(undefined))
    const { selection } = planner.plan(planner.ask('photos{name}'), {
      version: 'v1.0',
      types: ['user', 'page'],
      edge: undefined,
    })
    const orders = [...selection.types.values()].flatMap(({ steps }) =>
      steps.flatMap(step => (step.kind === 'edge' ? step.edge.order : [])),
    )
    expect(orders).toEqual(['reverse_chronological', 'chronological'])
  })
})

describe('the expression of a page', () => {
  it('is put together again as it was', () => {
    const planner = newPlanner()
    const text = 'photos.limit(2).after(abc){id,comments.since(2014-08-03).until(9).limit(1)}'
    expect(printFields(planner.expressionOf(planner.ask(text)))).toBe(text)
  })
})

describe('the values that differ from page to page', () => {
  it('are taken out and put back', () => {
    fc.assert(
      fc.property(expressions, expression => {
        const { text, values } = templateOf(expression)
        const template = parseFields(text, LIMITS)
        expect(printFields(template)).toBe(text)
        expect(putValues(template, values)).toEqual(expression)
      }),
    )
  })

  it('leave the same behind whatever they are', () => {
    const template = (value: string) =>
      templateOf([
        { name: 'photos', key: 'photos', modifiers: [{ name: 'after', argument: value }], fields: undefined },
      ]).text
    expect(template('abc')).toBe(template('def'))
  })

  it('are found wherever white space stands', () => {
    const planner = newPlanner()
    const spaced = planner.ask('photos.si nce (32)')
    expect(spaced.values).toEqual(['32'])
    expect(planner.plan(spaced, place('user'))).toBe(
      planner.plan(planner.ask('photos.since(99)'), place('user')),
    )
  })
})
