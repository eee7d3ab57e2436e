/** Charges as plain data, for whoever is told of a transaction. */

import type { Charge } from '../../ledger/charging/charges.js';
import { toBase58 } from '../../protocol/address.js';
import { amountOf } from '../model/amount.js';
import type { ChargeReport } from '../model/explanation.js';

export function chargeReport({ payer, amount, units, unitPriceSun, left, ...rest }: Charge): ChargeReport {
  return {
    payer: toBase58(payer),
    ...rest,
    amount: amountOf(amount),
    ...(units !== undefined && { units: amountOf(units) }),
    ...(unitPriceSun !== undefined && { unitPriceSun: amountOf(unitPriceSun) }),
    ...(left !== undefined && {
      left: Object.fromEntries(Object.entries(left).map(([source, value]) => [source, amountOf(value)])),
    }),
  };
}
