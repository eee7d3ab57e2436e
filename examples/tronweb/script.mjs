import { readFileSync } from 'node:fs';
import { TronWeb } from 'tronweb';

// Connect
const tronWeb = new TronWeb({
  fullHost: process.env.SUNUP_URL ?? 'http://127.0.0.1:9090',
  privateKey: '15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954', // account 0
});
const me = tronWeb.defaultAddress.base58;
const receiver = 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C'; // account 1
console.log('balance', await tronWeb.trx.getBalance(me), 'sun');

// Send
const sent = await tronWeb.trx.sendTransaction(receiver, 1_000_000);
if (!sent.result) throw new Error(tronWeb.toUtf8(sent.message));
console.log('receiver', await tronWeb.trx.getBalance(receiver), 'sun');

// Deploy
const { abi, bytecode } = JSON.parse(readFileSync('Counter.json', 'utf8'));
const counter = await tronWeb.contract().new({ abi, bytecode, name: 'Counter', feeLimit: 1_000_000_000 });
console.log('contract', tronWeb.address.fromHex(counter.address));

// Estimate, then call
const { energy_required } = await tronWeb.transactionBuilder.estimateEnergy(
  counter.address,
  'add(uint256)',
  {},
  [{ type: 'uint256', value: 5 }],
  me,
);
console.log('estimate', energy_required, 'Energy');
const txid = await counter.add(5).send({ feeLimit: 100_000_000 });
console.log('total', await counter.total().call());

// Read the events
const { data: events } = await tronWeb.event.getEventsByTransactionID(txid);
console.log('event', events[0].event_name, events[0].result.amount);

// Read the cost
const { fee, receipt } = await tronWeb.trx.getUnconfirmedTransactionInfo(txid);
console.log('cost', fee, 'sun for', receipt.energy_usage_total, 'Energy and', receipt.net_fee ?? 0, 'sun of Bandwidth');
