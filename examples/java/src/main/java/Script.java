import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.tron.trident.abi.FunctionEncoder;
import org.tron.trident.abi.datatypes.Function;
import org.tron.trident.abi.datatypes.generated.Uint256;
import org.tron.trident.core.ApiWrapper;
import org.tron.trident.core.transaction.TransactionBuilder;
import org.tron.trident.proto.Response.TransactionExtention;
import org.tron.trident.proto.Response.TransactionInfo;
import org.tron.trident.utils.Base58Check;

public class Script {
  static final String KEY = "15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954"; // account 0
  static final String RECEIVER = "TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C"; // account 1

  static ApiWrapper node;

  static TransactionInfo send(TransactionExtention built) throws Exception {
    return node.getTransactionInfoById(node.broadcastTransaction(node.signTransaction(built)));
  }

  public static void main(String[] arguments) throws Exception {
    // Connect: Trident speaks gRPC
    String full = System.getenv().getOrDefault("SUNUP_GRPC", "127.0.0.1:50051");
    String solidity = System.getenv().getOrDefault("SUNUP_GRPC_SOLIDITY", "127.0.0.1:50052");
    node = new ApiWrapper(full, solidity, KEY);
    String me = node.keyPair.toBase58CheckAddress();
    System.out.println("balance " + node.getAccountBalance(me) + " sun");

    // Send
    send(node.transfer(me, RECEIVER, 1_000_000));
    System.out.println("receiver " + node.getAccountBalance(RECEIVER) + " sun");

    // Deploy
    String abi = Files.readString(Path.of("Counter.abi"));
    String bytecode = Files.readString(Path.of("Counter.bin")).strip();
    TransactionInfo deployed =
        send(node.deployContract("Counter", abi, bytecode, List.of(), 1_000_000_000L, 100, 10_000_000L, 0, "", 0));
    String counter = Base58Check.bytesToBase58(deployed.getContractAddress().toByteArray());
    System.out.println("contract " + counter);

    // Estimate, then call
    Function add = new Function("add", List.of(new Uint256(BigInteger.valueOf(5))), List.of());
    System.out.println("estimate " + node.estimateEnergy(me, counter, add).getEnergyRequired() + " Energy");
    TransactionExtention built = node.triggerContract(me, counter, FunctionEncoder.encode(add), 0, 0, "", 100_000_000L);
    TransactionInfo info = send(built);
    Function total = new Function("total", List.of(), List.of());
    byte[] result = node.triggerConstantContract(me, counter, total).getConstantResult(0).toByteArray();
    System.out.println("total " + new BigInteger(1, result));

    // Read the events
    info.getLogList().forEach(
        log -> System.out.println("event " + HexFormat.of().formatHex(log.getData().toByteArray())));

    // Read the cost
    System.out.println(
        "cost " + info.getFee() + " sun for " + info.getReceipt().getEnergyUsageTotal() + " Energy");
    node.close();
  }
}
