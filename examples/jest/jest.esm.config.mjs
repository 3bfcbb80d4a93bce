// ES modules in Node, which Jest runs with --experimental-vm-modules. They need no preset.
export default {
  testMatch: ['<rootDir>/test/*.test.mjs'],
  transform: {},
}
