// Every helper that the plugin exports: hre.tre, its modules, and what it puts in the place of Hardhat's own.
const path = require('node:path');
const { expect } = require('chai');
const hre = require('hardhat');
const helpers = require('@nomicfoundation/hardhat-network-helpers');
const cheatcodes = require('@openzeppelin/hardhat-tron/cheatcodes');
const signers = require('@openzeppelin/hardhat-tron/signers');
const time = require('@openzeppelin/hardhat-tron/time');

const { ethers, tre } = hre;
const VAULT = path.join(hre.config.paths.artifacts, 'contracts/Vault.sol/Vault.json');
const NOBODY = '0x00000000000000000000000000000000000000aa';
const balanceOf = (address) => ethers.provider.getBalance(address);

describe('hre.tre', () => {
  const { tronWeb, address } = tre.makeTronWeb();

  it('names the instance of the node', async () => {
    const id = await tre.instanceId();
    expect(id).to.match(/^0x[0-9a-f]{64}$/);
    expect((await tre.rpcCall(tronWeb, 'tre_instanceId', [])).result).to.equal(id);
    const metadata = await hre.network.provider.request({ method: 'hardhat_metadata', params: [] });
    expect(metadata).to.include({ clientVersion: 'hardhat-tron', chainId: 3360022319, instanceId: id });
  });

  it('mines, and sets the time between blocks', async () => {
    const number = await time.latestBlock(tronWeb);
    expect(await tre.mine(tronWeb)).to.deep.equal({ supported: true, result: '0x0' });
    expect(await time.latestBlock(tronWeb)).to.equal(number + 1);
    expect(await tre.setBlockTime(tronWeb, 0)).to.deep.equal({ supported: true, result: true });
    expect((await tre.setBlockTime(tronWeb, 61)).reason).to.equal('block time should between [0, 60] in second');
  });

  it('takes a snapshot and goes back to it, once', async () => {
    const { result: id } = await tre.snapshot(tronWeb);
    const before = await balanceOf(NOBODY);
    expect((await tre.setAccountBalance(tronWeb, NOBODY, 77n)).supported).to.equal(true);
    expect(await balanceOf(NOBODY)).to.equal(77n);
    expect(await tre.revert(tronWeb, id)).to.deep.equal({ supported: true, result: true });
    expect(await balanceOf(NOBODY)).to.equal(before);
    expect((await tre.revert(tronWeb, id)).reason).to.equal(`unknown snapshot id: ${id}`);
    const { result: other } = await tre.snapshot(tronWeb);
    expect((await tre.rpcCall(tronWeb, 'tre_dropSnapshot', [other])).result).to.equal(true);
  });

  it('sets balances whose sum no 64 bits hold', async () => {
    await ethers.getSigners();
    await signers.refundSigners(hre);
    const all = await signers.buildSigners(hre);
    expect(all).to.have.length(signers.SIGNER_COUNT);
    const balances = await Promise.all(all.map((one) => balanceOf(one.address)));
    expect(balances.every((balance) => balance === signers.DEFAULT_BALANCE_SUN)).to.equal(true);
    const [first, second] = all;
    const sent = await first.sendTransaction({ to: second.address, value: 10n ** 18n });
    await sent.wait();
    expect(await balanceOf(second.address)).to.equal(signers.DEFAULT_BALANCE_SUN + 10n ** 18n);
    await signers.refundSigners(hre);
    expect(await balanceOf(second.address)).to.equal(signers.DEFAULT_BALANCE_SUN);
  });

  it('sets code and storage', async () => {
    // Answers what is in slot 5: PUSH1 5 SLOAD PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN.
    const code = '0x60055460005260206000f3';
    expect((await tre.setAccountCode(tronWeb, NOBODY, code)).supported).to.equal(true);
    const value = `0x${'ab'.repeat(32)}`;
    expect((await tre.setAccountStorageAt(tronWeb, NOBODY, '0x5', value)).supported).to.equal(true);
    expect(await ethers.provider.getStorage(NOBODY, 5n)).to.equal(value);
    expect(await ethers.provider.call({ to: NOBODY, data: '0x' })).to.equal(value);
    expect(await ethers.provider.getCode(NOBODY)).to.equal(code);
  });

  it('deploys an artifact, at once and from a transaction that was made before', async () => {
    const artifact = tre.loadArtifact(VAULT);
    const parameters = [(await time.latest(tronWeb)) + 100];
    const one = await tre.deployContract(tronWeb, address, artifact, { parameters, callValue: 3 });
    expect(one.info.receipt.result).to.equal('SUCCESS');
    expect(await tre.waitForReceipt(tronWeb, one.txId)).to.have.property('receipt');
    const { signedTx, predictedAddressTron } = await tre.prebuildDeploy(tronWeb, address, artifact, { parameters });
    const other = await tre.submitPrebuilt(tronWeb, signedTx);
    expect(other.address).to.equal(predictedAddressTron);
  });

  it('lets unlocked accounts send without a key', async () => {
    const account = ethers.Wallet.createRandom().address;
    await tre.setAccountBalance(tronWeb, account, 10_000_000n);
    expect(await tre.unlockAccounts(tronWeb, [signers.toBase58(account)])).to.deep.equal({
      supported: true,
      result: true,
    });
    await cheatcodes.sendTransferTx(tronWeb, {
      fromBase58: signers.toBase58(account),
      toBase58: signers.toBase58(NOBODY),
      value: 4n,
      multisig: true,
    });
    expect(await balanceOf(account)).to.be.lessThan(10_000_000n);
  });
});

