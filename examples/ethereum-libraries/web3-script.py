import json
import os

from web3 import Web3
from web3.middleware import SignAndSendRawMiddlewareBuilder

# Connect. Sign with the key of the devnet's account 0.
web3 = Web3(Web3.HTTPProvider(os.environ.get("SUNUP_URL", "http://127.0.0.1:9090") + "/eth"))
signer = web3.eth.account.from_key("0x15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954")
web3.middleware_onion.inject(SignAndSendRawMiddlewareBuilder.build(signer), layer=0)
web3.eth.default_account = signer.address
receiver = web3.eth.accounts[1]

# Send: 1 TRX is 1,000,000 sun
web3.eth.wait_for_transaction_receipt(web3.eth.send_transaction({"to": receiver, "value": 1_000_000}))
print("receiver", web3.eth.get_balance(receiver), "sun")

# Deploy
with open("Counter.json") as file:
    artifact = json.load(file)
deployed = web3.eth.contract(abi=artifact["abi"], bytecode=artifact["bytecode"]).constructor().transact()
address = web3.eth.wait_for_transaction_receipt(deployed)["contractAddress"]
counter = web3.eth.contract(address=address, abi=artifact["abi"])
print("contract", address)

# Estimate, then call
print("estimate", counter.functions.add(5).estimate_gas(), "gas")
receipt = web3.eth.wait_for_transaction_receipt(counter.functions.add(5).transact())
print("total", counter.functions.total().call())

# Read the events
for event in counter.events.Added().process_receipt(receipt):
    print("event", event["event"], event["args"]["amount"])

# Read the cost
cost = receipt["gasUsed"] * receipt["effectiveGasPrice"]
print("cost", cost, "sun; sunup explain", receipt["transactionHash"].hex())
