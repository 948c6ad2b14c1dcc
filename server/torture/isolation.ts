// Three workspaces that keep naming each other's records: no response shows data of another workspace.
import { Actor, type Tally, Watch } from './isolation.actor.ts'
import { compareOverHttp, compareWithDatabase } from './isolation.compare.ts'
import { Model } from './isolation.model.ts'
import { operations } from './isolation.operations.ts'
import { type Service, withService } from './service.ts'
import { type Context, type Figures, type Size, type Torture, together } from './torture.ts'

const sizes: Record<Size, number> = { short: 150, long: 12_000 }
const labels = ['aardvark', 'bumblebee', 'chameleon']
/** Operations between two comparisons of a workspace with its model. */
const compareEvery = 250

export const isolation: Torture = {
  name: 'isolation',
  summary: 'works in three workspaces with each other’s ids, and compares them with a model',
  run: (size, context) => withService(context, (service) => run(service, size, context)),
}

async function run({ db, workspace }: Service, size: Size, context: Context): Promise<Figures> {
  const tally: Tally = { requests: 0, refused: 0, foreign: 0 }
  const watch = new Watch(labels)
  const actors: Actor[] = []
  for (const label of labels) {
    const space = await workspace(label)
    actors.push(
      new Actor(label, space, new Model(space.members), context.random.fork(), watch, tally),
    )
  }
  let done = 0
  let compared = 0
  // The model needs one operation after another in each workspace. The three run at the same time.
  const lanes = actors.map((actor) => async (goesOn: () => boolean) => {
    actor.others = actors.filter((other) => other !== actor)
    for (const id of [actor.space.id_space, ...actor.space.members]) actor.own(id)
    for (let count = 1; count <= sizes[size] && goesOn(); count++) {
      await actor.random.pick(operations)(actor)
      done++
      if (count % compareEvery === 0) compared += await compareOverHttp(actor)
    }
    compared += await compareOverHttp(actor)
  })
  await together(lanes, context.signal)
  for (const actor of actors) compared += await compareWithDatabase(actor, db)
  return {
    workspaces: actors.length,
    operations: done,
    'requests sent': tally.requests,
    'of them with a record of another workspace': tally.foreign,
    'of them refused': tally.refused,
    'ids in answers, none of another workspace': watch.ids,
    'records compared with the model': compared,
  }
}
