const Notes = artifacts.require('./Notes.sol');

contract('Notes', (accounts) => {
  it('keeps the last note and its author', async () => {
    const notes = await Notes.deployed();
    await notes.note(5);
    assert.equal(Number(await notes.read()), 5);
    assert.equal(tronWeb.address.fromHex(await notes.last()), accounts[0]);
  });

  it('refuses a note that is not larger than the last one', async () => {
    const notes = await Notes.deployed();
    const { receipt } = await waitForTransactionReceipt(await notes.note(5));
    assert.equal(receipt.result, 'REVERT');
  });
});
