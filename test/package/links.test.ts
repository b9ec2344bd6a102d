import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter(file => file.endsWith('.md'))
    .map(file => join(ROOT, folder, file))

const guides = markdownIn('docs')
const decisions = markdownIn('docs/decisions')
const pages = [...markdownIn('.'), ...guides, ...decisions]

/** Returns the prose of a page: its text without code blocks and inline code. */
const proseOf = (page: string): string =>
  readFileSync(page, 'utf8')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')

/** Returns the anchor of a heading, as the web view of a repository and the site create it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

const anchorsOf = (page: string): string[] =>
  [
    ...readFileSync(page, 'utf8')
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(match => anchorOf(match[1] ?? ''))

type Link = { readonly page: string; readonly target: string }

const linksOf = (page: string): Link[] =>
  [...proseOf(page).matchAll(/\]\(([^()\s]+)\)/g)]
    .map(match => ({ page, target: match[1] ?? '' }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))

const fileOf = ({ page, target }: Link): string => resolve(dirname(page), target.replace(/#.*$/, '') || page)

const isBroken = (link: Link): boolean => {
  const file = fileOf(link)
  const anchor = /#(.+)$/.exec(link.target)?.[1]
  if (!existsSync(file) || statSync(file).isDirectory()) return true
  return anchor !== undefined && !(file.endsWith('.md') && anchorsOf(file).includes(anchor))
}

describe('the pages of the documentation', () => {
  it('link to files and headings that exist', () => {
    const broken = pages.flatMap(linksOf).filter(isBroken)
    expect(broken.map(({ page, target }) => `${relative(ROOT, page)}: ${target}`)).toEqual([])
  })

  it('are all reachable from the README', () => {
    const found = new Set([join(ROOT, 'README.md')])
    for (const page of found) {
      for (const file of linksOf(page).map(fileOf)) if (file.endsWith('.md')) found.add(file)
    }
    const lost = [...guides, ...decisions].filter(page => !found.has(page))
    expect(lost.map(page => relative(ROOT, page))).toEqual([])
  })
})
