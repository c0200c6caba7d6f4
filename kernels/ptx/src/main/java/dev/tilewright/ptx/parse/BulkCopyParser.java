package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.ReduceOperation;
import dev.tilewright.ptx.instruction.BulkTransfer;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.FourRows;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.parse.Addresses.Box;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Map;
import java.util.Optional;

/** {@link BulkCopy} and {@link BulkTransfer}. */
final class BulkCopyParser {
    private static final String COMPLETE = "mbarrier::complete_tx::bytes";
    private static final Map<String, ReduceOperation> REDUCTIONS =
            Spellings.of(ReduceOperation.values(), ReduceOperation::ptx);

    private static final String FOUR_ROWS = "four rows are those of a tensor of two dimensions, .tensor.2d";

    private BulkCopyParser() {}

    static Instruction copy(Line in) {
        in.require("async");
        if (!in.has("bulk")) {
            return AsyncCopyParser.copy(in);
        }
        if (in.has("commit_group")) {
            in.requireNoModifier();
            return new BulkCopy.CommitGroup();
        }
        if (in.has("wait_group")) {
            boolean read = in.has("read");
            return new BulkCopy.WaitGroup(in.constant("the groups", 0, 63), read);
        }
        if (in.has("reduce")) {
            return reduce(in);
        }
        if (in.has("prefetch")) {
            return prefetch(in);
        }
        boolean hint = in.has("L2::cache_hint");
        Optional<Integer> dimensions = in.has("tensor") ? Optional.of(dimensions(in)) : Optional.empty();
        boolean tensor = dimensions.isPresent();
        boolean gather = in.has("tile::gather4");
        boolean scatter = in.has("tile::scatter4");
        if (!gather && !scatter) {
            in.has("tile");
        } else if (dimensions.orElse(0) != 2) {
            throw in.refuse(FOUR_ROWS);
        }
        StateSpace to = in.space();
        StateSpace from = in.space();
        // The own CTA is one of the cluster: both spaces are copied to by the same instruction.
        boolean shared = to == StateSpace.SHARED_CLUSTER || to == StateSpace.SHARED;
        if (shared && from == StateSpace.GLOBAL) {
            if (scatter) {
                throw in.refuse(".tile::scatter4 goes from .shared::cta to .global");
            }
            in.require(COMPLETE);
            boolean multicast = in.has("multicast::cluster");
            Optional<CtaGroup> group = in.maybe(Tcgen05Parser.GROUPS);
            if (gather) {
                return gather(in, group, multicast, hint);
            }
            if (group.isPresent() && tensor) {
                return groupLoad(in, group.get(), dimensions.get(), multicast, hint);
            }
            return tensor ? tensorLoad(in, dimensions.get(), multicast, hint) : load(in, multicast, hint);
        }
        if (to == StateSpace.SHARED_CLUSTER && from == StateSpace.SHARED && !tensor && !hint) {
            in.require(COMPLETE);
            return new BulkTransfer.SharedToCluster(
                    Addresses.cluster(in), Addresses.shared(in), in.word(), Addresses.cluster(in));
        }
        if (to == StateSpace.GLOBAL && from == StateSpace.SHARED) {
            if (gather) {
                throw in.refuse(".tile::gather4 goes from .global to shared memory");
            }
            in.require("bulk_group");
            if (scatter) {
                Box rows = box(in, FourRows.COORDINATES);
                return new FourRows.Scatter(rows.map(), rows.coordinates(), Addresses.shared(in), policy(in, hint));
            }
            return tensor ? tensorStore(in, dimensions.get(), hint) : store(in, hint);
        }
        throw in.unsupported("copies from " + from + " to " + to + " are not supported");
    }

    private static Instruction tensorLoad(Line in, int dimensions, boolean multicast, boolean hint) {
        SharedAddress destination = Addresses.shared(in);
        Box box = box(in, dimensions);
        SharedAddress barrier = Addresses.shared(in);
        Optional<Operand<B16>> mask = multicast ? Optional.of(in.value(ScalarType.B16)) : Optional.empty();
        return new BulkCopy.TensorLoad(destination, box.map(), box.coordinates(), barrier, mask, policy(in, hint));
    }

    private static Instruction groupLoad(Line in, CtaGroup group, int dimensions, boolean multicast, boolean hint) {
        SharedAddress destination = Addresses.shared(in);
        Box box = box(in, dimensions);
        ClusterAddress barrier = Addresses.cluster(in);
        Optional<Operand<B16>> mask = multicast ? Optional.of(in.value(ScalarType.B16)) : Optional.empty();
        return new Tcgen05.TensorLoad(
                group, destination, box.map(), box.coordinates(), barrier, mask, policy(in, hint));
    }

