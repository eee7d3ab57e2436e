export ETH_RPC_URL="${SUNUP_URL:-http://127.0.0.1:9090}/eth"

# Connect. The node signs for its own accounts.
me=$(cast rpc eth_accounts | jq -r '.[0]')
receiver=$(cast rpc eth_accounts | jq -r '.[1]')

# Send: 1 TRX is 1,000,000 sun
cast send --unlocked --from "$me" "$receiver" --value 1000000 > sent.txt
echo "receiver $(cast balance "$receiver") sun"

# Deploy
cast send --unlocked --from "$me" --json --create "0x$(jq -r .bytecode Counter.json)" > deployed.json
contract=$(jq -r .contractAddress deployed.json)
echo "contract $contract"

# Estimate, then call
echo "estimate $(cast estimate --from "$me" "$contract" 'add(uint256)' 5) gas"
cast send --unlocked --from "$me" --json "$contract" 'add(uint256)' 5 > called.json
echo "total $(cast call "$contract" 'total()(uint256)')"

# Read the events
echo "event $(jq -r '.logs[0].data' called.json)"

# Read the cost
echo "cost $(($(jq -r .gasUsed called.json | cast to-dec) * $(jq -r .effectiveGasPrice called.json | cast to-dec))) sun; sunup explain $(jq -r .transactionHash called.json | cut -c3-)"
