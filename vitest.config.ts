import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/clusters/**', 'test/faults/**', 'test/package/**'],
    // The tests run the built program: it is built once, before all of them.
    globalSetup: ['test/build.ts'],
    maxWorkers: '100%',
    // Machines that run this for everyone are busy with others' work, too; at home a test has one try.
    retry: process.env.CI ? 1 : 0,
    // A limit against hanging, not a measure of speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
