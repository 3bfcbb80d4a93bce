// CommonJS with jsdom: Jest's usual set-up.
module.exports = {
  preset: 'dashboard-api',
  testMatch: ['<rootDir>/test/*.test.js'],
  setupFilesAfterEnv: ['<rootDir>/test/server.js'],
}
