import { defineConfig } from 'vitest/config'

/** The tests that kill, cut, fill and crowd: they take minutes, and say at the end how often they did it. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    maxWorkers: '100%',
    // A limit against hanging, not a measure of speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
