package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.address;
import static dev.tilewright.ptx.text.OperandText.last;
import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Copies that run on their own, tensor maps and cache policies as text. */
final class CopyText {
    private static final String COMPLETE = ".mbarrier::complete_tx::bytes";
    /** The size of a map as tensormap instructions write it. */
    private static final String MAP_BYTES = "128";
    /** The size of a line as cache instructions write it. */
    private static final String LINE_BYTES = "128";

    private CopyText() {}

    static String bulkCopy(BulkCopy instruction) {
        return switch (instruction) {
            case BulkCopy.TensorLoad i ->
                "cp.async.bulk.tensor" + dimensions(i.fourRows(), i.coordinates()) + ".shared::cluster.global"
                        + tile(i.fourRows(), "gather4") + COMPLETE
                        + multicast(i.multicast())
                        + i.group().map(group -> "." + group.ptx()).orElse("") + hint(i.policy()) + " "
                        + address(i.destination()) + ", " + box(i.map(), i.coordinates()) + ", "
                        + address(i.barrier()) + last(i.multicast()) + last(i.policy());
            case BulkCopy.TensorStore i ->
                "cp.async.bulk.tensor" + dimensions(i.fourRows(), i.coordinates()) + ".global.shared::cta"
                        + tile(i.fourRows(), "scatter4") + ".bulk_group" + hint(i.policy()) + " "
                        + box(i.map(), i.coordinates()) + ", " + address(i.source()) + last(i.policy());
            case BulkCopy.TensorReduce i ->
                "cp.reduce.async.bulk.tensor" + dimensions(false, i.coordinates()) + ".global.shared::cta."
                        + i.operation().ptx() + ".tile.bulk_group" + hint(i.policy()) + " "
                        + box(i.map(), i.coordinates()) + ", " + address(i.source()) + last(i.policy());
            case BulkCopy.TensorPrefetch i ->
                "cp.async.bulk.prefetch.tensor" + dimensions(i.fourRows(), i.coordinates()) + ".L2.global"
                        + tile(i.fourRows(), "gather4") + hint(i.policy()) + " " + box(i.map(), i.coordinates())
                        + last(i.policy());
            case BulkCopy.Load i ->
                line(
                        "cp.async.bulk.shared::cluster.global" + COMPLETE + multicast(i.multicast()) + hint(i.policy()),
                        i.destination(),
                        i.source(),
                        i.bytes(),
                        i.barrier(),
                        i.multicast(),
                        i.policy());
            case BulkCopy.Store i ->
                line(
                        "cp.async.bulk.global.shared::cta.bulk_group" + hint(i.policy()),
                        i.destination(),
                        i.source(),
                        i.bytes(),
                        i.policy());
            case BulkCopy.SharedToCluster i ->
                line(
                        "cp.async.bulk.shared::cluster.shared::cta" + COMPLETE,
                        i.destination(),
                        i.source(),
                        i.bytes(),
                        i.barrier());
            case BulkCopy.Reduce i ->
                line(
                        "cp.reduce.async.bulk.global.shared::cta.bulk_group" + hint(i.policy()) + "."
                                + i.operation().ptx() + (i.noFlush() ? ".noftz." : ".")
                                + i.type().ptx(),
                        i.destination(),
                        i.source(),
                        i.bytes(),
                        i.policy());
            case BulkCopy.ReduceToCluster i ->
                line(
                        "cp.reduce.async.bulk.shared::cluster.shared::cta" + COMPLETE + "."
                                + i.operation().ptx() + "." + i.type().ptx(),
                        i.destination(),
                        i.source(),
                        i.bytes(),
                        i.barrier());
            case BulkCopy.Prefetch i ->
                line("cp.async.bulk.prefetch.L2.global" + hint(i.policy()), i.source(), i.bytes(), i.policy());
            case BulkCopy.CommitGroup _, BulkCopy.WaitGroup _ -> FormText.of(instruction);
        };
    }

    private static String dimensions(boolean fourRows, List<?> coordinates) {
        return "." + (fourRows ? 2 : coordinates.size()) + "d";
    }

    private static String tile(boolean fourRows, String mode) {
        return fourRows ? ".tile::" + mode : ".tile";
    }

    private static String multicast(Optional<?> mask) {
        return mask.isPresent() ? ".multicast::cluster" : "";
    }

    static String asyncCopy(AsyncCopy instruction) {
        return switch (instruction) {
            case AsyncCopy.Copy i ->
                line(
                        "cp.async." + (i.aroundL1() ? "cg" : "ca")
                                + i.destination().space().ptx() + ".global"
                                + hint(i.policy())
                                + i.hints().stream().map(h -> "." + h).collect(Collectors.joining()),
                        i.destination(),
                        i.source(),
                        Integer.toString(i.bytes()),
                        i.sourceBytes(),
                        i.policy());
            case AsyncCopy.CommitGroup _, AsyncCopy.WaitGroup _, AsyncCopy.WaitAll _ -> FormText.of(instruction);
            case AsyncCopy.ArriveWhenDone i ->
                line(
                        "cp.async.mbarrier.arrive" + (i.counted() ? ".noinc" : "")
                                + i.barrier().space().ptx() + ".b64",
                        i.barrier());
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
                        i.destination(),
                        i.source(),
                        MAP_BYTES);
            case TensorMapUpdate.Release i ->
                "fence.proxy.tensormap::generic.release" + i.scope().ptx();
            case TensorMapUpdate.Acquire i ->
                line("fence.proxy.tensormap::generic.acquire" + i.scope().ptx(), i.map(), MAP_BYTES);
        };
    }

    static String cachePolicy(CachePolicy instruction) {
        return switch (instruction) {
            case CachePolicy.Fractional i ->
                "createpolicy.fractional" + priorities(i.primary(), i.secondary()) + ".b64 " + operand(i.d())
                        + last(i.fraction());
            case CachePolicy.Range i ->
                line(
                        "createpolicy.range" + i.address().space().ptx() + priorities(i.primary(), i.secondary())
                                + ".b64",
                        i.d(),
                        i.address(),
                        i.primaryBytes(),
                        i.totalBytes());
            case CachePolicy.FromProperty i -> line("createpolicy.cvt.L2.b64", i.d(), i.property());
            case CachePolicy.ResetPriority i ->
                line("applypriority" + i.address().space().ptx() + ".L2::evict_normal", i.address(), LINE_BYTES);
            case CachePolicy.Discard i -> line("discard" + i.address().space().ptx() + ".L2", i.address(), LINE_BYTES);
        };
    }

    private static String priorities(EvictionPriority primary, Optional<EvictionPriority> secondary) {
        return ".L2::" + primary.ptx() + secondary.map(s -> ".L2::" + s.ptx()).orElse("");
    }

    static String hint(Optional<Operand<B64>> policy) {
        return policy.isPresent() ? ".L2::cache_hint" : "";
    }

    private static String box(GenericAddress map, List<Operand<B32>> coordinates) {
        return "[" + map.base().name() + ", " + vector(coordinates) + "]";
    }
}
