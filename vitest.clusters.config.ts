import { defineConfig } from 'vitest/config'

/** The tests that need real schedulers, which all share one machine with them. */
export default defineConfig({
  test: {
    include: ['test/clusters/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/clusters/setup.ts'],
    fileParallelism: false,
    // Machines that run this for everyone are busy with others' work, too, and schedulers have a mind of their own.
    retry: process.env.CI ? 2 : 0,
    // A limit against hanging, not a measure of speed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
