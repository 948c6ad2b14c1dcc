// The list that a new workspace has, with its pipeline.
import { readyList } from '@rapport/contract/stages.values'
import type { Db } from '../../db/driver.ts'
import type { Author } from '../../feed/author.ts'
import { recordCreated } from '../../feed/record.sql.ts'
import { newId } from '../../ids.ts'
import { addReadyStages } from '../status/ready.ts'
import { insertList } from './lists.sql.ts'

export async function makeReadyPipeline(tx: Db, by: Author): Promise<void> {
  const wanted = { id: newId(), ...readyList, auto_status: true }
  const list = await insertList(tx, by.space, wanted, by.now)
  await recordCreated(tx, by, 'list', list)
  await addReadyStages(tx, by, list.id)
}
