import { describe, expect, test } from 'vitest';
import { validateAddress } from '../../../src/http/validate-address.js';
import { WireRequest } from '../../../src/http/wire-request.js';
import { endpointOf, recordedForms, wireRequestOf } from '../../wire/http-forms.js';

const ask = (address: string) =>
  validateAddress(new WireRequest('GET', new URLSearchParams({ address }).toString(), undefined, new Uint8Array()));

describe('validateaddress', () => {
  test.each(recordedForms().filter((form) => endpointOf(form) === 'validateaddress'))('$method $path $body', (form) => {
    expect(validateAddress(wireRequestOf(form))).toBe(form.response);
  });

  test.each([
    ['41f8c6364accdf28536647dbfc8b7c36e32990f76c', '{"result":true,"message":"Hex string format"}\n'],
    ['TYec2edao84FmxFvMta3jDyDiHtcK6Ywa6', '{"result":true,"message":"Base58check format"}\n'],
    ['QfjGNkrM3yhTZkfb/It8NuMpkPds', '{"result":true,"message":"Base64 format"}\n'],
    ['TYec2edao84FmxFvMta3jDyDiHtcK6Ywax', '{"result":false,"message":"Invalid address"}\n'],
    ['TYec2edao84FmxFvMta3jDyDiHtcK6Yw0x', '{"result":false,"message":"Illegal character 0 at 32"}\n'],
    ['0x41f8c6364accdf28536647dbfc8b7c36e32990f76c', '{"result":false,"message":"Length error"}\n'],
  ])('%s', (address, answer) => {
    expect(ask(address)).toBe(answer);
  });

  test('what is no JSON object is answered by nothing', () => {
    for (const body of ['', '{', '[]', 'address=x']) {
      expect(validateAddress(new WireRequest('POST', '', 'application/json', Buffer.from(body)))).toBe('');
    }
  });
});
