/**
 * What rows ask for and answer beyond their messages: members that a request has beside them, answers that are no
 * message. By the row's name, which is its path; protocol/http-endpoints.md#endpoint-details says the same in words.
 */

import { Return } from '../protocol/generated/api.js';
import { TransferContract } from '../protocol/generated/balance-contract.js';
import { ResourceReceipt, Transaction, TransactionInfo } from '../protocol/generated/tron.js';
import type { MessageSchemas } from './message-schemas.js';
import { allMembers, hex, integer, list, members, type Schema, text, truth } from './schema.js';

type Members = Readonly<Record<string, Schema>>;

const MEMO: Members = { extra_data: text('Memo: hex, or text with visible') };
const PERMISSION: Members = { Permission_id: integer('Which permission of the account it will be signed with') };
const CALL: Members = {
  function_selector: text('transfer(address,uint256): its hash is put in front of parameter'),
  parameter: hex('The encoded arguments'),
};

/** In the body, beside the fields of the row's message. */
export const FURTHER_MEMBERS: Readonly<Record<string, Members>> = {
  createtransaction: MEMO,
  transferasset: MEMO,
  marketsellasset: MEMO,
  marketcancelorder: MEMO,
  triggersmartcontract: { ...CALL, ...PERMISSION, fee_limit: integer('Sun') },
  triggerconstantcontract: { ...CALL, ...PERMISSION, ...MEMO },
  estimateenergy: CALL,
};

/** Bodies that are not the fields of the row's message. */
export const BODIES: Readonly<Record<string, (messages: MessageSchemas) => Members>> = {
  deploycontract: () => ({
    owner_address: text(),
    abi: { anyOf: [list({ type: 'object' }), text()], description: 'As the compiler wrote it; also as text' },
    bytecode: hex(),
    parameter: hex('Encoded arguments of the constructor'),
    name: text(),
    fee_limit: integer('Sun'),
    call_value: integer('Sun'),
    consume_user_resource_percent: integer('0 to 100: what of the Energy callers pay'),
    origin_energy_limit: integer('Energy that the deployer pays of one call at most'),
    token_id: integer(),
    call_token_value: integer(),
    ...PERMISSION,
  }),
  broadcasthex: () => ({ transaction: hex('protocol.Transaction, signed') }),
  getReward: () => ({ address: text() }),
  getBrokerage: () => ({ address: text() }),
  getproposalbyid: () => ({ id: integer() }),
  getexchangebyid: () => ({ id: integer() }),
  getassetissuebyid: () => ({ value: text('Id of the token') }),
  getaccount: () => ({ address: text() }),
  getaccountbyid: () => ({ account_id: text('Hex, or text with visible') }),
  getaccountresource: () => ({ address: text() }),
  getaccountnet: () => ({ address: text() }),
  getassetissuebyaccount: () => ({ address: text() }),
  validateaddress: () => ({ address: text('Hex, base58 or base64') }),
  createCommonTransaction: (messages) => ({
    contractType: text('TransferContract, …; beside it stand the fields of that message, here those of a transfer'),
    ...messages.fields(TransferContract.type),
    permissionId: integer(),
    feeLimit: integer(),
  }),
  mine: () => ({
    blocks: integer('How many blocks'),
    advanceMs: integer('Milliseconds that pass'),
    timestampMs: integer('The time of the next block'),
  }),
  revert: () => ({ id: text('As snapshot answered it') }),
  load: () => ({ dump: text('base64') }),
  explain: () => ({ txid: text(), whatIf: text('getEnergyFee=210 and the like; docs/how-to/what-if.md') }),
  trace: () => ({ txid: text(), lines: truth(), profile: { type: 'string', enum: ['function', 'line'] } }),
  snapshot: () => ({}),
  progress: () => ({}),
  dump: () => ({}),
};

/** Nothing but these members, of which the first are always there. */
const withOptional = (always: Members, sometimes: Members): Schema => ({
  ...members({ ...always, ...sometimes }),
  required: Object.keys(always),
});

/** An object whose members are said elsewhere. */
const open = (description: string): Schema => ({ type: 'object', description });

/** Answers that are not the row's message, or nothing. */
export const ANSWERS: Readonly<Record<string, (messages: MessageSchemas) => Schema>> = {
  getReward: () => members({ reward: integer('Sun') }),
  getBrokerage: () => members({ brokerage: integer('Percent') }),
  getburntrx: () => members({ burnTrxAmount: integer('Sun') }),
  getpendingsize: () => members({ pendingSize: integer() }),
  gettransactioncountbyblocknum: () => members({ count: integer() }),
  totaltransaction: () => members({ num: integer() }),
  getstatsinfo: () => members({}),
  validateaddress: () => members({ result: truth(), message: text() }),
  getnodeinfo: () => open('The node, its settings and its machine, as java-tron shows them'),
  gettransactioninfobyblocknum: (messages) => ({ anyOf: [list(messages.of(TransactionInfo.type)), members({})] }),
  broadcasttransaction: (messages) => members({ ...messages.fields(Return.type), txid: hex() }),
  broadcasthex: (messages) =>
    members({ ...messages.fields(Return.type), txid: hex(), transaction: text('The transaction as JSON, in a text') }),
  gettransactionreceiptbyid: (messages) => members({ Receipt: messages.of(ResourceReceipt.type) }),
  gettransactionbyid: (messages) => messages.of(Transaction.type),
  gettransactionfrompending: (messages) => messages.of(Transaction.type),
  mine: () =>
    withOptional(
      {
        number: integer('The head'),
        id: hex(),
        timestampMs: integer(),
        blocks: integer('How many were made'),
        epochs: integer('How many ended on the way, by the clock'),
        maintenances: integer('How many of the blocks ended one'),
      },
      {
        lateMs: integer('Where time was let pass: by how much the head is later than was asked for'),
        aheadMs: integer('Interval mining: by how much the head is ahead of the clock'),
      },
    ),
  progress: () =>
    members({
      name: text('mine, reorg, load, …'),
      progress: members({ done: integer(), total: integer(), unit: text('blocks, epochs, steps, ms') }),
    }),
  snapshot: () => allMembers({ id: text() }),
  revert: () => allMembers({ number: integer(), id: hex(), timestampMs: integer() }),
  load: () => allMembers({ number: integer(), id: hex(), timestampMs: integer() }),
  dump: () => allMembers({ number: integer(), id: hex(), timestampMs: integer(), dump: text('base64') }),
  explain: () => open('docs/reference/explain.md has every member with its unit'),
  trace: () => open('docs/reference/traces.md'),
};
