package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.InstructionText.line;
import static dev.tilewright.ptx.text.OperandText.address;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.instruction.BulkTransfer;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.FourRows;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Copies that run on their own, tensor maps and cache policies as text. */
final class CopyText {
    /** What tensormap instructions take as the size of a map. */
    private static final String MAP_BYTES = "128";
    /** What cache instructions take as the size of a line. */
    private static final String LINE_BYTES = "128";

    private CopyText() {}

    static String bulkCopy(BulkCopy instruction) {
        return switch (instruction) {
            case BulkCopy.TensorLoad i -> {
                String mask = i.multicast().map(m -> ", " + operand(m)).orElse("");
                yield "cp.async.bulk.tensor." + i.coordinates().size()
                        + "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                        + (i.multicast().isPresent() ? ".multicast::cluster" : "")
                        + hint(i.policy()) + " " + address(i.destination()) + ", "
                        + box(address(i.map()), i.coordinates()) + ", " + address(i.barrier()) + mask
                        + policy(i.policy());
            }
            case BulkCopy.TensorStore i ->
                "cp.async.bulk.tensor." + i.coordinates().size() + "d.global.shared::cta.tile.bulk_group"
                        + hint(i.policy()) + " " + box(address(i.map()), i.coordinates()) + ", " + address(i.source())
                        + policy(i.policy());
            case BulkCopy.TensorReduce i ->
                "cp.reduce.async.bulk.tensor." + i.coordinates().size() + "d.global.shared::cta."
                        + i.operation().ptx() + ".tile.bulk_group"
                        + hint(i.policy()) + " " + box(address(i.map()), i.coordinates()) + ", " + address(i.source())
                        + policy(i.policy());
            case BulkCopy.TensorPrefetch i ->
                "cp.async.bulk.prefetch.tensor." + i.coordinates().size() + "d.L2.global.tile" + hint(i.policy()) + " "
                        + box(address(i.map()), i.coordinates()) + policy(i.policy());
            case BulkCopy.Load i ->
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes" + hint(i.policy()) + " "
                        + address(i.destination()) + ", " + address(i.source()) + ", " + operand(i.bytes()) + ", "
                        + address(i.barrier()) + policy(i.policy());
            case BulkCopy.Store i ->
                line(
                        "cp.async.bulk.global.shared::cta.bulk_group",
                        address(i.destination()),
                        address(i.source()),
                        operand(i.bytes()));
            case BulkCopy.CommitGroup _ -> "cp.async.bulk.commit_group";
            case BulkCopy.WaitGroup i -> "cp.async.bulk.wait_group" + (i.read() ? ".read " : " ") + i.pending();
            case BulkCopy.CreatePolicy i ->
                line(
                        "createpolicy.fractional.L2::" + i.priority().ptx() + ".b64",
                        operand(i.d()),
                        OperandText.f32(i.fraction()));
        };
    }

    static String asyncCopy(AsyncCopy instruction) {
        return switch (instruction) {
            case AsyncCopy.Copy i ->
                line(
                                "cp.async." + (i.aroundL1() ? "cg" : "ca")
                                        + i.destination().space().ptx() + ".global"
                                        + hint(i.policy())
                                        + i.hints().stream().map(h -> "." + h).collect(Collectors.joining()),
                                address(i.destination()),
                                address(i.source()),
                                Integer.toString(i.bytes()))
                        + ExchangeText.optional(i.sourceBytes())
                        + policy(i.policy());
            case AsyncCopy.CommitGroup _ -> "cp.async.commit_group";
            case AsyncCopy.WaitGroup i -> "cp.async.wait_group " + i.pending();
            case AsyncCopy.WaitAll _ -> "cp.async.wait_all";
            case AsyncCopy.ArriveWhenDone i ->
                line(
                        "cp.async.mbarrier.arrive" + (i.counted() ? ".noinc" : "")
                                + i.barrier().space().ptx() + ".b64",
                        address(i.barrier()));
        };
    }

