// What a big workspace has, for those who send requests about it.
export interface BigWorkspace {
  id_space: string
  /** `share` is the share of the leads that are in the list. */
  lists: Shared[]
  /** Statuses of the first list. Each lead of the list has one. */
  listStatuses: Shared[]
  /** Statuses of the workspace. Two thirds of the leads have one. */
  statuses: Shared[]
  tags: Shared[]
  /** One tag for the oldest hundredth of the leads, one for the newest. */
  ages: { old: string; new: string }
  campaign: string
  step: string
  owners: Shared[]
  attributes: { text: string; number: string; select: string }
  /** Options of the SELECT attribute. */
  options: Shared[]
}

export interface Shared {
  id: string
  share: number
}
