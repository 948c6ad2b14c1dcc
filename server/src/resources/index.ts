// The list of resources, written out: what is served is what stands here.
import type { Resource } from '../http/route.ts'
import { lists } from './lists/lists.ts'
import { members } from './members/members.ts'
import { status } from './status/status.ts'
import { tags } from './tags/tags.ts'

export const resources: Resource[] = [lists, status, tags, members]
