import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compile } from './compiler.ts'

const FOLDER = new URL('./', import.meta.url)
const names = readdirSync(FOLDER).filter(name => name.endsWith('.test-d.ts'))
const sources = Object.fromEntries(names.map(name => [name, readFileSync(new URL(name, FOLDER), 'utf8')]))
const { errors } = compile(sources)

describe('the compiler', () => {
  it.each(names)('accepts every type assertion of %s', name => {
    expect(errors.filter(({ file }) => file === name)).toEqual([])
  })
})
