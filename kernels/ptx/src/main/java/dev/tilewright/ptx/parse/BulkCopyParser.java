package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.ReduceOperation;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.parse.Addresses.Box;
import dev.tilewright.ptx.type.Address;
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

/** {@link BulkCopy}. */
final class BulkCopyParser {
    private static final String COMPLETE = "mbarrier::complete_tx::bytes";
    private static final Map<String, ReduceOperation> REDUCTIONS =
            Spellings.of(ReduceOperation.values(), ReduceOperation::ptx);

    /** The modifiers of a tensor: its dimensions, and whether four rows are copied. */
    private record Tile(int dimensions, boolean fourRows) {
        private int coordinates() {
            return fourRows ? BulkCopy.FOUR_ROWS : dimensions;
        }
    }

    private BulkCopyParser() {}

    static Instruction copy(Line in) {
        in.require("async");
        if (!in.has("bulk")) {
            return AsyncCopyParser.copy(in);
        }
        if (in.has("reduce")) {
            return reduce(in);
        }
        if (in.has("prefetch")) {
            return prefetch(in);
        }
        boolean hint = in.has("L2::cache_hint");
        boolean gather = in.has("tile::gather4");
        boolean scatter = in.has("tile::scatter4");
        Optional<Tile> tile = tile(in, gather || scatter);
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
            return tile.isPresent() ? tensorLoad(in, tile.get(), multicast, hint) : load(in, multicast, hint);
        }
        if (to == StateSpace.SHARED_CLUSTER && from == StateSpace.SHARED && tile.isEmpty() && !hint) {
            in.require(COMPLETE);
            return new BulkCopy.SharedToCluster(
                    Addresses.cluster(in), Addresses.shared(in), in.word(), Addresses.cluster(in));
        }
        if (to == StateSpace.GLOBAL && from == StateSpace.SHARED) {
            if (gather) {
                throw in.refuse(".tile::gather4 goes from .global to shared memory");
            }
            in.require("bulk_group");
            if (tile.isEmpty()) {
                return new BulkCopy.Store(Addresses.global(in), Addresses.shared(in), in.word(), policy(in, hint));
            }
            Box box = box(in, tile.get());
            return new BulkCopy.TensorStore(
                    scatter, box.map(), box.coordinates(), Addresses.shared(in), policy(in, hint));
        }
        throw in.unsupported("copies from " + from + " to " + to + " are not supported");
    }

    private static Instruction tensorLoad(Line in, Tile tile, boolean multicast, boolean hint) {
        Optional<CtaGroup> group = in.maybe(Tcgen05Parser.GROUPS);
        SharedAddress destination = Addresses.shared(in);
        Box box = box(in, tile);
        Address barrier = group.isPresent() ? Addresses.cluster(in) : Addresses.shared(in);
        return new BulkCopy.TensorLoad(
                tile.fourRows(),
                group,
                destination,
                box.map(),
                box.coordinates(),
                barrier,
                mask(in, multicast),
                policy(in, hint));
    }

    private static Instruction load(Line in, boolean multicast, boolean hint) {
        SharedAddress destination = Addresses.shared(in);
        GlobalAddress source = Addresses.global(in);
        Operand<B32> bytes = in.word();
        SharedAddress barrier = Addresses.shared(in);
        return new BulkCopy.Load(destination, source, bytes, barrier, mask(in, multicast), policy(in, hint));
    }

    private static Instruction reduce(Line in) {
        Optional<Tile> tile = tile(in, false);
        StateSpace to = in.space();
        if (in.space() != StateSpace.SHARED) {
            throw in.refuse("the source must be .shared::cta");
        }
        if (to == StateSpace.SHARED_CLUSTER && tile.isEmpty()) {
            return reduceToCluster(in);
        }
        if (to != StateSpace.GLOBAL) {
            throw in.refuse("the destination must be .global or .shared::cluster");
        }
        in.require("bulk_group");
        ReduceOperation operation = in.one(REDUCTIONS, "an operation");
        boolean hint = in.has("L2::cache_hint");
        if (tile.isEmpty()) {
            boolean noFlush = in.has("noftz");
            ScalarType type = in.type();
            return new BulkCopy.Reduce(
                    operation, noFlush, type, Addresses.global(in), Addresses.shared(in), in.word(), policy(in, hint));
        }
        Box box = box(in, tile.get());
        SharedAddress source = Addresses.shared(in);
        return new BulkCopy.TensorReduce(operation, box.map(), box.coordinates(), source, policy(in, hint));
    }

    private static Instruction reduceToCluster(Line in) {
        in.require(COMPLETE);
        ReduceOperation operation = in.one(REDUCTIONS, "an operation");
        ScalarType type = in.type();
        return new BulkCopy.ReduceToCluster(
                operation, type, Addresses.cluster(in), Addresses.shared(in), in.word(), Addresses.cluster(in));
    }

    private static Instruction prefetch(Line in) {
        Optional<Tile> tile = tile(in, in.has("tile::gather4"));
        in.require("L2", "global");
        boolean hint = in.has("L2::cache_hint");
        if (tile.isEmpty()) {
            return new BulkCopy.Prefetch(Addresses.global(in), in.word(), policy(in, hint));
        }
        Box box = box(in, tile.get());
        return new BulkCopy.TensorPrefetch(tile.get().fourRows(), box.map(), box.coordinates(), policy(in, hint));
    }

    private static Optional<Tile> tile(Line in, boolean fourRows) {
        if (!fourRows) {
            in.has("tile");
        }
        Optional<Integer> dimensions = in.has("tensor")
                ? Optional.of(in.counted("", "d").orElseThrow(() -> in.refuse("needs the number of dimensions")))
                : Optional.empty();
        if (fourRows && dimensions.orElse(0) != 2) {
            throw in.refuse("four rows are those of a tensor of two dimensions, .tensor.2d");
        }
        return dimensions.map(d -> new Tile(d, fourRows));
    }

    private static Box box(Line in, Tile tile) {
        Box box = Addresses.box(in);
        if (box.coordinates().size() != tile.coordinates()) {
            throw in.refuse("needs " + tile.coordinates() + " coordinates, got "
                    + box.coordinates().size());
        }
        return box;
    }

    private static Optional<Operand<B16>> mask(Line in, boolean multicast) {
        return multicast ? Optional.of(in.value(ScalarType.B16)) : Optional.empty();
    }

    private static Optional<Operand<B64>> policy(Line in, boolean hint) {
        return hint ? Optional.of(in.wide()) : Optional.empty();
    }
}
