import fc from 'fast-check'
import { defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { parseFields } from '../../../src/fields/parse.ts'
import { printFields } from '../../../src/fields/print.ts'
import { resolveGraphLimits } from '../../../src/plan/limits.ts'
import type { Plan, PlanStep, Selection } from '../../../src/plan/plan.ts'
import { Planner, type PlanTarget } from '../../../src/plan/planner.ts'
import { fillSlots, templateOf } from '../../../src/plan/slots.ts'
import { Registry } from '../../../src/schema/registry.ts'
import { expressions } from '../fields/expression-arbitraries.ts'

const LIMITS = { ...resolveGraphLimits(undefined), length: Number.POSITIVE_INFINITY }

const registry = new Registry(socialSchema, undefined)
const createPlanner = () => new Planner(registry, resolveGraphLimits(undefined))

const createPlanTarget = (type: string, version = 'v1.0'): PlanTarget => ({
  version,
  types: [type],
  edge: undefined,
})

describe('the plan of an expression', () => {
  it('is compiled once and then reused', () => {
    const planner = createPlanner()
    const first = planner.plan(planner.parse('name,photos{from}'), createPlanTarget('user'))
    expect(planner.plan(planner.parse('name,photos{from}'), createPlanTarget('user'))).toBe(first)
  })

  it('is separate for each type and version', () => {
    const planner = createPlanner()
    const parsedFields = planner.parse('name')
    const plans = [createPlanTarget('user'), createPlanTarget('page'), createPlanTarget('user', 'v2.0')].map(
      where => planner.plan(parsedFields, where),
    )
    expect(new Set(plans).size).toBe(3)
  })

  it('is separate for each edge, even to the same type', () => {
    const planner = createPlanner()
    const parsedFields = planner.parse(undefined)
    const planOf = (source: string, name: string) => {
      const type = registry.getEdge(source, name)
      if (type === undefined) throw new Error(`${source} has no ${name}`)
      return planner.plan(parsedFields, {
        version: 'v1.0',
        types: type.targets,
        edge: { source, name, type },
      })
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

  it('is shared by all pages of a list, each with its own cursor', () => {
    const planner = createPlanner()
    const parsedFields = ['abc', 'def', ''].map(cursor =>
      planner.parse(`photos.limit(2).after(${cursor}){comments.since(7)}`),
    )
    const plans = parsedFields.map(one => planner.plan(one, createPlanTarget('user')))
    expect(new Set(plans).size).toBe(1)
    expect(parsedFields.map(({ slotValues: values }) => values)).toEqual([
      ['abc', '7'],
      ['def', '7'],
      ['', '7'],
    ])
  })

  it('is not shared with expressions that have other modifiers', () => {
    const planner = createPlanner()
    const page = planner.plan(planner.parse('photos.after(abc)'), createPlanTarget('user'))
    expect(planner.plan(planner.parse('photos.after(0)'), createPlanTarget('user'))).toBe(page)
    expect(planner.plan(planner.parse('photos'), createPlanTarget('user'))).not.toBe(page)
    expect(planner.plan(planner.parse('photos.before(abc)'), createPlanTarget('user'))).not.toBe(page)
  })

  it('is evicted after many other expressions', () => {
    const planner = createPlanner()
    const planOf = (text: string) => planner.plan(planner.parse(text), createPlanTarget('user'))
    const first = planOf('name,email')
    for (let index = 0; index < 30_000; index++) planOf(`name.as(name_${index})`)
    expect(planOf('name,email')).not.toBe(first)
  })

  it('stays cached while it is used', () => {
    const planner = createPlanner()
    const planOf = (text: string) => planner.plan(planner.parse(text), createPlanTarget('user'))
    const first = planOf('name,email')
    for (let index = 0; index < 2000; index++) {
      planOf(`name.as(name_${index})`)
      expect(planOf('name,email')).toBe(first)
    }
  })

  it('does not exist for an expression with a syntax error, which throws each time', () => {
    const planner = createPlanner()
    for (let round = 0; round < 2; round++) expect(() => planner.parse('name,')).toThrow('Syntax error')
  })

  it('holds the errors of the expression, and creates a new error object for each call', () => {
    const planner = createPlanner()
    const { errors } = planner.plan(planner.parse('nmae,photos.limit(0),shoe'), createPlanTarget('user'))
    expect(errors.map(({ isTolerable, createError }) => [isTolerable, createError().reason])).toEqual([
      [true, 'field_not_found'],
      [false, 'invalid_parameter'],
      [true, 'field_not_found'],
    ])
    expect(errors[0]?.createError()).not.toBe(errors[0]?.createError())
  })

  it('is frozen', () => {
    const planner = createPlanner()
    const plan = planner.plan(planner.parse('photos'), createPlanTarget('user'))
    expect(Object.isFrozen(plan) && Object.isFrozen(plan.selection)).toBe(true)
  })
})

describe('the parts of plans that depend only on the schema', () => {
  const stepsOf = (plan: Plan, type: string): readonly PlanStep[] =>
    plan.selection.types.get(type)?.steps ?? []
  const below = (step: PlanStep | undefined): Selection | undefined => {
    if (step?.kind === 'edge') return step.edge.selection
    return step?.kind === 'ref' ? step.selection : undefined
  }

  it('include the default selections, compiled once', () => {
    const planner = createPlanner()
    const planOf = (text: string) => planner.plan(planner.parse(text), createPlanTarget('photo'))
    const [from] = stepsOf(planOf('from'), 'photo')
    const [, other] = stepsOf(planOf('name,from.as(author)'), 'photo')
    expect(below(from)?.types.size).toBe(2)
    expect(below(other)).toBe(below(from))
    expect(planOf('').selection).toBe(planner.plan(planner.parse(' '), createPlanTarget('photo')).selection)
  })

  it('include the steps of plain fields, compiled once', () => {
    const planner = createPlanner()
    const planOf = (text: string) => planner.plan(planner.parse(text), createPlanTarget('photo'))
    const [link] = stepsOf(planOf('link,name'), 'photo')
    expect(link).toMatchObject({ kind: 'value', key: 'link' })
    expect(stepsOf(planOf('id,link'), 'photo')[1]).toBe(link)
    expect(stepsOf(planOf('link.as(url)'), 'photo')[0]).toMatchObject({ name: 'link', key: 'url' })
  })

  it('are separate for each version', () => {
    const versioned = new Planner(
      new Registry(
        defineSchema(
          { thing: node({ fields: { old: field.string({ default: true, removedIn: 'v2.0' }) } }) },
          { versions: ['v1.0', 'v2.0'] },
        ),
        undefined,
      ),
      resolveGraphLimits(undefined),
    )
    const keysIn = (version: string) =>
      stepsOf(versioned.plan(versioned.parse(''), createPlanTarget('thing', version)), 'thing').map(
        ({ kind }) => kind,
      )
    expect([keysIn('v1.0'), keysIn('v2.0'), keysIn('v1.0')]).toEqual([
      ['value', 'id'],
      ['id'],
      ['value', 'id'],
    ])
  })
})

describe('edges with one name that lead to the same types', () => {
  it('share one compiled edge', () => {
    const planner = createPlanner()
    const { selection } = planner.plan(planner.parse('posts.limit(10){comments.limit(3){from}}'), {
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

  it('keep their own orders', () => {
    const schema = defineSchema({
      photo: node({ fields: { name: field.string() } }),
      user: node({ edges: { photos: edge('photo') } }),
      page: node({ edges: { photos: edge('photo', { order: 'chronological' }) } }),
    })
    const planner = new Planner(new Registry(schema, undefined), resolveGraphLimits(undefined))
    const { selection } = planner.plan(planner.parse('photos{name}'), {
      version: 'v1.0',
      types: ['user', 'page'],
      edge: undefined,
    })
    const orders = [...selection.types.values()].flatMap(({ steps }) =>
      steps.flatMap(step => (step.kind === 'edge' ? step.edge.order.name : [])),
    )
    expect(orders).toEqual(['reverse_chronological', 'chronological'])
  })
})

describe('a template of an expression', () => {
  it('gives the original expression after its values are inserted', () => {
    const planner = createPlanner()
    const text = 'photos.limit(2).after(abc){id,comments.since(2014-08-03).until(9).limit(1)}'
    expect(printFields(planner.toExpression(planner.parse(text)))).toBe(text)
  })
})

/** Two parameters of edges that have many values. */
const isSlotParameter = (edge: string, parameter: string): boolean =>
  edge === 'photos' && parameter === 'width'

describe('the values of modifiers such as after', () => {
  it('are replaced in the template, and can be inserted again', () => {
    fc.assert(
      fc.property(expressions, expression => {
        const { text, values } = templateOf(expression, isSlotParameter)
        const template = parseFields(text, LIMITS)
        expect(printFields(template)).toBe(text)
        expect(fillSlots(template, values, isSlotParameter)).toEqual(expression)
      }),
    )
  })

  it('do not change the template', () => {
    const template = (value: string) =>
      templateOf(
        [
          {
            name: 'photos',
            key: 'photos',
            modifiers: [{ name: 'after', argument: value }],
            fields: undefined,
          },
        ],
        isSlotParameter,
      ).text
    expect(template('abc')).toBe(template('def'))
  })

  it('are found in an expression with any white space', () => {
    const planner = createPlanner()
    const spaced = planner.parse('photos.si nce (32)')
    expect(spaced.slotValues).toEqual(['32'])
    expect(planner.plan(spaced, createPlanTarget('user'))).toBe(
      planner.plan(planner.parse('photos.since(99)'), createPlanTarget('user')),
    )
  })
})
