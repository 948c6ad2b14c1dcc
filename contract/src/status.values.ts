/** How a stage ends a deal. The others are open. */
export const statusTypes = ['DEAL_WON', 'DEAL_LOST'] as const
export type StatusType = (typeof statusTypes)[number]