    private static Instruction gather(Line in, Optional<CtaGroup> group, boolean multicast, boolean hint) {
        SharedAddress destination = Addresses.shared(in);
        Box rows = box(in, FourRows.COORDINATES);
        ClusterAddress barrier = Addresses.cluster(in);
        Optional<Operand<B16>> mask = multicast ? Optional.of(in.value(ScalarType.B16)) : Optional.empty();
        return new FourRows.Gather(group, destination, rows.map(), rows.coordinates(), barrier, mask, policy(in, hint));
    }

    private static Instruction load(Line in, boolean multicast, boolean hint) {
        SharedAddress destination = Addresses.shared(in);
        GlobalAddress source = Addresses.global(in);
        Operand<B32> bytes = in.word();
        SharedAddress barrier = Addresses.shared(in);
        return multicast
                ? new BulkTransfer.MulticastLoad(
                        destination, source, bytes, barrier, in.value(ScalarType.B16), policy(in, hint))
                : new BulkCopy.Load(destination, source, bytes, barrier, policy(in, hint));
    }

    private static Instruction tensorStore(Line in, int dimensions, boolean hint) {
        Box box = box(in, dimensions);
        SharedAddress source = Addresses.shared(in);
        return new BulkCopy.TensorStore(box.map(), box.coordinates(), source, policy(in, hint));
    }

    private static Instruction store(Line in, boolean hint) {
        if (hint) {
            return new BulkTransfer.HintedStore(Addresses.global(in), Addresses.shared(in), in.word(), in.wide());
        }
        return new BulkCopy.Store(Addresses.global(in), Addresses.shared(in), in.word());
    }

    private static Instruction reduce(Line in) {
        boolean tensor = in.has("tensor");
        int dimensions = tensor ? dimensions(in) : 0;
        in.has("tile");
        StateSpace to = in.space();
        if (in.space() != StateSpace.SHARED) {
            throw in.refuse("the source must be .shared::cta");
        }
        if (to == StateSpace.SHARED_CLUSTER && !tensor) {
            return reduceToCluster(in);
        }
        if (to != StateSpace.GLOBAL) {
            throw in.refuse("the destination must be .global or .shared::cluster");
        }
        in.require("bulk_group");
        ReduceOperation operation = in.one(REDUCTIONS, "an operation");
        boolean hint = in.has("L2::cache_hint");
        if (!tensor) {
            boolean noFlush = in.has("noftz");
            ScalarType type = in.type();
            return new BulkTransfer.Reduce(
                    operation, noFlush, type, Addresses.global(in), Addresses.shared(in), in.word(), policy(in, hint));
        }
        Box box = box(in, dimensions);
        SharedAddress source = Addresses.shared(in);
        return new BulkCopy.TensorReduce(operation, box.map(), box.coordinates(), source, policy(in, hint));
    }

    private static Instruction reduceToCluster(Line in) {
        in.require(COMPLETE);
        ReduceOperation operation = in.one(REDUCTIONS, "an operation");
        ScalarType type = in.type();
        return new BulkTransfer.ReduceToCluster(
                operation, type, Addresses.cluster(in), Addresses.shared(in), in.word(), Addresses.cluster(in));
    }

    private static Instruction prefetch(Line in) {
        boolean tensor = in.has("tensor");
        int dimensions = tensor ? dimensions(in) : 0;
        boolean gather = in.has("tile::gather4");
        in.has("tile");
        in.require("L2", "global");
        boolean hint = in.has("L2::cache_hint");
        if (!tensor) {
            return new BulkTransfer.Prefetch(Addresses.global(in), in.word(), policy(in, hint));
        }
        if (gather && dimensions != 2) {
            throw in.refuse(FOUR_ROWS);
        }
        if (gather) {
            Box rows = box(in, FourRows.COORDINATES);
            return new FourRows.Prefetch(rows.map(), rows.coordinates(), policy(in, hint));
        }
        Box box = box(in, dimensions);
        return new BulkCopy.TensorPrefetch(box.map(), box.coordinates(), policy(in, hint));
    }

    private static int dimensions(Line in) {
        return in.counted("", "d").orElseThrow(() -> in.refuse("needs the number of dimensions"));
    }

    private static Box box(Line in, int dimensions) {
        Box box = Addresses.box(in);
        if (box.coordinates().size() != dimensions) {
            throw in.refuse("needs " + dimensions + " coordinates, got "
                    + box.coordinates().size());
        }
        return box;
    }

    private static Optional<Operand<B64>> policy(Line in, boolean hint) {
        return hint ? Optional.of(in.wide()) : Optional.empty();
    }
}
