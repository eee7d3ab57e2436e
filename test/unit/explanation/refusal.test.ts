import { expect, it } from 'vitest';
import { nullPointerException } from '../../../src/errors/java-exception.js';
import {
  accountResourceInsufficient,
  contractValidateException,
  taposException,
} from '../../../src/errors/refusals.js';
import { dropped, refusal } from '../../../src/explanation/outcome/refusal.js';

it.each([
  [contractValidateException('no coin'), 'CONTRACT_VALIDATE_ERROR', 'Contract validate error : no coin'],
  [taposException('wrong block'), 'TAPOS_ERROR', 'Tapos check error. wrong block'],
  [accountResourceInsufficient('12 sun'), 'BANDWITH_ERROR', 'Account resource insufficient error. 12 sun'],
  [
    nullPointerException(),
    'OTHER_ERROR',
    'a null pointer in java-tron, for example when the called contract has no code',
  ],
])('a refusal has a code and all that is known, and no class of Java: %s', (exception, code, message) => {
  expect(refusal(exception)).toEqual({ code, message });
  expect(dropped(exception)).toEqual({ code, message });
});

it.each(['block-full', 'permission-changed-in-block', 'second-shielded-transfer', 'pending-too-long'] as const)(
  'a dropped transaction has a sentence: %s',
  (reason) => {
    const { code, message } = dropped(reason);
    expect(code).toMatch(/^[A-Z_]+$/);
    expect(message).toMatch(/^[a-z].* .* /);
    expect(message).not.toContain(reason);
  },
);
