/**
 * A plugin of typedoc. It gives each guide its heading as its name, and a group. It gives each module the
 * name that programs import. It ranks guides first in the search. The build fails for a dead link, and for a
 * search word that does not find its guide first.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { Application, Converter, IndexEvent, MarkdownEvent, ReflectionKind, RendererEvent } from 'typedoc'
import ts from 'typescript'
import { deadLinks } from './dead-links.js'
import { headingsOf, misrankedWords } from './search.js'

const ROOT = resolve(import.meta.dirname, '../..')

/** The guides in the order in which a new user needs them. */
const GUIDES = {
  Start: [
    'quick-start',
    'existing-database',
    'concepts',
    'tutorial',
    'actions',
    'explorer',
    'cookbook',
    'glossary',
  ],
  Read: ['calls', 'fields', 'paging', 'errors'],
  'Declare and write': [
    'schema',
    'edge-parameters',
    'computed-edges',
    'orders',
    'collections',
    'inverse-edges',
    'ids',
    'writing',
    'conditional-writes',
    'schema-changes',
  ],
  Access: ['tokens', 'signing-in', 'privacy', 'hidden'],
  'HTTP and clients': ['http', 'security', 'client', 'react', 'openapi', 'migration'],
  Run: [
    'scaling',
    'sqlite',
    'postgres',
    'redis',
    'reliability',
    'check',
    'tables-cli',
    'collect',
    'stores',
    'observability',
  ],
  About: ['faq', 'comparison', 'performance', 'architecture'],
}
const DECISIONS = 'Decisions'

const groups = new Map([
  ...Object.entries(GUIDES).flatMap(([group, guides]) => guides.map(guide => [`docs/${guide}.md`, group])),
  ...readdirSync(resolve(ROOT, 'docs/decisions')).map(file => [`docs/decisions/${file}`, DECISIONS]),
])

/**
 * The weights of groups in the search; others have 1. Many types have properties with ordinary names, such as
 * `limit`, which would hide the guides.
 */
const GROUP_BOOSTS = {
  ...Object.fromEntries(Object.keys(GUIDES).map(group => [group, 3])),
  Properties: 0.05,
  [DECISIONS]: 0.1,
}

/** The weight of the test helpers in the search. Few users look for them. */
const TESTING_BOOST = 0.2

/** The weight of a word in a heading. In the text it is 1, and in a name 10. */
const HEADING_WEIGHT = 5

/** The entry points of the package, with their source files. */
const { paths } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), ts.sys.readFile).config.compilerOptions
const modules = new Map(Object.entries(paths).map(([name, [file]]) => [resolve(ROOT, file), name]))

/** The priority of a listener; others have 0. */
const BEFORE_OTHERS = 100

const headingOf = file => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1].replaceAll('`', '')

/** Sets the guides, their groups, and the weights of the groups in the search. */
const setOptions = app => {
  for (const file of readdirSync(resolve(ROOT, 'docs')))
    if (file.endsWith('.md') && !groups.has(`docs/${file}`)) app.logger.error(`docs/${file} has no group`)
  app.options.setValue('projectDocuments', [...groups.keys()])
  app.options.setValue('groupOrder', [
    ...Object.keys(GUIDES),
    ReflectionKind.pluralString(ReflectionKind.Module),
    DECISIONS,
  ])
  app.options.setValue('searchGroupBoosts', GROUP_BOOSTS)
}

/** Adds the headings of guides to the search index, and sets the weight of the test helpers. */
const addToIndex = event => {
  event.searchFieldWeights.headings = HEADING_WEIGHT
  for (const [index, reflection] of event.searchResults.entries()) {
    if (reflection.isDocument())
      event.searchFields[index] = { headings: headingsOf(reflection.content.map(part => part.text).join('')) }
    if (reflection.getFullName().startsWith('kithgraph/testing.')) reflection.relevanceBoost = TESTING_BOOST
  }
}

/** @param {import('typedoc').Application} app */
export const load = app => {
  app.on(Application.EVENT_BOOTSTRAP_END, () => setOptions(app))
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const document of project.documents ?? []) {
      const file = project.files.getReflectionPath(document)
      document.name = headingOf(file)
      document.frontmatter.group = groups.get(relative(ROOT, file))
    }
    for (const module of project.children ?? [])
      module.name = modules.get(project.files.getReflectionPath(module)) ?? module.name
  })
  // typedoc resolves the picture in `[![…](picture)](picture)`, but not the link around it.
  app.renderer.on(
    MarkdownEvent.PARSE,
    event => {
      event.parsedText = event.parsedText.replaceAll(/\[(!\[[^\]]*\]\(([^)]+)\))\]\([^)]+\)/g, '[$1]($2)')
    },
    BEFORE_OTHERS,
  )
  app.renderer.on(IndexEvent.PREPARE_INDEX, addToIndex)
  app.renderer.on(
    RendererEvent.END,
    ({ outputDirectory }) => {
      for (const link of deadLinks(outputDirectory)) app.logger.error(`Dead link in ${link}`)
      for (const word of misrankedWords(outputDirectory)) app.logger.error(`Search: ${word}`)
    },
    -BEFORE_OTHERS,
  )
}
