import { readFileSync } from 'node:fs';
import { Contract, ContractFactory, JsonRpcProvider, WebSocketProvider } from 'ethers';

// Connect. The node signs for its own accounts.
const url = `${process.env.SUNUP_URL ?? 'http://127.0.0.1:9090'}/eth`;
const provider = new JsonRpcProvider(url);
const signer = await provider.getSigner(0);
const receiver = await provider.getSigner(1);

// Send: 1 TRX is 1,000,000 sun
const sent = await signer.sendTransaction({ to: receiver.address, value: 1_000_000n });
await sent.wait();
console.log('receiver', await provider.getBalance(receiver.address), 'sun');

// Deploy. TRON computes the address otherwise than Ethereum: take it from the receipt.
const { abi, bytecode } = JSON.parse(readFileSync('Counter.json', 'utf8'));
const deployment = await new ContractFactory(abi, bytecode, signer).getDeployTransaction();
const { contractAddress } = await (await signer.sendTransaction(deployment)).wait();
const counter = new Contract(contractAddress, abi, signer);
console.log('contract', contractAddress);

// Estimate, then call
console.log('estimate', await counter.add.estimateGas(5), 'Energy');
const socket = new WebSocketProvider(url.replace('http', 'ws'));
const told = new Promise((resolve) => counter.connect(socket).once('Added', (_by, amount) => resolve(amount)));
await socket.send('eth_chainId', []); // the subscription is made
const receipt = await (await counter.add(5)).wait();
console.log('total', await counter.total());
console.log('event', await told);

// Read the cost
console.log('cost', receipt.gasUsed, 'Energy; sunup explain', receipt.hash.slice(2));
await socket.destroy();
provider.destroy();
