import { expect } from 'chai';
import { network } from 'hardhat';

const { ethers, networkHelpers } = await network.create();

describe('Helpers', () => {
  async function deployed() {
    return { counter: await ethers.deployContract('Counter') };
  }

  it('starts each test with the fixture', async () => {
    const { counter } = await networkHelpers.loadFixture(deployed);
    await counter.incBy(5);
    const { counter: again } = await networkHelpers.loadFixture(deployed);
    expect(await again.x()).to.equal(0n);
  });

  it('reads the reason of a revert', async () => {
    const { counter } = await networkHelpers.loadFixture(deployed);
    await expect(counter.incBy(0)).to.be.revertedWith('incBy: increment should be positive');
  });

  it('moves the time', async () => {
    const before = await networkHelpers.time.latest();
    await networkHelpers.time.increase(3_600);
    expect(await networkHelpers.time.latest()).to.be.at.least(before + 3_600);
  });

  it('sends from any address', async () => {
    const [, receiver] = await ethers.getSigners();
    const address = '0x00000000000000000000000000000000000a11ce';
    await networkHelpers.setBalance(address, 5_000_000n); // 5 TRX
    const impersonated = await ethers.getImpersonatedSigner(address);
    await expect(() => impersonated.sendTransaction({ to: receiver, value: 1_000_000n })).to.changeEtherBalances(
      ethers,
      [impersonated, receiver],
      [-1_000_000n, 1_000_000n],
    );
  });
});
