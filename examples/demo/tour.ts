/**
 * Loads the people of a novel and reads them in-process in a dozen ways. Each call is printed as code,
 * followed by its result.
 *
 *     npm run tour
 *     npm run tour -- --store sqlite:./graph.db
 *
 * Without the URL of a store, nothing is kept. With one, the next start finds the graph there.
 */
import { parseArgs, styleText } from 'node:util'
import { isGraphError } from 'kithgraph'
import { openStore } from '../shared/open-store.ts'
import { printJson } from '../shared/print-json.ts'
import { createCalls, type DemoCall } from './calls.ts'
import { comments, NOW, pages, photos, posts } from './content.ts'
import { createDemo, SCOPES } from './graph.ts'
import { novelSize } from './novel.ts'
import { readCode } from './source.ts'

const LONGEST_LIST = 3

const styleOutput = (style: Parameters<typeof styleText>[0], text: string): string =>
  process.stdout.isTTY ? styleText(style, text) : text

const runCall = async ({ run }: DemoCall): Promise<unknown> => {
  try {
    return await run()
  } catch (error) {
    if (!isGraphError(error)) throw error
    // The trace id differs in every run.
    return { error: { ...error.toJSON().error, fbtrace_id: '…' } }
  }
}

const INTRODUCTION = `\
kithgraph, shown on a novel: the ${novelSize.people} people of Les Misérables, and ${novelSize.links} links between those who
appear together. People, links and groups are those of the data set. It has neither dates nor names
of groups: the demo gives each link a date, one per day, and names a group after its best connected member.
Invented: ${pages.length} pages, ${posts.length} posts, ${photos.length} photos, ${comments.length} comments, likes, and details of a few people.

The time is fixed at ${new Date(NOW).toUTCString()}. "token" is a token of Marius with the scopes
${SCOPES.join(', ')}; "unscopedToken" is one without scopes.
Lists of more than ${LONGEST_LIST} items are cut, with a note such as "… 7 more".`

const codeOf = (call: DemoCall, code: ReadonlyMap<string, string>): string => {
  const text = code.get(call.title)
  if (text === undefined) throw new Error(`calls.ts does not show the call "${call.title}" as it should`)
  return text
}

const { values } = parseArgs({ options: { store: { type: 'string', default: 'memory:' } } })
const store = await openStore(values.store, 'demo').catch((error: Error) => {
  console.error(error.message)
  process.exit(2)
})

console.log(INTRODUCTION)
const demo = await createDemo(store)
const code = await readCode()
for (const [index, call] of createCalls(demo).entries()) {
  console.log(`\n${styleOutput('bold', `${index + 1}. ${call.title}`)}\n`)
  console.log(styleOutput('cyan', codeOf(call, code)))
  console.log(printJson(await runCall(call), LONGEST_LIST))
}
await demo.graph.close()
