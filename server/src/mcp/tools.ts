// The tools, in the order in which they are listed.

import { describeWorkspace } from './describe.tool.ts'
import { findLeads } from './find.tool.ts'
import { getLead } from './get-lead.tool.ts'
import { recentChanges } from './recent.tool.ts'
import { report } from './report.tool.ts'
import type { Tool } from './tool.ts'

export const tools: Tool[] = [describeWorkspace, findLeads, getLead, report, recentChanges]
