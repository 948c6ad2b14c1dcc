// How leads are merged. Plain values, for readers that must not load the schemas.

/** Which value a field gets where the leads of a group differ. An empty one is always filled from the others. */
export const mergeRules = ['survivor', 'newest', 'longest'] as const
export type MergeRule = (typeof mergeRules)[number]

/** Which lead of a group stays, unless it is named. */
export const survivorRules = ['oldest', 'newest', 'fullest'] as const
export type SurvivorRule = (typeof survivorRules)[number]
