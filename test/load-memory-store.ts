// The mock begins to load its store when it is created, and does not wait. Where a worker keeps its modules, a file of tests that
// ends before would leave a broken module to those after it.
import '../src/store/memory/memory-store.js'
