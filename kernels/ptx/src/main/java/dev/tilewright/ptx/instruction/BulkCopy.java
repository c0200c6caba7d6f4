package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.Spelled;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Copies by the tensor memory accelerator (the asynchronous proxy). Issued by ONE thread. Copies to shared memory
 * complete on an mbarrier, by bytes; copies to global memory complete by bulk groups of the issuing thread. A
 * {@code policy} comes from {@link CachePolicy}. PTX 9.7.9.25, 9.7.9.27, sm_90.
 *
 * <p>Bytes in a row are a multiple of 16, and both ends are aligned to 16. A box of a tensor has 1 to 5 coordinates of
 * s32, innermost first; its end in shared memory is aligned to 128 bytes (1024 with 128-byte swizzle). With
 * {@code fourRows} the tensor has two dimensions, the box of the map has one row, and the coordinates are the column
 * and four rows, which need not be neighbours in the tensor; in shared memory they are. PTX 5.5.3.4, sm_100a.
 */
public sealed interface BulkCopy extends Instruction {
    /** Coordinates of four rows: one column and the rows. */
    int FOUR_ROWS = 5;
    /** Most bytes in a row of one copy. */
    int MOST_BYTES = (1 << 20) - 16;

    @Override
    default Requirement requires() {
        return Requirement.HOPPER;
    }

    /**
     * A box of a tensor from global to shared memory. Bytes of the full box are counted on {@code barrier} even where
     * it lies outside (zeros there). {@code multicast}: 16-bit mask of cluster ranks; data and bytes go to the same
     * offsets in each of them. PTX 9.7.9.27.1.2.
     *
     * @param group if present, the barrier may lie in the other CTA of the pair: then the bytes of both CTAs can be
     *     counted on one barrier, that of the CTA which multiplies
     */
    record TensorLoad(
            boolean fourRows,
            Optional<CtaGroup> group,
            SharedAddress destination,
            GenericAddress map,
            List<Operand<B32>> coordinates,
            Address barrier,
            Optional<Operand<B16>> multicast,
            Optional<Operand<B64>> policy)
            implements BulkCopy, MbarrierUse {
        public TensorLoad {
            coordinates = List.copyOf(coordinates);
            requireBox("cp.async.bulk.tensor", fourRows, map, coordinates);
            Check.barrier("cp.async.bulk.tensor", barrier);
        }

        /** A box whose bytes are counted in the CTA that it goes to. */
        public TensorLoad(
                SharedAddress destination,
                GenericAddress map,
                List<Operand<B32>> coordinates,
                SharedAddress barrier,
                Optional<Operand<B16>> multicast,
                Optional<Operand<B64>> policy) {
            this(false, Optional.empty(), destination, map, coordinates, barrier, multicast, policy);
        }

        @Override
        public Requirement requires() {
            return group.isPresent() ? Tcgen05.BLACKWELL : requirement(fourRows);
        }
    }

    /**
     * A box of a tensor from shared to global memory; parts outside the tensor are not written. Joins the thread's open
     * bulk group. Preceded by {@link Barrier.ProxyFence} of the writers. PTX 9.7.9.27.1.2.
     */
    record TensorStore(
            boolean fourRows,
            GenericAddress map,
            List<Operand<B32>> coordinates,
            SharedAddress source,
            Optional<Operand<B64>> policy)
            implements BulkCopy {
        public TensorStore {
            coordinates = List.copyOf(coordinates);
            requireBox("cp.async.bulk.tensor", fourRows, map, coordinates);
        }

        @Override
        public Requirement requires() {
            return requirement(fourRows);
        }
    }

    /** The operation of a reduction on each element. */
    enum ReduceOperation implements Spelled {
        ADD,
        MIN,
        MAX,
        /** The old value plus 1, or 0 if it is the operand or more. */
        INC,
        /** The old value less 1, or the operand if it is 0 or more than that. */
        DEC,
        AND,
        OR,
        XOR
    }

    /** {@code global = global op shared}, per element of the box, relaxed at gpu scope. PTX 9.7.9.27.1.3. */
    record TensorReduce(
            ReduceOperation operation,
            GenericAddress map,
            List<Operand<B32>> coordinates,
            SharedAddress source,
            Optional<Operand<B64>> policy)
            implements BulkCopy {
        public TensorReduce {
            coordinates = List.copyOf(coordinates);
            requireBox("cp.reduce.async.bulk.tensor", false, map, coordinates);
        }
    }

    /** Brings a box of a tensor into L2. PTX 9.7.9.27.1.4. */
    record TensorPrefetch(
            boolean fourRows, GenericAddress map, List<Operand<B32>> coordinates, Optional<Operand<B64>> policy)
            implements BulkCopy {
        public TensorPrefetch {
            coordinates = List.copyOf(coordinates);
            requireBox("cp.async.bulk.prefetch.tensor", fourRows, map, coordinates);
        }

        @Override
        public Requirement requires() {
            return requirement(fourRows);
        }
    }

    /**
     * {@code bytes} from global to shared memory. {@code multicast}: 16-bit mask of cluster ranks; data and bytes go to
     * the same offsets in each of them. PTX 9.7.9.25.4.1.
     */
    record Load(
            SharedAddress destination,
            GlobalAddress source,
            Operand<B32> bytes,
            SharedAddress barrier,
            Optional<Operand<B16>> multicast,
            Optional<Operand<B64>> policy)
            implements BulkCopy, MbarrierUse {
        public Load {
            requireBytes(bytes);
        }
    }

