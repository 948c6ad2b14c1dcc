// The tools, in the order in which they are listed.
import { addActivity } from './activity.tool.ts'
import { applyChange, previewChange } from './change.tool.ts'
import { describeWorkspace } from './describe.tool.ts'
import { findLeads } from './find.tool.ts'
import { getLead } from './get-lead.tool.ts'
import { recentChanges } from './recent.tool.ts'
import { report } from './report.tool.ts'
import { saveLeads } from './save.tool.ts'
import type { Tool } from './tool.ts'
import { undo } from './undo.tool.ts'

export const tools: Tool[] = [
  ...[describeWorkspace, findLeads, getLead, report, recentChanges],
  ...[saveLeads, addActivity, previewChange, applyChange, undo],
]
