// What a project of Hardhat's tests does, against the node that stands where TRE would.
const { expect } = require('chai');
const { ethers, tre } = require('hardhat');
const { loadFixture, time, mine, mineUpTo } = require('@nomicfoundation/hardhat-network-helpers');

const YEAR = 365 * 24 * 60 * 60;

async function deployVault() {
  const [owner, other] = await ethers.getSigners();
  const unlockTime = (await time.latest()) + YEAR;
  const vault = await ethers.deployContract('Vault', [unlockTime], { value: 1_000n });
  return { vault, unlockTime, owner, other };
}

async function deployCoin() {
  const [owner, other] = await ethers.getSigners();
  const factory = await ethers.getContractFactory('Coin');
  return { coin: await factory.deploy(10n ** 18n), owner, other };
}

describe('Vault', () => {
  it('keeps what it was given, and who gave it', async () => {
    const { vault, unlockTime, owner } = await loadFixture(deployVault);
    expect(await vault.unlockTime()).to.equal(BigInt(unlockTime));
    expect(await vault.owner()).to.equal(owner.address);
    expect(await vault.total()).to.equal(1_000n);
    expect(await ethers.provider.getBalance(vault.target)).to.equal(1_000n);
  });

  it('has the chain id that clients of TRE know', async () => {
    const { vault } = await loadFixture(deployVault);
    const { chainId } = await ethers.provider.getNetwork();
    expect(await vault.chainId()).to.equal(chainId);
  });

  it('emits an event for a deposit', async () => {
    const { vault, other } = await loadFixture(deployVault);
    await expect(vault.connect(other).deposit({ value: 5n }))
      .to.emit(vault, 'Deposited')
      .withArgs(other.address, 5n);
    expect(await vault.total()).to.equal(1_005n);
  });

  it('is as new with the next fixture', async () => {
    const { vault } = await loadFixture(deployVault);
    expect(await vault.total()).to.equal(1_000n);
  });

  it('refuses with a reason before its time', async () => {
    const { vault } = await loadFixture(deployVault);
    await expect(vault.withdraw()).to.be.revertedWith('not yet');
  });

  it('refuses others with a custom error, and the owner not, after a year', async () => {
    const { vault, unlockTime, owner, other } = await loadFixture(deployVault);
    await time.increaseTo(unlockTime);
    await expect(vault.connect(other).withdraw())
      .to.be.revertedWithCustomError(vault, 'NotOwner')
      .withArgs(other.address, owner.address);
    await expect(vault.withdraw()).to.changeEtherBalances([vault, owner], [-1_000n, 1_000n]);
  });

  it('says when in the event', async () => {
    const { vault, unlockTime } = await loadFixture(deployVault);
    await time.setNextBlockTimestamp(unlockTime + 7);
    await expect(vault.withdraw())
      .to.emit(vault, 'Withdrawn')
      .withArgs(1_000n, unlockTime + 7);
  });

  it('panics where arithmetic does', async () => {
    const { vault } = await loadFixture(deployVault);
    await expect(vault.less(2_000n)).to.be.revertedWithPanic(0x11);
    expect(await vault.less.staticCall(1n)).to.equal(999n);
  });

  it('is not made for a time that is over', async () => {
    const [owner] = await ethers.getSigners();
    const latest = await time.latest();
    await expect(ethers.deployContract('Vault', [latest - 1], owner)).to.be.revertedWith('unlock time is in the past');
  });
});

describe('Coin', () => {
  it('moves between accounts', async () => {
    const { coin, owner, other } = await loadFixture(deployCoin);
    await expect(coin.transfer(other.address, 25n)).to.changeTokenBalances(coin, [owner, other], [-25n, 25n]);
    await expect(coin.transfer(other.address, 5n)).to.changeTokenBalance(coin, other, 5n);
    await expect(coin.connect(other).transfer(owner.address, 31n)).to.be.revertedWithPanic(0x11);
    await expect(coin.connect(other).transfer(owner.address, 30n)).not.to.be.reverted;
  });
});

describe('blocks and time', () => {
  it('are made, counted and jumped over', async () => {
    const { vault } = await loadFixture(deployVault);
    const number = await time.latestBlock();
    await mine(3);
    expect(await time.latestBlock()).to.equal(number + 3);
    await mineUpTo(number + 5);
    expect(await ethers.provider.getBlockNumber()).to.equal(number + 5);
    const before = await time.latest();
    const after = await time.increase(3_600);
    expect(after).to.equal(before + 3_600);
    expect((await ethers.provider.getBlock('latest')).timestamp).to.equal(after);
    const [height, second] = await vault.now_();
    expect(Number(height)).to.be.at.least(number + 6);
    expect(Number(second)).to.be.at.least(after);
  });

  it('never give two blocks one moment', async () => {
    const { vault } = await loadFixture(deployVault);
    const { tronWeb } = tre.makeTronWeb();
    const moments = [];
    for (let i = 0; i < 3; i++) {
      await (await vault.deposit({ value: 1n })).wait();
      moments.push((await tronWeb.trx.getCurrentBlock()).block_header.raw_data.timestamp);
    }
    expect(moments[1]).to.be.greaterThan(moments[0]);
    expect(moments[2]).to.be.greaterThan(moments[1]);
  });
});
