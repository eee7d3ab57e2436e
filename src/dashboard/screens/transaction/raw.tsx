/** The transaction and its receipt as the node has them, and the requests that answer the same. */

import type { ReceiptAnswer, TransactionAnswer } from '../../chain/answers.js';
import { base } from '../../chain/ask.js';
import { Code } from '../../parts/code.js';

export function Raw({
  transaction,
  receipt,
}: {
  readonly transaction: TransactionAnswer;
  readonly receipt: Partial<ReceiptAnswer>;
}) {
  const { txID } = transaction;
  const curl = ['gettransactionbyid', 'gettransactioninfobyid']
    .map((method) => `curl -s ${base}wallet/${method} -d '{"value":"${txID}","visible":true}'`)
    .join('\n');
  const tronWeb = [
    "import { TronWeb } from 'tronweb';",
    '',
    `const tronWeb = new TronWeb({ fullHost: '${base.replace(/\/$/, '')}' });`,
    `console.log(await tronWeb.trx.getTransaction('${txID}'));`,
    `console.log(await tronWeb.trx.getUnconfirmedTransactionInfo('${txID}'));`,
  ].join('\n');
  return (
    <>
      <Code title="Transaction" text={JSON.stringify(transaction, undefined, 2)} />
      <Code title="Receipt" text={JSON.stringify(receipt, undefined, 2)} />
      <Code title="curl" text={curl} />
      <Code title="TronWeb" text={tronWeb} />
    </>
  );
}
