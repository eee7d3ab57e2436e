/** The names of the events of `/sunup/events`. */

export const EVENTS = ['block', 'transaction', 'pending', 'dropped', 'removed'] as const;
export type EventName = (typeof EVENTS)[number];