describe("Hardhat's own helpers", () => {
  it('impersonate a contract', async () => {
    const [owner] = await ethers.getSigners();
    const unlock = (await helpers.time.latest()) + 50;
    const vault = await ethers.deployContract('Vault', [unlock], { value: 9n });
    const other = await ethers.deployContract('Vault', [unlock]);
    await helpers.setBalance(other.target, 1_000_000_000n);
    await helpers.impersonateAccount(other.target);
    const signer = await ethers.getSigner(other.target);
    await expect(vault.connect(signer).deposit({ value: 2n }))
      .to.emit(vault, 'Deposited')
      .withArgs(other.target, 2n);
    await helpers.time.increaseTo(unlock);
    await expect(vault.connect(signer).withdraw())
      .to.be.revertedWithCustomError(vault, 'NotOwner')
      .withArgs(other.target, owner.address);
    await helpers.stopImpersonatingAccount(other.target);
    let refusal;
    await vault
      .connect(signer)
      .deposit({ value: 2n })
      .catch((error) => {
        refusal = error;
      });
    expect(refusal?.message).to.match(/SIGERROR/);
  });

  it('set code, storage and balance', async () => {
    const at = '0x00000000000000000000000000000000000000bb';
    await helpers.setCode(at, '0x60055460005260206000f3');
    await helpers.setStorageAt(at, 5n, 42n);
    await helpers.setBalance(at, 6n);
    expect(BigInt(await helpers.getStorageAt(at, 5n))).to.equal(42n);
    expect(await balanceOf(at)).to.equal(6n);
  });

  it('make blocks by the names that Hardhat has for it', async () => {
    const { provider } = hre.network;
    const number = await helpers.time.latestBlock();
    expect(await provider.send('evm_mine', [])).to.equal('0x0');
    const second = await helpers.time.latest();
    expect(await provider.send('evm_increaseTime', [60])).to.equal(60);
    expect(await helpers.time.latest()).to.equal(second + 60);
    const id = await provider.send('evm_snapshot', []);
    await provider.send('evm_setNextBlockTimestamp', [second + 600]);
    await helpers.time.advanceBlock?.();
    await provider.send('evm_mine', []);
    expect(await provider.send('evm_revert', [id])).to.equal(true);
    expect(await helpers.time.latestBlock()).to.equal(number + 2);
  });

  it('say where a contract will be before it is there', async () => {
    const [signer] = await ethers.getSigners();
    const args = [(await helpers.time.latest()) + 100];
    const predicted = await signer.predictAddress('Vault', args, { hre });
    const vault = await ethers.deployContract('Vault', args, signer);
    expect(vault.target).to.equal(predicted);
  });

  it('estimate, and read signed messages', async () => {
    const coin = await ethers.deployContract('Coin', [100n]);
    const [signer] = await ethers.getSigners();
    const data = coin.interface.encodeFunctionData('transfer', [NOBODY, 1n]);
    const request = { from: signer.address, to: coin.target, data };
    expect(await ethers.provider.estimateGas(request)).to.be.greaterThan(20_000n);
    const gas = await hre.network.provider.send('eth_estimateGas', [request]);
    expect(BigInt(gas)).to.be.greaterThan(20_000n);
    expect(ethers.verifyMessage('hello', await signer.signMessage('hello'))).to.equal(signer.address);
  });
});
