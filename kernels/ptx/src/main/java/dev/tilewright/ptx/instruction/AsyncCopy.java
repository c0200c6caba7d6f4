package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** {@code cp.async}: copies of 4, 8 or 16 bytes by each thread, finished by the thread's groups. PTX 9.7.9.25.3. */
public sealed interface AsyncCopy extends Instruction {

    /**
     * {@code bytes} from global to shared memory, both aligned to them; the last {@code bytes - sourceBytes} are zeros.
     *
     * @param aroundL1 {@code .cg}, 16 bytes alone; otherwise {@code .ca}
     * @param hints {@code L2::128B} and the like, as written
     */
    record Copy(
            boolean aroundL1,
            Address destination,
            GlobalAddress source,
            int bytes,
            Optional<Operand<B32>> sourceBytes,
            List<String> hints,
            Optional<Operand<B64>> policy)
            implements AsyncCopy {
        public Copy {
            hints = List.copyOf(hints);
            Check.that(
                    bytes == 16 || (!aroundL1 && (bytes == 4 || bytes == 8)),
                    "cp.async: bytes must be 4, 8 or 16, with .cg 16",
                    bytes);
            Check.that(
                    destination.space() == StateSpace.SHARED,
                    "cp.async: destination must be in shared memory",
                    destination.space());
        }
    }

    /** Closes the thread's open group, maybe empty. */
    record CommitGroup() implements AsyncCopy {}

    /** Waits until at most {@code pending} of the thread's latest groups are unfinished. */
    record WaitGroup(int pending) implements AsyncCopy {
        public WaitGroup {
            Check.range("cp.async.wait_group: pending", pending, 0, 255);
        }
    }

    /** Waits for all copies of the thread, in groups or not. */
    record WaitAll() implements AsyncCopy {}

    /**
     * The barrier is arrived at when all copies of the thread so far are done; {@code counted}: the arrival is among
     * those the barrier was initialised with ({@code .noinc}), otherwise the pending count rises by one first.
     */
    record ArriveWhenDone(boolean counted, Address barrier) implements AsyncCopy, MbarrierUse {
        public ArriveWhenDone {
            Check.that(
                    barrier.space() == StateSpace.SHARED,
                    "cp.async.mbarrier.arrive: barrier must be in shared memory",
                    barrier.space());
        }
    }
}
