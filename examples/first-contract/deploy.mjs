import { readFileSync } from 'node:fs';
import { TronWeb } from 'tronweb';

const tronWeb = new TronWeb({
  fullHost: process.env.SUNUP_URL ?? 'http://127.0.0.1:9090',
  privateKey: '15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954', // account 0
});
const { abi, bytecode } = JSON.parse(readFileSync('Counter.json', 'utf8'));

const transaction = await tronWeb.transactionBuilder.createSmartContract(
  { abi, bytecode, name: 'Counter', feeLimit: 1_000_000_000 }, // at most 1,000 TRX
  tronWeb.defaultAddress.base58,
);
const { txid } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));

console.log('contract', tronWeb.address.fromHex(transaction.contract_address));
console.log('transaction', txid);
