// Timers that stand still from before the mock is loaded.
module.exports = {
  preset: 'dashboard-api',
  testMatch: ['<rootDir>/test-timers/*.test.js'],
  setupFilesAfterEnv: ['<rootDir>/test/server.js'],
  fakeTimers: { enableGlobally: true },
}
