import { describe, expect, it } from 'vitest'
import type { Line } from '../../../src/explorer/page/drawing/lines.ts'
import { createOccupiedSpace, overlaps } from '../../../src/explorer/page/drawing/occupied-space.ts'
import { placeLabels } from '../../../src/explorer/page/drawing/place-labels.ts'

type XY = readonly [x: number, y: number]

/** Creates the input of a drawing: nodes by id with their positions, and one edge per pair of ids. */
const createDrawing = (
  nodes: { readonly [id: string]: XY },
  pairs: readonly (readonly [string, string])[],
) => ({
  nodes: Object.keys(nodes).map(id => ({ id, type: 'user', label: `User ${id}` })),
  lines: pairs.map((ends): Line => ({ key: ends.join(), ends, names: ['friends'] })),
  positions: new Map(Object.entries(nodes).map(([id, [x, y]]) => [id, { x, y }])),
  scale: 1,
  selectedId: undefined,
})

/** A hub with nodes around it, closer together than their labels are wide. */
const createStar = (count: number, distance: number) => {
  const ids = Array.from({ length: count }, (_, index) => `${index + 1}`)
  const positionOf = (index: number): XY => [
    distance * Math.cos((2 * Math.PI * index) / count),
    distance * Math.sin((2 * Math.PI * index) / count),
  ]
  const nodes = Object.fromEntries(ids.map((id, index) => [id, positionOf(index)]))
  return createDrawing(
    { hub: [0, 0], ...nodes },
    ids.map(id => ['hub', id] as const),
  )
}

describe('the labels of a drawing in the Explorer', () => {
  it('are at the middle of a line, along the line', () => {
    const { lineLabels, nodeIds } = placeLabels(createDrawing({ a: [0, 0], b: [200, 0] }, [['a', 'b']]))
    expect(lineLabels).toEqual(new Map([['a,b', { x: 100, y: 0, angle: 0, text: 'friends' }]]))
    expect(nodeIds).toEqual(new Set(['a', 'b']))
  })

  it('are never upside down', () => {
    for (const end of [
      [-150, 10],
      [-10, 150],
      [-10, -150],
      [150, -10],
      [0, 150],
    ] as const) {
      const { lineLabels } = placeLabels(createDrawing({ a: [0, 0], b: end }, [['a', 'b']]))
      expect(Math.abs(lineLabels.get('a,b')?.angle ?? 180), `${end}`).toBeLessThanOrEqual(90)
    }
  })

  it('are all shown if there is room', () => {
    expect(placeLabels(createStar(8, 140)).lineLabels.size).toBe(8)
    expect(placeLabels(createStar(8, 140)).nodeIds.size).toBe(9)
  })

  it('are hidden where they would overlap, and shown at a larger zoom', () => {
    const star = createStar(40, 140)
    const countAt = (scale: number) => placeLabels({ ...star, scale }).lineLabels.size
    expect(countAt(1)).toBeLessThan(40)
    expect(countAt(1)).toBeGreaterThan(5)
    expect(countAt(4)).toBe(40)
  })

  it('are first those of the selected node and of its lines', () => {
    const star = createStar(40, 140)
    const hidden = star.lines.find(({ key }) => !placeLabels(star).lineLabels.has(key))
    const selectedId = hidden?.ends[1]
    const { lineLabels, nodeIds } = placeLabels({ ...star, selectedId })
    expect([lineLabels.has(hidden?.key ?? ''), nodeIds.has(selectedId ?? '')]).toEqual([true, true])
  })

  it('have the same size on the screen at every zoom', () => {
    const drawing = createDrawing({ a: [0, 0] }, [])
    const sizes = [0.1, 1, 4].map(scale => placeLabels({ ...drawing, scale }).fontSize * scale)
    expect(new Set(sizes.map(size => size.toFixed(6)))).toEqual(new Set(['11.000000']))
  })
})

describe('the occupied space of a drawing', () => {
  const capsule = ([x1, y1]: XY, [x2, y2]: XY, radius = 5) => ({
    start: { x: x1, y: y1 },
    end: { x: x2, y: y2 },
    radius,
  })

  it.each([
    ['two lines that cross', capsule([0, 0], [100, 100]), capsule([0, 100], [100, 0]), true],
    ['two lines side by side', capsule([0, 0], [100, 0]), capsule([0, 11], [100, 11]), false],
    ['two lines that are too close', capsule([0, 0], [100, 0]), capsule([0, 9], [100, 9]), true],
    ['a circle in a line', capsule([0, 0], [100, 0]), capsule([50, 0], [50, 0]), true],
    ['a circle next to the end of a line', capsule([0, 0], [100, 0]), capsule([111, 0], [111, 0]), false],
  ])('overlaps: %s', (_, a, b, expected) => {
    expect([overlaps(a, b), overlaps(b, a)]).toEqual([expected, expected])
    const space = createOccupiedSpace(44)
    space.add(a)
    expect(space.isFree(b)).toBe(!expected)
  })
})
