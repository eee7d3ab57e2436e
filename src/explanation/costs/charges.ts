/** Charges as plain data, for events and reports. */

import type { Charge } from '../../ledger/charging/charges.js';
import { toBase58 } from '../../protocol/address.js';
import type { ChargeReport } from '../model/explanation.js';

export function chargeReport({ payer, amount, units, unitPriceSun, left, ...rest }: Charge): ChargeReport {
  return {
    payer: toBase58(payer),
    ...rest,
    amount,
    ...(units !== undefined && { units }),
    ...(unitPriceSun !== undefined && { unitPriceSun }),
    ...(left !== undefined && { left }),
  };
}
