/** fixtures/demo.json, which the bundler includes. */
declare module '#demo-fixture' {
  const state: unknown
  export default state
}
