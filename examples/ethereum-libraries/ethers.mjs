import { readFileSync } from 'node:fs';
import { ContractFactory, HDNodeWallet, JsonRpcProvider, WebSocketProvider } from 'ethers';

// Connect. Sign with the key of the devnet's first account.
const url = `${process.env.SUNUP_URL ?? 'http://127.0.0.1:9090'}/eth`;
const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 }); // always asks for the nonce
const phrase = 'test test test test test test test test test test test junk';
const signer = HDNodeWallet.fromPhrase(phrase, '', "m/44'/195'/0'/0/0").connect(provider);
const receiver = await provider.getSigner(1);

// Send: 1 TRX is 1,000,000 sun
const sent = await signer.sendTransaction({ to: receiver.address, value: 1_000_000n });
await sent.wait();
console.log('receiver', await provider.getBalance(receiver.address), 'sun');

// Deploy
const { abi, bytecode } = JSON.parse(readFileSync('Counter.json', 'utf8'));
const counter = await new ContractFactory(abi, bytecode, signer).deploy();
await counter.waitForDeployment();
console.log('contract', await counter.getAddress());

// Estimate, then call
console.log('estimate', await counter.add.estimateGas(5), 'gas');
const socket = new WebSocketProvider(url.replace('http', 'ws'));
const told = new Promise((resolve) => counter.connect(socket).once('Added', (_by, amount) => resolve(amount)));
await socket.send('eth_chainId', []); // the subscription is made
const receipt = await (await counter.add(5)).wait();
console.log('total', await counter.total());
console.log('event', await told);

// Read the cost
console.log('cost', receipt.gasUsed * receipt.gasPrice, 'sun; sunup explain', receipt.hash.slice(2));
await socket.destroy();
provider.destroy();
