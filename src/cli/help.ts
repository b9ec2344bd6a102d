import { STORE_URL_LINES } from './store-url.ts'

export const USAGE = `Usage: kithgraph introspect [URL] [--out FILE [--check]] [--graph FILE] [--schemas A,B] [--tables PATTERN]
       kithgraph check tables [URL] FILE [--sql]
       kithgraph serve [URL] [--port NUMBER] [--schemas A,B] [--tables PATTERN]
       kithgraph check store [URL] [--repair [--remove]] [--schema FILE]
       kithgraph collect [URL] --schema FILE`

export const HELP = `${USAGE}

introspect writes a description of the tables of a Postgres or SQLite database: names and types, and no values.
With --graph, it also writes a first graph over these tables.

check tables compares a graph over tables with the database: changed tables, missing indexes, repeated keys, orders
and counters that do not fit the rows, and missing row-level security. It prints names, ids and counts, and no values.
FILE is a module, such as graph.ts, that exports as "tables" the tables that defineTables returns with the schema.
Its export "rowSecurity", if any, is the list of the tables that must have row-level security.

serve shows a Postgres or SQLite database in the Explorer, as a graph without policies, to everyone who knows the
URL that it prints. It is for looking around on this machine, and not for production. It only reads.

check store reads a whole store while other processes use it, and reports errors in its data. It prints ids,
names and counts, and no values. It changes nothing without --repair.

collect builds the collections and the further orders of a schema over existing data, while other processes
write with this schema. At its end, they can be read. It can be interrupted and repeated.

URL (default: the environment variable KITHGRAPH_URL, which other users of the machine cannot see):
${STORE_URL_LINES.map(line => `  ${line}`).join('\n')}

Options of introspect and serve:
  --out FILE              the file of the description, such as db.ts; without --out and --graph, it is printed
  --check                 print the differences between the file and the database instead of writing the file
  --graph FILE            a new file for a first graph over the tables, such as graph.ts
  --schemas A,B           the Postgres schemas (default: those of the search path)
  --tables PATTERN        the names of tables, separated by commas; * matches any text (default: all tables)
  --port NUMBER           the port on this machine (default: a free port)

Options of check tables:
  --sql                   print only the statements that create the missing indexes, for psql or sqlite3

Options of check store and collect:
  --schema FILE           a module that exports a schema as its default export or as "schema"; check store
                          then also checks mirrored edges, values, collections and orders
  --repair                add missing entries, correct counts, derive the entries of collections and orders
                          again, and complete unfinished writes
  --remove                with --repair: also remove dangling and stale entries, and empty counts
  --prefix TEXT           the prefix of the keys in Redis (default kithgraph:)
  --postgres-schema NAME  the Postgres schema of the tables (default kithgraph)

  -h, --help              print this help

Exit status: 0 without errors; 1 if the store or the tables have errors at the end, if the description has
differences, or for records that collect cannot put in order; 2 if the command failed; 130 if it was interrupted.`
