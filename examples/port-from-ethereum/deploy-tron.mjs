import { readFileSync } from 'node:fs';
import { TronWeb } from 'tronweb';

// The artifact that Hardhat or Foundry wrote, and the URL of the node.
const [file, fullHost] = process.argv.slice(2);
const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8'));

const tronWeb = new TronWeb({ fullHost, privateKey: process.env.TRON_KEY });
const contract = await tronWeb.contract().new({
  abi,
  bytecode: bytecode.object ?? bytecode,
  name: 'Counter',
  feeLimit: 1_000_000_000, // sun
});
console.log('contract', tronWeb.address.fromHex(contract.address));
console.log('as 20 bytes', `0x${contract.address.slice(2)}`);
