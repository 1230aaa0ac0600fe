import { expect, test } from 'vitest'
import { type Product, productCommand, productData } from '../../src/domain/documents/product.js'

const table: Product = {
  kind: 'compare',
  file: 'table.tex',
  options: { over: '', metrics: 'acc', repeats: 'true' },
  filters: {},
}
const plot: Product = { kind: 'plot', file: 'a b.svg', options: { x: '--lr', y: 'acc', by: '--model' }, filters: {} }

test.each([
  [table, 'qanat compare it 4 --over --metrics acc --repeats --latex'],
  [{ ...table, file: 't.csv', options: { repeats: 'false' } }, 'qanat compare it 4 --csv'],
  [plot, "qanat plot it 4 -x --lr -y acc --by --model -o 'a b.svg'"],
  [{ kind: 'report', file: 'r.html', options: {}, filters: {} } satisfies Product, 'qanat report it 4 -o r.html'],
  [
    { ...table, options: {}, filters: { param: ['--lr:0.1', 'svm'], where: ['acc > 0.5'] } },
    "qanat compare it 4 --param=--lr:0.1 --param=svm '--where=acc > 0.5' --latex",
  ],
])('%j is made by a command that one can type', (product, command) => {
  expect(productCommand(product, 'it', ['4'])).toBe(command)
})

test('a product is written as it is read', () => {
  expect(productData(plot)).toEqual({ plot: 'a b.svg', x: '--lr', y: 'acc', by: '--model' })
})
