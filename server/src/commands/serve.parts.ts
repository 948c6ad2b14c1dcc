// What `serve` loads while PostgreSQL starts.
export { buildApp } from '../app.ts'
export { housekeepingMs, keepHouse } from '../housekeeping.ts'
export { buildKeys } from '../resources/leads/duplicates/build.ts'
export { makeReadyPipeline } from '../resources/lists/ready.ts'
export { mailNotifications } from '../resources/notifications/mails.ts'
export { fireReminders } from '../resources/reminders/reminders.firing.ts'
export { removeLeftUploads } from '../resources/transfer/file/spool.ts'
export { addressFaults } from '../system/checks.ts'
