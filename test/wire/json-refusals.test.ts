import { describe, expect, test } from 'vitest';
import { JavaException } from '../../src/errors/java-exception.js';
import { readBody } from '../../src/http/table.js';
import { messageTypes } from '../unit/protocol/message-types.js';
import { endpointOf, errorOf, type RecordedForm, recordedForms, wireRequestOf } from './http-forms.js';

/** Endpoints whose body both parsers read as one message, with that message. */
const MESSAGE_OF: Readonly<Record<string, string>> = {
  accountpermissionupdate: 'AccountPermissionUpdateContract',
  cancelallunfreezev2: 'CancelAllUnfreezeV2Contract',
  clearabi: 'ClearABIContract',
  createaccount: 'AccountCreateContract',
  createassetissue: 'AssetIssueContract',
  createtransaction: 'TransferContract',
  createwitness: 'WitnessCreateContract',
  delegateresource: 'DelegateResourceContract',
  exchangecreate: 'ExchangeCreateContract',
  freezebalance: 'FreezeBalanceContract',
  freezebalancev2: 'FreezeBalanceV2Contract',
  getaccount: 'Account',
  getaccountbalance: 'AccountBalanceRequest',
  getaccountbyid: 'Account',
  getaccountnet: 'Account',
  getavailableunfreezecount: 'GetAvailableUnfreezeCountRequestMessage',
  getblockbalance: 'BlockBalanceTrace.BlockIdentifier',
  getblockbyid: 'BytesMessage',
  getblockbynum: 'NumberMessage',
  getcandelegatedmaxsize: 'CanDelegatedMaxSizeRequestMessage',
  getcanwithdrawunfreezeamount: 'CanWithdrawUnfreezeAmountRequestMessage',
  getdelegatedresourcev2: 'DelegatedResourceMessage',
  gettransactionbyid: 'BytesMessage',
  gettransactioninfobyblocknum: 'NumberMessage',
  proposalcreate: 'ProposalCreateContract',
  setaccountid: 'SetAccountIdContract',
  transferasset: 'TransferAssetContract',
  unfreezebalancev2: 'UnfreezeBalanceV2Contract',
  updateBrokerage: 'UpdateBrokerageContract',
  updateaccount: 'AccountUpdateContract',
  votewitnessaccount: 'VoteWitnessContract',
};
const RAW = new Set(['createtransaction', 'proposalcreate', 'setaccountid', 'transferasset', 'votewitnessaccount']);
const codecs = new Map(messageTypes.map((type) => [type.fullName, type.codec]));

function refusalOf(form: RecordedForm): string | undefined {
  const endpoint = endpointOf(form);
  const codec = codecs.get(`protocol.${MESSAGE_OF[endpoint]}`)!;
  try {
    readBody(codec, wireRequestOf(form), RAW.has(endpoint) ? 'raw' : 'form');
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(JavaException);
    return (error as JavaException).wireText;
  }
}

const forms = recordedForms().filter((form) => form.method === 'POST' && endpointOf(form) in MESSAGE_OF);
const refused = forms.filter((form) => /fastjson|ParseException/.test(errorOf(form) ?? ''));
const accepted = forms.filter((form) => errorOf(form) === undefined);

describe('the two parsers of a request body answer as the recorded node', () => {
  test('there are enough recordings', () => {
    expect(refused.length).toBeGreaterThan(150);
    expect(accepted.length).toBeGreaterThan(50);
  });

  test.each(refused)('$path $body', (form) => {
    expect(refusalOf(form)).toBe(errorOf(form));
  });

  test('bodies that the node accepted are accepted', () => {
    for (const form of accepted) {
      expect(refusalOf(form), `${form.path} ${form.body}`).toBeUndefined();
    }
  });
});
