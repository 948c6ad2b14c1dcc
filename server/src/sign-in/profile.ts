// What members change about themselves, and their pictures.
import { badRequest, notFound } from '@rapport/contract/errors'
import { selectPicture } from '../access/access.sql.ts'
import { changeSelf } from '../access/members.ts'
import { requireEmail, requireName, requireTimeZone } from '../access/names.ts'
import { ownerOf } from '../access/sessions.ts'
import type { Pool } from '../db/driver.ts'
import { newId } from '../ids.ts'
import { authorOf, type SessionHandlers } from './handler.ts'

/** Bodies of these routes are kept small. */
const maxPictureBytes = 10 * 1024
const prefix = 'data:image/jpeg;base64,'
const jpegStart = Buffer.from([0xff, 0xd8, 0xff])

type Handlers = Pick<SessionHandlers, 'changeProfile' | 'changeEmail' | 'picture'>

export const profileHandlers = (db: Pool): Handlers => ({
  async changeProfile(visit) {
    const { name, time_zone, picture } = visit.body
    if (time_zone) await requireTimeZone(db, time_zone)
    const change = {
      ...(name !== undefined && { name: requireName(name) }),
      ...(time_zone !== undefined && { time_zone }),
      ...(picture !== undefined && readPicture(picture)),
    }
    if (Object.keys(change).length > 0) {
      const author = authorOf(visit)
      await changeSelf(db, author, ownerOf(author).id, change)
    }
    return 'Profile changed'
  },

  async changeEmail(visit) {
    const author = authorOf(visit)
    await changeSelf(db, author, ownerOf(author).id, { email: requireEmail(visit.body.email) })
    return 'Email changed'
  },

  async picture(visit) {
    const content = await selectPicture(db, authorOf(visit).space, visit.id)
    if (!content) throw notFound()
    return Buffer.from(content, 'base64')
  },
})

function readPicture(picture: string | null) {
  if (picture === null) return { picture: null, picture_content: null }
  const bytes = Buffer.from(
    picture.startsWith(prefix) ? picture.slice(prefix.length) : '',
    'base64',
  )
  if (bytes.length > maxPictureBytes || !bytes.subarray(0, 3).equals(jpegStart)) {
    const message = `Must be a JPEG of at most ${maxPictureBytes / 1024} KB, as a data: URL`
    throw badRequest({ path: ['picture'], code: 'picture', message })
  }
  return { picture: newId(), picture_content: bytes.toString('base64') }
}
