/**
 * What the site adds to typedoc: a guide is called by its heading and stands in a group, a module is called by what
 * a program imports, and a dead link fails the build.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { Application, Converter, MarkdownEvent, ReflectionKind, RendererEvent } from 'typedoc'
import ts from 'typescript'
import { deadLinks } from './dead-links.js'

const ROOT = resolve(import.meta.dirname, '../..')

/** In the order in which they are shown. */
const GUIDES = {
  'Begin here': ['quick-start', 'tutorial', 'explorer', 'cookbook', 'faq', 'comparison'],
  'Ask, declare, write': ['calls', 'fields', 'paging', 'errors', 'schema', 'writing'],
  'Who sees what': ['tokens', 'privacy', 'hidden'],
  'Over HTTP': ['http', 'client', 'openapi', 'migration'],
  'Stores and running': [
    'scaling',
    'performance',
    'sqlite',
    'postgres',
    'redis',
    'stores',
    'observability',
    'architecture',
  ],
}
const DECISIONS = 'Decisions'

const groups = new Map([
  ...Object.entries(GUIDES).flatMap(([group, guides]) => guides.map(guide => [`docs/${guide}.md`, group])),
  ...readdirSync(resolve(ROOT, 'docs/decisions')).map(file => [`docs/decisions/${file}`, DECISIONS]),
])

/** The compiler's own table of what is imported from where. */
const { paths } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), ts.sys.readFile).config.compilerOptions
const modules = new Map(Object.entries(paths).map(([name, [file]]) => [resolve(ROOT, file), name]))

/** The priority of a listener; others have 0. */
const BEFORE_OTHERS = 100

const headingOf = file => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1].replaceAll('`', '')

/** @param {import('typedoc').Application} app */
export const load = app => {
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    for (const file of readdirSync(resolve(ROOT, 'docs')))
      if (file.endsWith('.md') && !groups.has(`docs/${file}`))
        app.logger.error(`docs/${file} stands in no group`)
    app.options.setValue('projectDocuments', [...groups.keys()])
    app.options.setValue('groupOrder', [
      ...Object.keys(GUIDES),
      ReflectionKind.pluralString(ReflectionKind.Module),
      DECISIONS,
    ])
  })
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const document of project.documents ?? []) {
      const file = project.files.getReflectionPath(document)
      document.name = headingOf(file)
      document.frontmatter.group = groups.get(relative(ROOT, file))
    }
    for (const module of project.children ?? [])
      module.name = modules.get(project.files.getReflectionPath(module)) ?? module.name
  })
  // typedoc finds the picture of `[![…](picture)](picture)`, and not the link around it.
  app.renderer.on(
    MarkdownEvent.PARSE,
    event => {
      event.parsedText = event.parsedText.replaceAll(/\[(!\[[^\]]*\]\(([^)]+)\))\]\([^)]+\)/g, '[$1]($2)')
    },
    BEFORE_OTHERS,
  )
  app.renderer.on(
    RendererEvent.END,
    ({ outputDirectory }) => {
      for (const link of deadLinks(outputDirectory)) app.logger.error(`Dead link in ${link}`)
    },
    -BEFORE_OTHERS,
  )
}
