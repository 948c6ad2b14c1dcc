// Mends known defects of postgres.js 3.4.9 while it is bundled or loaded by a test. Each such mend names the
// upstream issue. Remove it when a release has the fix; a release in which the text below has changed stops
// the build (docs/decisions/0002-postgres-js.md). Those without an issue are for speed, for the log, or not reported yet.

const connection = [
  {
    // A write that waits when the connection breaks was never forgotten: the connection could not send
    // anything again, and each attempt to use it ended in CONNECT_TIMEOUT. Queries sent between a reset and
    // the end of the socket never settled, and the last error was thrown again by the next query.
    issue: [1208, 1097],
    find: `
    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    closedTime = performance.now()
    hadError && options.shared.retries++
    delay = (typeof backoff === 'function' ? backoff(options.shared.retries) : backoff) * 1000
`,
    replace: `
    chunk = nextWriteTimer = null
    initial || error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    rows = 0
    result = new Result()
    closedTime = performance.now()
    ;(hadError || initial) && options.shared.retries++
    delay = (typeof backoff === 'function' ? backoff(options.shared.retries) : backoff) * 1000
    if (initial)
      return reconnect()
`,
  },
  {
    // A password is looked up and hashed in steps. When the connection breaks in between, its message is
    // written to a socket that is gone.
    issue: [1154],
    find: 'const x = socket.write(chunk, fn)',
    replace: 'const x = socket && socket.write(chunk, fn)',
  },
  {
    // Statements that are sent together went out one by one, each with a call of the system and a wake-up of
    // PostgreSQL: for a new lead a quarter of Node's time. Now they go out together, at the end of this turn of the
    // event loop.
    find: 'if (fn || chunk.length >= 1024)',
    replace: 'if (fn || chunk.length >= 65536)',
  },
  {
    // A statement that fails after its first rows left their number behind: the rows of the next statement
    // came after that many holes.
    issue: [1119],
    find: `
    result = new Result()
    connectTimer.cancel()
`,
    replace: `
    result = new Result()
    rows = 0
    connectTimer.cancel()
`,
  },
  {
    // Each new connection asks about array types. When it was lost meanwhile, no code could handle the
    // rejection.
    issue: [1192],
    find: `
    \`], [], execute)
    types.forEach`,
    replace: `
    \`], [], execute).catch(() => [])
    types.forEach`,
  },
  {
    // Without a name, Node compares the certificate with "localhost": with sslmode=verify-full, the address of any
    // server was trusted that has a certificate for that, and a certificate for the address was refused.
    find: 'servername: net.isIP(socket.host)',
    replace: 'host: socket.host, servername: net.isIP(socket.host)',
  },
  {
    // How long each statement took, without those before it on its connection (slow-statements.ts).
    find: '(query = q, query.active = true)',
    replace: '(query = q, query.active = true, query.began = performance.now())',
  },
  {
    find: '(query.active = true, query.cancelled)',
    replace: '(query.active = true, query.began = performance.now(), query.cancelled)',
  },
  {
    find: `
    if (query) {
      if (errorResponse) {
        query.retried`,
    replace: `
    if (query) {
      options.shared.onanswer && options.shared.onanswer(query, performance.now() - query.began)
      if (errorResponse) {
        query.retried`,
  },
  {
    // A statement that is not repeated (commit-together.ts) is prepared anew the next time.
    find: `
          ? errored(query.retried)
`,
    replace: `
          ? (retryRoutines.has(errorResponse.routine) && delete statements[query.signature], errored(query.retried))
`,
  },
]

const pool = [
  {
    // A transaction went on after its connection was lost: on the same connection, opened anew and in use by
    // others.
    issue: [1186, 1216],
    find: 'new Promise((_, reject) => connection.onclose = reject)',
    replace: 'new Promise((_, reject) => connection.onclose = e => (lose(e), reject(e)))',
  },
  {
    issue: [1186, 1216],
    find: `
      , prepare = null

    try {
`,
    replace: `
      , prepare = null
      , lost = null
      , begun
      , sent

    const lose = e => {
      lost = e
      while (queries.length) queries.shift().reject(e)
    }

    try {
`,
  },
  {
    issue: [1186, 1216],
    find: `
        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue`,
    replace: `
        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost) return q.reject(lost)
        c.queue`,
  },
  {
    // The work of a transaction began after the answer to BEGIN, which takes one more way to the database and
    // back. With a third argument it begins at once, and gets the answer as sql.begun. If BEGIN fails, the
    // transaction sends nothing more.
    find: 'async function begin(options, fn) {',
    replace: 'async function begin(options, fn, isAhead) {',
  },
  {
    find: `
      await sql.unsafe('begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute }).execute()
`,
    replace: `
      begun = sql.unsafe('begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute }).execute()
      begun.catch(lose)
      await (isAhead ? Promise.race([begun, new Promise(resolve => sent = resolve)]) : begun)
      isAhead && move(connection, reserved)
`,
  },
  {
    find: `
      connection = c
`,
    replace: `
      connection = c
      sent && sent()
`,
  },
  {
    find: `
      sql.savepoint = savepoint
`,
    replace: `
      sql.savepoint = savepoint
      sql.begun = begun
`,
  },
  {
    // The same for a reserved connection. Releasing it made a closed connection look open.
    issue: [1208],
    find: `
    c.reserved.release = true
`,
    replace: `
    c.reserved.release = true
    let lost = null
    c.onclose = e => {
      lost = e
      while (queue.length) queue.shift().reject(e)
    }
`,
  },
  {
    issue: [1208],
    find: `
    sql.release = () => {
      c.reserved = null`,
    replace: `
    sql.release = () => {
      if (lost) return
      c.onclose = null
      c.reserved = null`,
  },
  {
    issue: [1208],
    find: `
    function handler(q) {
      c.queue === full
        ? queue.push(q)`,
    replace: `
    function handler(q) {
      if (lost) return q.reject(lost)
      c.queue === full
        ? queue.push(q)`,
  },
]

const mends = { 'connection.js': connection, 'index.js': pool }

/** A plugin for Rolldown and Vite. */
export function mendDriver() {
  return {
    name: 'mend-driver',
    transform(code, id) {
      const [, file] =
        /\/node_modules\/postgres\/src\/([\w.]+)$/.exec(id.replaceAll('\\', '/')) ?? []
      let mended = code
      for (const { find, replace } of mends[file] ?? []) {
        const parts = mended.split(find)
        if (parts.length !== 2) {
          throw new Error(
            `postgres/src/${file} has changed: look at the mend that replaces ${find.trim()}`,
          )
        }
        mended = parts.join(replace)
      }
      return mended === code ? undefined : { code: mended, map: null }
    },
  }
}
