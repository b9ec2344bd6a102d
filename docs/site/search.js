import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'

/** The library that typedoc indexes and searches with. */
const lunr = createRequire(createRequire(import.meta.url).resolve('typedoc'))('lunr')

/** The page that each search word must find first. New users search for these words. */
const FIRST_PAGES = {
  sort: 'Pagination',
  pagination: 'Pagination',
  uniqueness: 'Writing and loading',
  join: 'Field expressions',
}

/** The headings of a page, without its code. */
export const headingsOf = text =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(match => match[1]).join('\n')

/** Creates the search of a built site. It ranks results as the site's own search script does. */
const createSearch = folder => {
  const [, data] = /"([^"]*)"/.exec(readFileSync(join(folder, 'assets/search.js'), 'utf8'))
  const { index, rows } = JSON.parse(inflateSync(Buffer.from(data, 'base64')).toString())
  const lunrIndex = lunr.Index.load(index)
  return word =>
    lunrIndex
      .search(`*${word}*`)
      .map(({ ref, score }) => ({ name: rows[ref].name, score: score * nameBoost(rows[ref].name, word) }))
      .sort((a, b) => b.score - a.score)
}

const nameBoost = (name, word) =>
  name.toLowerCase().startsWith(word) ? 10 / (1 + Math.abs(name.length - word.length)) : 1

/** Lists the search words that do not find their page first, with the pages that they find. */
export const misrankedWords = folder => {
  const search = createSearch(folder)
  return Object.entries(FIRST_PAGES).flatMap(([word, page]) => {
    const found = search(word).slice(0, 3)
    if (found[0]?.name === page) return []
    const results = found.map(({ name, score }) => `${name} (${score.toFixed(1)})`).join(', ')
    return [`"${word}" must find "${page}" first; found ${results || 'nothing'}`]
  })
}
