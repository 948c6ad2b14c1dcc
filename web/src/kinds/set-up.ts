// Sets up a ready pipeline: in a list or, if the workspace has none, in a new one.
import { readyList } from '@rapport/contract/stages.values'
import { call } from '../api/call.ts'
import { client } from '../api/client.ts'
import { orTell } from '../ui/attempt.ts'
import { words } from '../words/index.ts'

/** Returns the list, or undefined if it did not work. Undefined: it makes one. "": stages without a list. */
export async function setUpPipeline(list: string | undefined): Promise<string | undefined> {
  let id = list
  const isDone = await orTell(words.pipeline.notSetUp, async () => {
    id ??= (await call('POST /lists', { body: { ...readyList, auto_status: true } })).id
    await call('POST /status/ready', { body: { id_list: id || null } })
    await client.invalidateQueries({ queryKey: ['records'] })
  })
  return isDone ? id : undefined
}
