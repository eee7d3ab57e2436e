/** Who is of this machine, and when others may come. */

import { expect, it } from 'vitest';
import { isOfThisMachine, isOpenToOthers } from '../../../src/access/access.js';

it.each([
  [{ host: 'localhost:9090' }, '127.0.0.1'],
  [{ host: '127.0.0.1:9090' }, '::ffff:127.0.0.1'],
  [{ host: '[::1]:9090', origin: 'http://localhost:3000' }, '::1'],
  [{ host: 'localhost' }, undefined],
])('%j from %s is of this machine', (headers, address) => {
  expect(isOfThisMachine(headers, address)).toBe(true);
});

it.each([
  [{ host: 'localhost:9090' }, '192.168.1.5'],
  [{ host: 'devnet.example' }, '127.0.0.1'],
  [{ host: '192.168.1.5:9090' }, '127.0.0.1'],
  [{ host: 'localhost', origin: 'https://dapp.example' }, '127.0.0.1'],
  [{ host: 'localhost', origin: 'null' }, '127.0.0.1'],
  [{ host: 'localhost', origin: 'http://127.0.0.1.example.com' }, '127.0.0.1'],
  [{ host: 'localhost', 'x-forwarded-for': '203.0.113.7' }, '127.0.0.1'],
  [{ host: 'localhost', forwarded: 'for=203.0.113.7' }, '127.0.0.1'],
])('%j from %s is not', (headers, address) => {
  expect(isOfThisMachine(headers, address)).toBe(false);
});

it.each([
  [{ host: '127.0.0.1' }, false],
  [{ host: '::1' }, false],
  [{ host: 'localhost' }, false],
  [{ host: '0.0.0.0' }, true],
  [{ host: '::' }, true],
  [{ host: '10.0.0.3' }, true],
  [{ host: '127.0.0.1', allowHost: ['devnet.example'] }, true],
  [{ host: '127.0.0.1', allowOrigin: ['https://dapp.example'] }, true],
])('a node of %j is open to others: %s', (settings, isOpen) => {
  expect(isOpenToOthers({ allowHost: [], allowOrigin: [], ...settings })).toBe(isOpen);
});
