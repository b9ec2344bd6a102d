/**
 * Loads the people of a novel and runs fifteen calls in-process. Prints the code of each call, followed by its
 * result.
 *
 *     npm run tour
 *     npm run tour -- --store sqlite:./graph.db
 *     npm run tour -- --help
 *
 * Without `--store`, the graph is in memory and ends with the program.
 */
import { styleText } from 'node:util'
import { isGraphError } from 'kithgraph'
import { printJson } from '../shared/print-json.ts'
import { createCalls, type DemoCall } from './calls.ts'
import { openStoreOf } from './command-line.ts'
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
The graph has the ${novelSize.people} people of Les Misérables, and ${novelSize.links} links between people who appear together.
People, links and groups come from a data set. The demo adds a date to each link, names each group after its
best connected member, and invents ${pages.length} pages, ${posts.length} posts, ${photos.length} photos, ${comments.length} comments, likes and a few details of people.

The clock of the graph is fixed at ${new Date(NOW).toUTCString()}.
"token" is an access token of Marius with the scopes ${SCOPES.join(', ')}.
"unscopedToken" has no scopes.
Lists are cut after ${LONGEST_LIST} items. A note such as "… 7 more" shows how many items follow.`

const codeOf = (call: DemoCall, code: ReadonlyMap<string, string>): string => {
  const text = code.get(call.title)
  if (text === undefined) throw new Error(`Cannot find the code of the call "${call.title}" in calls.ts`)
  return text
}

const store = await openStoreOf({
  name: 'npm run tour',
  description:
    'Loads the people of a novel, runs fifteen calls in-process and prints their code and results.',
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
