import { describe, expect, test } from 'vitest';
import { WireRequest } from '../../../src/http/wire-request.js';

const FORM = 'application/x-www-form-urlencoded';
const post = (body: string | Uint8Array, contentType?: string, query = '') =>
  new WireRequest('POST', query, contentType, typeof body === 'string' ? Buffer.from(body, 'utf8') : body);

describe('the charset of a body', () => {
  test.each([
    ['application/json', 'é'],
    ['application/json; charset=utf-8', 'é'],
    ['application/json; charset=ISO-8859-1', 'Ã©'],
    [undefined, 'Ã©'],
    ['text/plain', 'Ã©'],
    ['text/plain;charset="UTF-8"', 'é'],
    [FORM, 'Ã©'],
  ])('%s', (contentType, text) => {
    expect(post('é', contentType).body.text).toBe(text);
  });

  test('one that nobody knows is refused', () => {
    expect(() => post('x', 'application/json; charset=klingon').body).toThrow('klingon');
  });
});

test.each([
  ['a\rb\r\nc\n\rd', 'a\nb\nc\n\nd', 'abcd'],
  ['\r\n\r\n', '\n', ''],
  ['\r', '', ''],
  ['é\r', 'é', 'é'],
])('every end of a line is one: %j', (body, lines, without) => {
  for (const charset of ['utf-8', 'iso-8859-1', 'utf-16le']) {
    const bytes = Buffer.from(body, charset === 'utf-16le' ? 'utf16le' : charset === 'utf-8' ? 'utf8' : 'latin1');
    const request = post(bytes, `application/json; charset=${charset}`);
    expect(request.body.text).toBe(lines);
    expect(request.bodyWithoutLineEnds.text).toBe(without);
  }
});

test('lines are joined, the last end is dropped', () => {
  const request = post('{\r\n"a":1\n}\n');
  expect(request.body.text).toBe('{\n"a":1\n}');
  expect(request.bodyWithoutLineEnds.text).toBe('{"a":1}');
});

describe('form bodies', () => {
  test('become texts in HashMap order; repeated keys a list', () => {
    const body = 'to_address=41&owner_address=a%2Bb+c&x=1&x=2';
    expect(post(body, FORM).bodyOrForm.text).toBe('{"x":["1","2"],"to_address":"41","owner_address":"a+b c"}');
  });

  test('only with exactly the form type, and not if they are JSON', () => {
    expect(post('a=1', `${FORM}; charset=UTF-8`).bodyOrForm.text).toBe('a=1');
    expect(post('{"a":1}', FORM).bodyOrForm.text).toBe('{"a":1}');
    expect(post('', FORM).bodyOrForm.text).toBe('');
  });

  test('are parameters after those of the query', () => {
    const request = post('visible=true&a=2', FORM, 'a=1');
    expect(request.parameter('a')).toBe('1');
    expect(request.visibleParameter).toBe(true);
    expect(post('{"visible":true}', 'application/json').visibleParameter).toBe(false);
    expect(new WireRequest('GET', 'visible=TRUE', undefined, new Uint8Array()).visibleParameter).toBe(true);
    expect(new WireRequest('GET', 'visible=1', undefined, new Uint8Array()).visibleParameter).toBe(false);
  });
});
