/** The part of a process that a command uses. */
export type CommandContext = {
  /** The folder of the project, in which drivers are installed. Files are relative to it. */
  readonly folder: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a line about an error. */
  printError(line: string): void
}
