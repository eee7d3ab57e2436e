// What TronBox offers its tests on a TronBox Runtime Environment: accounts, events, reasons, and each tre_ method.
const Notes = artifacts.require('./Notes.sol');

contract('Notes', (accounts) => {
  let notes;
  let now;

  before(async () => {
    notes = await Notes.deployed();
    now = async () => Number((await notes.time())[1]);
  });

  const head = async () => (await tronWeb.trx.getCurrentBlock()).block_header.raw_data.number;

  async function refusalOf(promise) {
    const error = await promise.then(
      () => undefined,
      (reason) => reason,
    );
    assert.isDefined(error, 'it was not refused');
    return String(error.message ?? error);
  }

  it('has ten accounts, which the node told of', async () => {
    assert.equal(accounts.length, 10);
    assert.equal(accounts[0], 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6');
    assert.isAbove(await tronWeb.trx.getBalance(accounts[9]), 0);
  });

  it('calls, sends, reads, and shows console.log', async () => {
    const id = await notes.note(5);
    const { receipt, log } = await waitForTransactionReceipt(id);
    assert.equal(receipt.result, 'SUCCESS');
    assert.equal(log.length, 1);
    assert.equal(Number(await notes.read()), 5);
    assert.equal(tronWeb.address.fromHex(await notes.last()), accounts[0]);
  });

  it('sends from another account', async () => {
    await waitForTransactionReceipt(await notes.note(6, { from: accounts[1] }));
    assert.equal(tronWeb.address.fromHex(await notes.last()), accounts[1]);
  });

  it('is told why a transaction failed', async () => {
    const id = await notes.note(1);
    const { receipt } = await waitForTransactionReceipt(id);
    assert.equal(receipt.result, 'REVERT');
  });

  it('waits for an event', async () => {
    const events = await tronWeb.getEventResult(notes.address, { eventName: 'Noted' });
    assert.isAtLeast((events.data ?? events).length, 2);
  });

  describe('on the runtime environment', () => {
    it('mines blocks', async () => {
      const before = await head();
      assert.equal(await tronWrap.send('tre_mine', []), '0x0');
      assert.equal(await tronWrap.send('tre_mine', [{ blocks: 5 }]), '0x0');
      assert.equal(await head(), before + 6);
      assert.match(await refusalOf(tronWrap.send('tre_mine', [{ blocks: 101 }])), /blocks should between \(0, 100\]/);
    });

    it('sets how often blocks come', async () => {
      assert.isTrue(await tronWrap.send('tre_blockTime', [3]));
      assert.isTrue(await tronWrap.send('tre_blockTime', [0]));
      assert.match(
        await refusalOf(tronWrap.send('tre_blockTime', [61])),
        /block time should between \[0, 60\] in second/,
      );
    });

    it('sets balances', async () => {
      const { address } = await tronWeb.createAccount();
      assert.isTrue(await tronWrap.send('tre_setAccountBalance', [address.base58, 1_234]));
      assert.equal(await tronWeb.trx.getBalance(address.base58), 1_234);
      assert.equal(await tronWeb.trx.getUnconfirmedBalance(address.base58), 1_234);
      assert.match(
        await refusalOf(tronWrap.send('tre_setAccountBalance', [address.base58, -1])),
        /balance can not be less than 0/,
      );
    });

    it('sets code', async () => {
      const { address } = await tronWeb.createAccount();
      assert.isTrue(await tronWrap.send('tre_setAccountCode', [address.base58, '0xbaddad42']));
      const { runtimecode } = await tronWeb.fullNode.request('wallet/getcontractinfo', { value: address.hex }, 'post');
      assert.equal(runtimecode, 'baddad42');
    });

    it('sets storage', async () => {
      assert.isTrue(await tronWrap.send('tre_setAccountStorageAt', [notes.address, 0, '0x10']));
      assert.equal(Number(await notes.count()), 16);
    });

    it('lets accounts send that nobody has the key of', async () => {
      const { address } = await tronWeb.createAccount();
      await tronWrap.send('tre_setAccountBalance', [address.base58, 1_000_000_000]);
      assert.isTrue(await tronWrap.send('tre_unlockedAccounts', [[address.base58]]));
      await waitForTransactionReceipt(await notes.note(17, { from: address.base58 }));
      assert.equal(tronWeb.address.fromHex(await notes.last()), address.base58);
    });

    it('traces a transaction in the form of TRE', async () => {
      const trace = await tronWrap.send('debug_traceTransaction', [await notes.note(18)]);
      assert.deepEqual(Object.keys(trace), ['failed', 'gas', 'structLogs', 'returnValue']);
      assert.isFalse(trace.failed);
      const [first] = trace.structLogs;
      assert.deepInclude(first, { op: 'PUSH1', pc: 0, gasCost: 3, error: '' });
      assert.match(first.gas, /^0x[0-9a-f]{16}$/);
    });

    it('shows storage', async () => {
      const block = await tronWeb.trx.getCurrentBlock();
      const range = await tronWrap.send('debug_storageRangeAt', [block.blockID, 0, notes.address, '0x00', 10]);
      assert.isTrue('nextKey' in range);
      const rows = Object.values(range.storage);
      assert.isAtLeast(rows.length, 2);
      assert.isTrue(rows.every(({ value }) => typeof value === 'string'));
    });

    it('moves time for contracts', async () => {
      const before = await now();
      await tronWrap.send('tre_setNextBlockTimestamp', [(before + 86_400) * 1_000]);
      await tronWrap.send('tre_mine', []);
      assert.isAtLeast(await now(), before + 86_400);
    });
  });
});
