import { describe, expect, it } from 'vitest'
import { createLayout } from '../../../src/explorer/page/drawing/layout.ts'
import { linesOf } from '../../../src/explorer/page/drawing/lines.ts'
import { nearestTowards } from '../../../src/explorer/page/drawing/nearest.ts'

const places = new Map([
  ['middle', { x: 0, y: 0 }],
  ['right', { x: 10, y: 2 }],
  ['far right', { x: 30, y: 0 }],
  ['top', { x: 1, y: -10 }],
])

describe('arrow keys in a drawing', () => {
  it('lead to the nearest in their direction', () => {
    expect(nearestTowards(places, 'middle', 'ArrowRight')).toBe('right')
    expect(nearestTowards(places, 'middle', 'ArrowUp')).toBe('top')
    expect(nearestTowards(places, 'far right', 'ArrowLeft')).toBe('right')
  })

  it('lead nowhere where nothing is, nor do other keys', () => {
    expect(nearestTowards(places, 'middle', 'ArrowDown')).toBeUndefined()
    expect(nearestTowards(places, 'middle', 'a')).toBeUndefined()
    expect(nearestTowards(places, 'elsewhere', 'ArrowRight')).toBeUndefined()
  })
})

const node = (id: string) => [id, { id, type: 'user', label: id }] as const
const met = {
  nodes: new Map([node('1'), node('2'), node('3')]),
  edges: new Map([
    ['a', { source: '1', name: 'friends', target: '2' }],
    ['b', { source: '2', name: 'friends', target: '1' }],
    ['c', { source: '2', name: 'likes', target: '1' }],
    ['d', { source: '3', name: 'likes', target: '3' }],
  ]),
  leftOut: new Set<string>(),
  lacksEdges: false,
}

describe('a drawing', () => {
  it('has one line between two nodes, with the names of all edges', () => {
    expect(linesOf(met)).toEqual([{ key: '1,2', ends: ['1', '2'], names: ['friends', 'likes'] }])
  })

  it('settles, the same way each time, with connected nodes nearer to each other', () => {
    const settled = () => {
      const layout = createLayout()
      layout.take(met)
      while (layout.step());
      return layout.places()
    }
    const drawn = settled()
    expect(settled()).toEqual(drawn)
    const distance = (a: string, b: string) => {
      const [{ x = 0, y = 0 } = {}, { x: u = 0, y: v = 0 } = {}] = [drawn.get(a), drawn.get(b)]
      return Math.hypot(x - u, y - v)
    }
    expect(distance('1', '2')).toBeLessThan(distance('1', '3'))
    expect(distance('1', '2')).toBeGreaterThan(30)
  })
})
