import { describe, expect, it } from 'vitest'
import { createLayout } from '../../../src/explorer/page/drawing/layout.ts'
import { toLines } from '../../../src/explorer/page/drawing/lines.ts'
import { findNearestNode } from '../../../src/explorer/page/drawing/nearest.ts'

const positions = new Map([
  ['middle', { x: 0, y: 0 }],
  ['right', { x: 10, y: 2 }],
  ['far right', { x: 30, y: 0 }],
  ['top', { x: 1, y: -10 }],
])

describe('arrow keys in the drawing of a graph', () => {
  it('move to the nearest node in their direction', () => {
    expect(findNearestNode(positions, 'middle', 'ArrowRight')).toBe('right')
    expect(findNearestNode(positions, 'middle', 'ArrowUp')).toBe('top')
    expect(findNearestNode(positions, 'far right', 'ArrowLeft')).toBe('right')
  })

  it('do nothing if no node is in their direction, like all other keys', () => {
    expect(findNearestNode(positions, 'middle', 'ArrowDown')).toBeUndefined()
    expect(findNearestNode(positions, 'middle', 'a')).toBeUndefined()
    expect(findNearestNode(positions, 'elsewhere', 'ArrowRight')).toBeUndefined()
  })
})

const node = (id: string) => [id, { id, type: 'user', label: id }] as const
const graph = {
  nodes: new Map([node('1'), node('2'), node('3')]),
  edges: new Map([
    ['a', { source: '1', name: 'friends', target: '2' }],
    ['b', { source: '2', name: 'friends', target: '1' }],
    ['c', { source: '2', name: 'likes', target: '1' }],
    ['d', { source: '3', name: 'likes', target: '3' }],
  ]),
  omittedNodes: new Set<string>(),
  hasOmittedEdges: false,
}

describe('a drawing of a graph', () => {
  it('has one line between two nodes, with the names of all of their edges', () => {
    expect(toLines(graph)).toEqual([{ key: '1,2', ends: ['1', '2'], names: ['friends', 'likes'] }])
  })

  it('settles in the same layout each time, with connected nodes closer together', () => {
    const settled = () => {
      const layout = createLayout()
      layout.update(graph)
      while (layout.step());
      return layout.getPositions()
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
