import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const NEXT = createRequire(import.meta.url).resolve('next/dist/bin/next')

/**
 * Runs `next dev` in a folder, with additional environment variables. Resolves when the server listens. Port
 * 0 selects any free port.
 *
 * @throws Error if the process ends before it listens.
 */
export const startNext = async (
  folder: string,
  port: string,
  settings: { readonly [name: string]: string } = {},
) => {
  const child = spawn(process.execPath, [NEXT, 'dev', folder, '--port', port, '--hostname', '127.0.0.1'], {
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = (): void => {
    child.kill('SIGTERM')
  }
  const ended = once(child, 'exit')
  const origin = await new Promise<string>((resolve, reject) => {
    // Reads all output, since a full pipe would block the process.
    createInterface(child.stdout).on('line', line => {
      const [, listening] = /Local:\s+(http:\S+)/.exec(line) ?? []
      if (listening !== undefined) resolve(listening)
    })
    ended.then(([code]) => reject(new Error(`Next ended with ${code} before it listened`)))
  })
  return { origin, stop, ended }
}
