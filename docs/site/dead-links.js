import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Lists the links of a built site whose file or anchor does not exist. */
export const deadLinks = folder => {
  const pages = readdirSync(folder, { recursive: true })
    .filter(file => file.endsWith('.html'))
    .map(file => join(folder, file))
  const texts = new Map(pages.map(page => [page, readFileSync(page, 'utf8')]))
  const isDead = (page, link) => {
    const [path, anchor = ''] = link.split('#').map(decodeURIComponent)
    const file = path === '' ? page : resolve(dirname(page), path)
    if (!existsSync(file)) return true
    return anchor !== '' && file.endsWith('.html') && !texts.get(file)?.includes(` id="${anchor}"`)
  }
  return [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(match => match[1].replaceAll('&amp;', '&'))
      .filter(link => !/^[a-z]+:/.test(link) && isDead(page, link))
      .map(link => `${page}: ${link}`),
  )
}