    static String transfer(BulkTransfer instruction) {
        return switch (instruction) {
            case BulkTransfer.SharedToCluster i ->
                line(
                        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
                        address(i.destination()),
                        address(i.source()),
                        operand(i.bytes()),
                        address(i.barrier()));
            case BulkTransfer.MulticastLoad i ->
                line(
                                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                                        + hint(i.policy()),
                                address(i.destination()),
                                address(i.source()),
                                operand(i.bytes()),
                                address(i.barrier()),
                                operand(i.mask()))
                        + policy(i.policy());
            case BulkTransfer.HintedStore i ->
                line(
                        "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint",
                        address(i.destination()),
                        address(i.source()),
                        operand(i.bytes()),
                        operand(i.policy()));
            case BulkTransfer.Reduce i ->
                line(
                                "cp.reduce.async.bulk.global.shared::cta.bulk_group"
                                        + hint(i.policy()) + "."
                                        + i.operation().ptx() + (i.noFlush() ? ".noftz." : ".")
                                        + i.type().ptx(),
                                address(i.destination()),
                                address(i.source()),
                                operand(i.bytes()))
                        + policy(i.policy());
            case BulkTransfer.ReduceToCluster i ->
                line(
                        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes."
                                + i.operation().ptx() + "." + i.type().ptx(),
                        address(i.destination()),
                        address(i.source()),
                        operand(i.bytes()),
                        address(i.barrier()));
            case BulkTransfer.Prefetch i ->
                line("cp.async.bulk.prefetch.L2.global" + hint(i.policy()), address(i.source()), operand(i.bytes()))
                        + policy(i.policy());
        };
    }

    static String fourRows(FourRows instruction) {
        return switch (instruction) {
            case FourRows.Gather i ->
                line(
                                "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4"
                                        + ".mbarrier::complete_tx::bytes"
                                        + (i.multicast().isPresent() ? ".multicast::cluster" : "")
                                        + i.group()
                                                .map(group -> "." + group.ptx())
                                                .orElse("")
                                        + hint(i.policy()),
                                address(i.destination()),
                                box(address(i.map()), i.coordinates()),
                                address(i.barrier()))
                        + i.multicast().map(mask -> ", " + operand(mask)).orElse("")
                        + policy(i.policy());
            case FourRows.Scatter i ->
                line(
                                "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group"
                                        + hint(i.policy()),
                                box(address(i.map()), i.coordinates()),
                                address(i.source()))
                        + policy(i.policy());
            case FourRows.Prefetch i ->
                line(
                                "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4" + hint(i.policy()),
                                box(address(i.map()), i.coordinates()))
                        + policy(i.policy());
        };
    }

    static String tensorMap(TensorMapUpdate instruction) {
        return switch (instruction) {
            case TensorMapUpdate.Replace i -> {
                String dimension = i.dimension().map(d -> ", " + d).orElse("");
                yield "tensormap.replace.tile." + i.field().ptx()
                        + i.map().space().ptx() + ".b1024." + i.field().type().ptx() + " " + address(i.map())
                        + dimension + ", " + operand(i.value());
            }
            case TensorMapUpdate.CopyRelease i ->
                line(
                        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release"
                                + i.scope().ptx() + ".sync.aligned",
                        address(i.destination()),
                        address(i.source()),
                        MAP_BYTES);
            case TensorMapUpdate.Release i ->
                "fence.proxy.tensormap::generic.release" + i.scope().ptx();
            case TensorMapUpdate.Acquire i ->
                line("fence.proxy.tensormap::generic.acquire" + i.scope().ptx(), address(i.map()), MAP_BYTES);
        };
    }

    static String cachePolicy(CachePolicy instruction) {
        return switch (instruction) {
            case CachePolicy.Fractional i ->
                "createpolicy.fractional" + priorities(i.primary(), i.secondary()) + ".b64 " + operand(i.d())
                        + i.fraction().map(f -> ", " + operand(f)).orElse("");
            case CachePolicy.Range i ->
                line(
                        "createpolicy.range" + i.address().space().ptx() + priorities(i.primary(), i.secondary())
                                + ".b64",
                        operand(i.d()),
                        address(i.address()),
                        operand(i.primaryBytes()),
                        operand(i.totalBytes()));
            case CachePolicy.FromProperty i -> line("createpolicy.cvt.L2.b64", operand(i.d()), operand(i.property()));
            case CachePolicy.ResetPriority i ->
                line(
                        "applypriority" + i.address().space().ptx() + ".L2::evict_normal",
                        address(i.address()),
                        LINE_BYTES);
            case CachePolicy.Discard i ->
                line("discard" + i.address().space().ptx() + ".L2", address(i.address()), LINE_BYTES);
        };
    }

    private static String priorities(EvictionPriority primary, Optional<EvictionPriority> secondary) {
        return ".L2::" + primary.ptx() + secondary.map(s -> ".L2::" + s.ptx()).orElse("");
    }

    static String hint(Optional<Operand<B64>> policy) {
        return policy.isPresent() ? ".L2::cache_hint" : "";
    }

    static String policy(Optional<Operand<B64>> policy) {
        return policy.map(p -> ", " + operand(p)).orElse("");
    }

    static String box(String map, List<Operand<B32>> coordinates) {
        return "[" + map.substring(1, map.length() - 1) + ", " + vector(coordinates) + "]";
    }
}
