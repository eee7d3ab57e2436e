import { readFileSync } from 'node:fs';
import { Web3 } from 'web3';

// Connect. Sign with the key of the devnet's account 0.
const url = `${process.env.SUNUP_URL ?? 'http://127.0.0.1:9090'}/eth`;
const web3 = new Web3(url);
const [signer] = web3.eth.accounts.wallet.add('0x15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954');
const [, receiver] = await web3.eth.getAccounts();
const from = signer.address;

// Send: 1 TRX is 1,000,000 sun
await web3.eth.sendTransaction({ from, to: receiver, value: 1_000_000 });
console.log('receiver', await web3.eth.getBalance(receiver), 'sun');

// Deploy
const { abi, bytecode } = JSON.parse(readFileSync('Counter.json', 'utf8'));
const counter = await new web3.eth.Contract(abi).deploy({ data: `0x${bytecode}` }).send({ from });
console.log('contract', counter.options.address);

// Estimate, then call
console.log('estimate', await counter.methods.add(5).estimateGas({ from }), 'gas');
const socket = new Web3(url.replace('http', 'ws'));
const added = new socket.eth.Contract(abi, counter.options.address).events.Added();
await new Promise((resolve) => added.on('connected', resolve)); // the subscription is made
const told = new Promise((resolve) => added.on('data', resolve));
const receipt = await counter.methods.add(5).send({ from });
console.log('total', await counter.methods.total().call());
console.log('event', (await told).returnValues.amount);
socket.provider.disconnect();

// Read the cost
const cost = receipt.gasUsed * receipt.effectiveGasPrice;
console.log('cost', cost, 'sun; sunup explain', receipt.transactionHash.slice(2));
