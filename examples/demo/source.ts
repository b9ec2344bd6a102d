import { readFile } from 'node:fs/promises'

const CALL = /title: '(.+)',\n((?: {4}\/\/.+\n)* {4}run: [\s\S]+?),\n {2}\},\n/g
const FUNCTION = /^ {4}run: (?:async )?\(\) =>\s*/m
const BLOCK = /\{\n([\s\S]+)\n {4}\}$/

/** Removes the indentation. The last line of formatted code has the smallest indentation. */
const dedent = (code: string): string => {
  const indent = /^ */.exec(code.split('\n').at(-1) ?? '')?.[0] ?? ''
  return code.trimStart().replaceAll(`\n${indent}`, '\n')
}

/** Reads the code of each call in `calls.ts` by its title. */
export const readCode = async (): Promise<ReadonlyMap<string, string>> => {
  const source = await readFile(new URL('calls.ts', import.meta.url), 'utf8')
  return new Map(
    [...source.matchAll(CALL)].map(([, title = '', source = '']) => {
      const body = source.replace(FUNCTION, '')
      return [title, dedent(BLOCK.exec(body)?.[1] ?? body)] as const
    }),
  )
}
