import { TronWeb } from 'tronweb';

const tronWeb = new TronWeb({
  fullHost: process.env.SUNUP_URL ?? 'http://127.0.0.1:9090',
  privateKey: '9b6ac6a6faf1dc64240f654475a7e668141e4205262367feb7269ef332113929', // account 1
});
const account = tronWeb.defaultAddress.base58;
const [trx] = process.argv.slice(2);

const transaction = await tronWeb.transactionBuilder.freezeBalanceV2(Number(trx) * 1_000_000, 'ENERGY', account);
await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));

const { EnergyLimit } = await tronWeb.trx.getAccountResources(account);
console.log(`${trx} TRX staked: ${EnergyLimit} Energy a day`);
