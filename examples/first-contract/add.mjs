import { readFileSync } from 'node:fs';
import { TronWeb } from 'tronweb';

const tronWeb = new TronWeb({
  fullHost: process.env.SUNUP_URL ?? 'http://127.0.0.1:9090',
  privateKey: '9b6ac6a6faf1dc64240f654475a7e668141e4205262367feb7269ef332113929', // account 1
});
const { abi } = JSON.parse(readFileSync('Counter.json', 'utf8'));
const [address, amount] = process.argv.slice(2);

const counter = tronWeb.contract(abi, address);
const txid = await counter.add(amount).send({ feeLimit: 100_000_000 }); // at most 100 TRX

console.log('transaction', txid);
console.log('total', await counter.total().call());
