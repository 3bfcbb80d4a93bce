/** fixtures/demo.json, put in its place when the entry points are bundled. */
declare module '#demo-fixture' {
  const state: unknown
  export default state
}
