package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/**
 * Copies of four rows of a tensor of two dimensions, which need not be neighbours there; in shared memory they are. The
 * box of the map has one row. Coordinates: s32, the column where all begin, then the four rows. Issued by ONE thread,
 * completion as of {@link BulkCopy}. PTX 5.5.3.4, 9.7.9.27, sm_100a.
 */
public sealed interface FourRows extends Ordinary {
    /** One column and four rows. */
    int COORDINATES = 5;

    @Override
    default Requirement requires() {
        return new Requirement(new IsaVersion(8, 6), 100, Requirement.Kind.ANY_SPECIFIC);
    }

    /**
     * Four rows from global to shared memory. Bytes of four full rows are counted on {@code barrier}, also where they
     * lie outside.
     *
     * @param group if present, the barrier may lie in the other CTA of the pair, as of {@link Tcgen05.TensorLoad}
     */
    record Gather(
            Optional<CtaGroup> group,
            SharedAddress destination,
            GenericAddress map,
            List<Operand<B32>> coordinates,
            ClusterAddress barrier,
            Optional<Operand<B16>> multicast,
            Optional<Operand<B64>> policy)
            implements FourRows, MbarrierUse {
        public Gather {
            coordinates = List.copyOf(coordinates);
            require(map, coordinates);
            Check.aligned("cp.async.bulk.tensor: destination", destination.offset(), 128);
            Check.aligned("cp.async.bulk.tensor: barrier", barrier.offset(), 8);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.SHARED_CLUSTER);
            visitor.address(map, StateSpace.GENERIC);
            coordinates.forEach(c -> visitor.read(c, ScalarType.S32));
            visitor.address(barrier, StateSpace.SHARED_CLUSTER);
            multicast.ifPresent(mask -> visitor.read(mask, ScalarType.B16));
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** Four rows from shared to global memory; parts outside the tensor are not written. Joins the open bulk group. */
    record Scatter(
            GenericAddress map, List<Operand<B32>> coordinates, SharedAddress source, Optional<Operand<B64>> policy)
            implements FourRows {
        public Scatter {
            coordinates = List.copyOf(coordinates);
            require(map, coordinates);
            Check.aligned("cp.async.bulk.tensor: source", source.offset(), 128);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(map, StateSpace.GENERIC);
            coordinates.forEach(c -> visitor.read(c, ScalarType.S32));
            visitor.address(source, StateSpace.SHARED);
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** Brings four rows into L2. */
    record Prefetch(GenericAddress map, List<Operand<B32>> coordinates, Optional<Operand<B64>> policy)
            implements FourRows {
        public Prefetch {
            coordinates = List.copyOf(coordinates);
            require(map, coordinates);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(map, StateSpace.GENERIC);
            coordinates.forEach(c -> visitor.read(c, ScalarType.S32));
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    private static void require(GenericAddress map, List<?> coordinates) {
        Check.box("cp.async.bulk.tensor", map, coordinates);
        Check.that(
                coordinates.size() == COORDINATES,
                "cp.async.bulk.tensor: four rows need a column and four rows as coordinates",
                coordinates.size() + " coordinates");
    }
}
