/** fixtures/demo.json, which the bundler puts into the entry points. */
declare module '#demo-fixture' {
  const state: unknown
  export default state
}
