// kill -9 under programs that use the client: what it retries is written once, and nothing is given up.
import { Rapport } from '@rapport/client'
import { run as query, sql } from '../src/db/sql.ts'
import { boxHome } from './home.ts'
import { apiKey, type Server } from './server.ts'
import { Breach, type Context, type Figures, type Size, type Torture, together } from './torture.ts'
import { until } from './until.ts'

export const retries: Torture = {
  name: 'client',
  summary: 'kills the server under programs that create leads with @rapport/client',
  run,
}

const programs = 8

async function run(size: Size, { random, say, signal, kills }: Context): Promise<Figures> {
  const rounds = kills ?? (size === 'long' ? 100 : 2)
  const home = await boxHome()
  /** The id of each lead that was answered, by its email. */
  const answered = new Map<string, string>()
  const counts = { requests: 0, replayed: 0 }
  let server: Server | undefined
  try {
    server = await home.start()
    const { url } = server
    const { port: PORT } = new URL(url)
    const counted: typeof fetch = (...request) => {
      counts.requests++
      return fetch(...request)
    }
    const rapport = new Rapport({ url, key: apiKey, timeout: 300_000, fetch: counted })
    const onResponse = ({ headers }: Response) => {
      if (headers.has('idempotency-replayed')) counts.replayed++
    }
    let killed = 0
    const kill = async (goesOn: () => boolean) => {
      for (let round = 1; round <= rounds && goesOn(); round++) {
        // In the middle of the writing, which goes on as soon as the programs try again.
        const enough = answered.size + random.between(1, size === 'long' ? 100 : 20)
        await until('leads are created again', 120, () => answered.size >= enough || !goesOn())
        // Every fourth time together with its PostgreSQL.
        const isBoth = round % 4 === 0
        await Promise.all([isBoth && server && home.killPostgresToo(server), server?.kill()])
        server = await home.start({ PORT })
        killed = round
        if (round % 10 === 0) say(`${round} of ${rounds} kills, ${answered.size} leads`)
      }
    }
    const create = async (program: number, goesOn: () => boolean) => {
      for (let number = 0; killed < rounds && goesOn(); number++) {
        const email = `${program}-${number}@client.example`
        const { id } = await rapport.leads.create({ email, first_name: 'Ada' }, { onResponse })
        answered.set(email, id)
      }
    }
    const lanes = Array.from(
      { length: programs },
      (_none, program) => (goesOn: () => boolean) => create(program, goesOn),
    )
    await together([kill, ...lanes], signal)
    const stored = await home.inspect((db) =>
      query<{ id: string; email: string }[]>(
        db,
        sql`select id, email from lead where email like '%@client.example'`,
      ),
    )
    const emails = new Set(stored.map(({ email }) => email))
    if (emails.size < stored.length) {
      throw new Breach(`${stored.length - emails.size} leads were written twice`)
    }
    const ids = new Set(stored.map(({ id }) => id))
    const lost = [...answered.values()].filter((id) => !ids.has(id))
    if (lost.length > 0) throw new Breach(`${lost.length} of ${answered.size} leads are lost`)
    if (stored.length !== answered.size && !signal.aborted) {
      throw new Breach(`${answered.size} leads were answered, and ${stored.length} are stored`)
    }
    if (killed !== rounds && !signal.aborted) throw new Breach(`Only ${killed} kills`)
    return {
      'kills of the server': killed,
      'of them together with PostgreSQL': Math.floor(killed / 4),
      'leads created, each found once': answered.size,
      'requests sent for them': counts.requests,
      'retries of a lead that had been written': counts.replayed,
    }
  } finally {
    await server?.kill()
    await home.remove()
  }
}
