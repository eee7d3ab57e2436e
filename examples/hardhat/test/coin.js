const { expect } = require('chai');
const { ethers } = require('hardhat');
const { loadFixture, time } = require('@nomicfoundation/hardhat-network-helpers');

const SUPPLY = 1_000_000n;

async function deployed() {
  const [owner, other] = await ethers.getSigners();
  return { coin: await ethers.deployContract('Coin', [SUPPLY]), owner, other };
}

describe('Coin', () => {
  it('sends coins and emits an event', async () => {
    const { coin, owner, other } = await loadFixture(deployed);
    await expect(coin.transfer(other.address, 5n)).to.emit(coin, 'Transfer').withArgs(owner.address, other.address, 5n);
    expect(await coin.balanceOf(other.address)).to.equal(5n);
  });

  it('starts each test with the fixture', async () => {
    const { coin, owner } = await loadFixture(deployed);
    expect(await coin.balanceOf(owner.address)).to.equal(SUPPLY);
  });

  it('refuses more than there is', async () => {
    const { coin, other } = await loadFixture(deployed);
    await expect(coin.connect(other).transfer(other.address, 1n)).to.be.revertedWithPanic(0x11);
  });

  it('moves the time', async () => {
    const before = await time.latest();
    await time.increase(3_600);
    expect(await time.latest()).to.be.at.least(before + 3_600);
  });
});
