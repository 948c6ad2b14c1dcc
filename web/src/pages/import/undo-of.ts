// Whether an import was undone: here, on another page, or by somebody else.
import { useQuery } from '@tanstack/react-query'
import { type Operation, operationsQuery, resultOf, undoIn } from '../../parts/bulk/operations.ts'
import type { ImportResult } from './send-file.ts'

/** Undefined: it is in force. */
export function useUndoOf(result: ImportResult | undefined): Operation | undefined {
  const id = result?.id
  const { data = [] } = useQuery({ ...operationsQuery, enabled: Boolean(id) })
  const undo = id ? undoIn(data, id) : undefined
  return undo && !resultOf(undo).isNothing ? undo : undefined
}
