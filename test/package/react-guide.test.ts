import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** The blocks of the guide for browsers. The first line of each names its file. */
const blocks = [
  ...readFileSync(`${ROOT}/docs/react.md`, 'utf8').matchAll(/^```tsx\n\/\/ (\S+)\n([\s\S]*?)^```/gm),
]

describe('the code of the guide for React', () => {
  it('is found', () => {
    expect(blocks.length).toBeGreaterThan(5)
  })

  it.each(blocks.map(([, file = '', code = '']) => [file, code] as const))(
    'is part of the example, which a browser test opens: %s',
    (file, code) => {
      expect(readFileSync(`${ROOT}/examples/react/${file}`, 'utf8')).toContain(code)
    },
  )
})
