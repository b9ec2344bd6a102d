#!/usr/bin/env node
import { runCommand } from './run-command.ts'

const interruption = new AbortController()
// The second signal ends the process at once, because the listener is removed after the first.
process.once('SIGINT', () => interruption.abort())
process.once('SIGTERM', () => interruption.abort())
// The reader of the output may stop reading, such as `head`.
process.stdout.on('error', () => interruption.abort())

process.exitCode = await runCommand(process.argv.slice(2), {
  folder: process.cwd(),
  environment: process.env,
  signal: interruption.signal,
  print: line => process.stdout.write(`${line}\n`),
  printError: line => process.stderr.write(`${line}\n`),
})