    /** {@code bytes} from shared to global memory; joins the open bulk group. PTX 9.7.9.25.4.1. */
    record Store(GlobalAddress destination, SharedAddress source, Operand<B32> bytes, Optional<Operand<B64>> policy)
            implements BulkCopy {
        public Store {
            requireBytes(bytes);
        }
    }

    /** From the own shared memory to that of a CTA of the cluster; completes on a barrier there. PTX 9.7.9.25.4.1. */
    record SharedToCluster(ClusterAddress destination, SharedAddress source, Operand<B32> bytes, ClusterAddress barrier)
            implements BulkCopy, MbarrierUse {
        public SharedToCluster {
            requireBytes(bytes);
        }
    }

    /**
     * {@code global = global op shared}, element by element of f16, bf16 ({@code noFlush} for add), integers, f32, f64;
     * joins the open bulk group. PTX 9.7.9.25.4.2.
     */
    record Reduce(
            ReduceOperation operation,
            boolean noFlush,
            ScalarType type,
            GlobalAddress destination,
            SharedAddress source,
            Operand<B32> bytes,
            Optional<Operand<B64>> policy)
            implements BulkCopy {
        public Reduce {
            requireBytes(bytes);
            Set<ScalarType> types = integers(operation);
            switch (operation) {
                case ADD -> types.addAll(EnumSet.of(ScalarType.F32, ScalarType.F64, ScalarType.F16, ScalarType.BF16));
                case MIN, MAX ->
                    types.addAll(EnumSet.of(ScalarType.U64, ScalarType.S64, ScalarType.F16, ScalarType.BF16));
                case AND, OR, XOR -> types.add(ScalarType.B64);
                case INC, DEC -> {}
            }
            requireType(operation, type, types);
            boolean halves = operation == ReduceOperation.ADD && type.bits() == 16;
            Check.that(
                    noFlush == halves,
                    "cp.reduce.async.bulk: .noftz belongs to sums of f16 and bf16, and they need it",
                    "." + operation.ptx() + (noFlush ? ".noftz." : ".") + type.ptx());
        }
    }

    /**
     * {@code shared of a CTA of the cluster = that op own shared}, element by element of integers; completes on a
     * barrier there. PTX 9.7.9.25.4.2.
     */
    record ReduceToCluster(
            ReduceOperation operation,
            ScalarType type,
            ClusterAddress destination,
            SharedAddress source,
            Operand<B32> bytes,
            ClusterAddress barrier)
            implements BulkCopy, MbarrierUse {
        public ReduceToCluster {
            requireBytes(bytes);
            requireType(operation, type, integers(operation));
        }
    }

    /** Brings bytes of global memory into L2. PTX 9.7.9.25.4.3. */
    record Prefetch(GlobalAddress source, Operand<B32> bytes, Optional<Operand<B64>> policy) implements BulkCopy {
        public Prefetch {
            requireBytes(bytes);
        }
    }

    /** Closes the thread's open bulk group, maybe empty. PTX 9.7.9.27.2.1. */
    record CommitGroup() implements BulkCopy {}

    /**
     * Waits until at most {@code pending} of the thread's latest bulk groups are unfinished; {@code read}: until they
     * have read their shared memory, so that it may be written again, though the writes may not be visible yet. PTX
     * 9.7.9.27.2.2.
     */
    record WaitGroup(int pending, boolean read) implements BulkCopy {
        public WaitGroup {
            Check.range("cp.async.bulk.wait_group: pending", pending, 0, 63);
        }
    }

    /** How L2 treats the lines of an access. */
    enum EvictionPriority implements Spelled {
        EVICT_FIRST,
        EVICT_LAST,
        EVICT_NORMAL,
        EVICT_UNCHANGED
    }

    private static Requirement requirement(boolean fourRows) {
        return fourRows
                ? new Requirement(new IsaVersion(8, 6), 100, Requirement.Kind.ANY_SPECIFIC)
                : Requirement.HOPPER;
    }

    private static void requireBox(String mnemonic, boolean fourRows, GenericAddress map, List<?> coordinates) {
        Check.box(mnemonic, map, coordinates);
        Check.that(
                !fourRows || coordinates.size() == FOUR_ROWS,
                mnemonic + ": four rows need a column and four rows as coordinates",
                coordinates.size() + " coordinates");
    }

    private static void requireBytes(Operand<B32> bytes) {
        if (bytes instanceof Immediate<?> constant) {
            Check.range("cp.async.bulk: bytes", constant.unsigned(), 0, MOST_BYTES);
            Check.multiple("cp.async.bulk: bytes", constant.unsigned(), 16);
        }
    }

    /** The integers that a reduction into shared memory takes. */
    private static Set<ScalarType> integers(ReduceOperation operation) {
        return switch (operation) {
            case ADD -> EnumSet.of(ScalarType.U32, ScalarType.S32, ScalarType.U64);
            case MIN, MAX -> EnumSet.of(ScalarType.U32, ScalarType.S32);
            case INC, DEC -> EnumSet.of(ScalarType.U32);
            case AND, OR, XOR -> EnumSet.of(ScalarType.B32);
        };
    }

    private static void requireType(ReduceOperation operation, ScalarType type, Set<ScalarType> types) {
        Check.that(
                types.contains(type),
                "cp.reduce.async.bulk." + operation.ptx() + ": type must be one of "
                        + types.stream().map(ScalarType::ptx).collect(Collectors.joining(", ")),
                "." + type.ptx());
    }
}
